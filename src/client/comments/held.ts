import type { QueryClient } from '@tanstack/react-query';
import type { Held, HeldList } from '../../shared/held.ts';
import { askAgain, callKey } from '../api/user-query.ts';
import { lazyPart } from '../components/lazy-part.tsx';
import { listHeld } from './comment-calls.ts';

export const HeldItems = lazyPart(
  async () => (await import('../channels/held-items.tsx')).HeldItems,
  { isForAccount: true, isQuiet: true },
);

/** Whether what was sent waits for a moderator instead of being published. */
export const isHeld = (sent: object): sent is Held => 'state' in sent;

/**
 * Shows a held item as it is now, or no more, and asks for all of them again, since an answer on its way may not know.
 * @param held undefined for one that is held no more
 */
export function updateHeld(
  queryClient: QueryClient,
  userId: string,
  id: string,
  held?: Held,
): Promise<void> {
  const queryKey = callKey(userId, listHeld);
  queryClient.setQueryData<HeldList>(queryKey, (shown) => {
    const data = [...(shown?.data ?? []).filter((one) => one.id !== id), ...(held ? [held] : [])];
    return shown && { data: data.sort((a, b) => (a.id < b.id ? -1 : 1)) };
  });
  return askAgain(queryClient, { queryKey });
}

/** Asks again for the held items of the account, unless it has none: one of them may have been published. */
export function refreshHeld(queryClient: QueryClient, userId: string): void {
  const queryKey = callKey(userId, listHeld);
  const shown = queryClient.getQueryData<HeldList>(queryKey);
  if (shown?.data.length !== 0) askAgain(queryClient, { queryKey });
}
