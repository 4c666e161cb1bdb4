import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orFailure } from '../../api/failures.ts';
import { newsKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { refetchNow } from '../../api/user-query.ts';
import { useUser } from '../../state/store-provider.tsx';
import { sendSeen } from './news-calls.ts';

/** Marks notifications as seen, undefined for none, and counts the new ones again. */
export function useSeen(seen: { id: number } | { decisionId: string } | undefined): void {
  const { id: accountId } = useUser();
  const queryClient = useQueryClient();
  const id = seen && 'id' in seen ? seen.id : 0;
  const decisionId = seen && 'decisionId' in seen ? seen.decisionId : undefined;
  useEffect(() => {
    if (id === 0 && decisionId === undefined) return;
    const body = { id, ...(decisionId && { decisionId }) };
    // A pending response may be older than the position just sent.
    const countAgain = () => refetchNow(queryClient, { queryKey: newsKey(accountId) });
    void orFailure(request(sendSeen, body, { isBackground: true }).then(countAgain));
  }, [id, decisionId, accountId, queryClient]);
}
