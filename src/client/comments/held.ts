import type { QueryClient } from '@tanstack/react-query';
import type { Held, HeldList } from '../../shared/held.ts';
import { askAgain, callKey } from '../api/user-query.ts';
import { listHeld } from './comment-calls.ts';

/** Whether what was sent waits for a moderator instead of being published. */
export const isHeld = (sent: object): sent is Held => 'state' in sent;

/** Asks again for the held items of the account. */
export const askHeldAgain = (queryClient: QueryClient, userId: string): Promise<void> =>
  askAgain(queryClient, { queryKey: callKey(userId, listHeld) });

/** Asks again for them, unless there are none: one of them may have been published. */
export function refreshHeld(queryClient: QueryClient, userId: string): void {
  const shown = queryClient.getQueryData<HeldList>(callKey(userId, listHeld));
  if (shown?.data.length !== 0) askHeldAgain(queryClient, userId);
}
