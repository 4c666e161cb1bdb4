import { useQueryClient } from '@tanstack/react-query';
import { Failure } from '../api/failures.ts';
import { accountKey } from '../api/query-client.ts';
import { focusElement } from '../dom/focus-element.ts';
import { useUser } from '../state/store-provider.tsx';
import { withStatus } from '../ui/status/with-status.ts';

/**
 * @param headingId id of the heading that gets the focus, since the button that had it is removed
 * @returns a function that makes a call to remove something from the account, then refetches its data
 */
export function useRemoval(headingId: string) {
  const queryClient = useQueryClient();
  const { id } = useUser();
  return (call: () => Promise<unknown>, said: string, failed: string) =>
    withStatus(failed, async () => {
      try {
        await call();
      } catch (error) {
        // 404: it was removed elsewhere.
        if (!(error instanceof Failure && error.status === 404)) throw error;
      }
      // At once: later, the user may be somewhere else.
      focusElement(headingId);
      // Removing a passkey also ends other sessions.
      await queryClient.invalidateQueries({ queryKey: accountKey(id) });
      return { text: said };
    });
}
