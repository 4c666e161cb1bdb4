import { useLayoutEffect } from 'react';
import { homeUrl } from '../../../shared/routes.ts';
import { changeEntry } from '../../router/entry-state.ts';
import { useQueryString } from '../../router/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { keepChosenOrder, readChosenOrder } from '../../storage/chosen-order.ts';
import { useOrder } from './use-channel-list.ts';

/**
 * Keeps the order in the address as the one that a signed-in user chose. Replaces a bare address, which links within
 * the site lead to, as before-paint.ts does when the page is loaded.
 * @returns whether the address is being replaced
 */
export function useChosenOrder(): boolean {
  const { isLogged } = useUser();
  const query = useQueryString();
  const order = useOrder();
  const hasOrder = new URLSearchParams(query).has('sort');
  const chosen = isLogged && query === '' ? readChosenOrder() : 'comments';
  const isReplaced = chosen !== 'comments';
  useLayoutEffect(() => {
    if (isReplaced) changeEntry({}, homeUrl(chosen));
    else if (isLogged && hasOrder) keepChosenOrder(order);
  }, [isReplaced, chosen, isLogged, hasOrder, order]);
  return isReplaced;
}
