import { useQueryClient } from '@tanstack/react-query';
import { failureText, type Result } from '../api/failures.ts';
import { accountKey } from '../api/query-client.ts';
import { useAnchors } from '../components/anchors.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useExclusive } from '../components/use-exclusive.ts';
import { useUser } from '../state/store-provider.tsx';

/**
 * @param headingId id of the heading that gets the focus, since the button that had it is removed
 * @returns a function that removes something of the account by a call, and shows what remains
 */
export function useRemoval(headingId: string) {
  const queryClient = useQueryClient();
  const anchors = useAnchors();
  const { id } = useUser();
  const { run } = useExclusive(
    async (call: () => Promise<Result<undefined>>, said: string, failed: string) => {
      const result = await call();
      // 404: it was removed elsewhere.
      if (!result.ok && result.problem?.status !== 404) {
        return showStatus({ text: `${failed} ${failureText(result)}` });
      }
      // A passkey ends other sessions with it.
      await queryClient.invalidateQueries({ queryKey: accountKey(id) });
      anchors.focus(headingId);
      showStatus({ text: said });
    },
  );
  return run;
}
