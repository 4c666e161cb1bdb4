import { useMemo } from 'react';
import { parseCommentId } from '../../../shared/comment-id.ts';
import type { OwnDecision as Decision } from '../../../shared/moderation.ts';
import { useAccountAnswer, userQuery } from '../../api/user-query.ts';
import { useUser } from '../../state/store-provider.tsx';
import { listOwnDecisions } from '../reports/report-calls.ts';

/** The decisions in force about the signed-in account. */
export function useDecisions(): Decision[] {
  const { id } = useUser();
  const query = userQuery(id, listOwnDecisions, undefined, { isBackground: true });
  const { data } = useAccountAnswer(query);
  return useMemo(() => data?.data.filter(({ isInForce }) => isInForce) ?? [], [data]);
}

/** Decisions in force that hide comments of the signed-in account in a channel, by comment number. */
export function useHiddenComments(channelId: string): ReadonlyMap<number, Decision> {
  const decisions = useDecisions();
  return useMemo(() => {
    const hidden = decisions.filter(({ action }) => action === 'hide');
    return new Map(
      hidden.flatMap((decision) => {
        const key = parseCommentId(decision.subject.id);
        return key?.channelId === channelId ? [[key.number, decision]] : [];
      }),
    );
  }, [decisions, channelId]);
}
