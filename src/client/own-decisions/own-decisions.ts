import { useMemo } from 'react';
import { parseCommentId } from '../../shared/comment-id.ts';
import type { OwnDecision as Decision } from '../../shared/moderation.ts';
import { useClientQuery, userQuery } from '../api/user-query.ts';
import { useAppState, useUser } from '../state/store-provider.tsx';
import { listOwnDecisions } from './own-decision-calls.ts';

/** The decisions in force about the signed-in account. @param isAsked whether there may be any */
export function useDecisions(isAsked: boolean): Decision[] {
  const { id } = useUser();
  const options = { enabled: isAsked, isBackground: true };
  const query = userQuery(id, listOwnDecisions, undefined, options);
  const { data } = useClientQuery(query);
  return useMemo(() => data?.data.filter(({ isInForce }) => isInForce) ?? [], [data]);
}

/** Decisions in force that hide comments of the signed-in account in a channel, by comment number. */
export function useHiddenComments(channelId: string): ReadonlyMap<number, Decision> {
  const decisions = useDecisions(useAppState((state) => state.hasHidden));
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
