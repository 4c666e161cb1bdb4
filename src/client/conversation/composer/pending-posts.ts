import type { QueryClient } from '@tanstack/react-query';
import type { Held, HeldList } from '../../../shared/held.ts';
import { askAgain, callKey, useAccountAnswer, userQuery } from '../../api/user-query.ts';
import { useUser } from '../../state/store-provider.tsx';
import { listHeld } from '../comment-calls.ts';

/** Whether what was sent waits for a moderator instead of being published. */
export const isHeld = (sent: object): sent is Held => 'state' in sent;

/** Whether what the account writes next is held as its first; false until the server has said so. */
export function useHoldsNext(): boolean {
  const { id } = useUser();
  const options = { isBackground: true, isCurrent: true };
  return useAccountAnswer(userQuery(id, listHeld, undefined, options)).data?.holdsNext ?? false;
}

/** Asks again for the held items of the account. */
export const askHeldAgain = (queryClient: QueryClient, userId: string): Promise<void> =>
  askAgain(queryClient, { queryKey: callKey(userId, listHeld) });

/** Asks again for them, unless there are none: one of them may have been published. */
export function refreshHeld(queryClient: QueryClient, userId: string): void {
  const shown = queryClient.getQueryData<HeldList>(callKey(userId, listHeld));
  if (shown?.data.length !== 0) askHeldAgain(queryClient, userId);
}
