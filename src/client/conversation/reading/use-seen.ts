import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orFailure } from '../../api/failures.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { askAgain } from '../../api/user-query.ts';
import { useUser } from '../../state/store-provider.tsx';
import { sendSeen } from './news-calls.ts';

/** Marks notifications and decisions as seen up to these ids, undefined for none, and counts the new ones again. */
export function useSeen(notification: number | undefined, decision: string | undefined): void {
  const { id } = useUser();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (notification === undefined && decision === undefined) return;
    const seen = { id: notification ?? 0, ...(decision && { decisionId: decision }) };
    // A pending response may be older than the position just sent.
    const countAgain = () => askAgain(queryClient, { queryKey: [...accountKey(id), 'news'] });
    void orFailure(request(sendSeen, seen, { isBackground: true }).then(countAgain));
  }, [notification, decision, id, queryClient]);
}
