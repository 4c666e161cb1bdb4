import { useMemo } from 'react';
import { commentNumber } from '../../shared/comment-id.ts';
import type { OwnDecision } from '../../shared/moderation.ts';
import { useUserQuery } from '../api/user-query.ts';
import { listOwnDecisions } from './comment-calls.ts';

/**
 * The decisions in force that hide comments of the signed-in account in a channel, by the comments' numbers.
 * @param userId null for guests
 */
export function useHiddenComments(
  userId: string | null,
  channelId: string,
): ReadonlyMap<number, OwnDecision> {
  const options = { enabled: userId !== null, isBackground: true };
  const { data } = useUserQuery(listOwnDecisions, options);
  return useMemo(() => {
    const hidden = data?.data.filter(({ action, isInForce }) => action === 'hide' && isInForce);
    return new Map(
      hidden?.flatMap((decision) => {
        const number = commentNumber(channelId, decision.subject.id);
        return number === undefined ? [] : [[number, decision]];
      }),
    );
  }, [data, channelId]);
}

/** The decisions in force that keep the signed-in account from writing. */
export function useRestrictions(): OwnDecision[] {
  const { data } = useUserQuery(listOwnDecisions, { isBackground: true });
  return (
    data?.data.filter(
      ({ action, isInForce }) => isInForce && ['silence', 'suspend', 'hideAll'].includes(action),
    ) ?? []
  );
}

/** The decisions in force that hide a channel of the signed-in account, or all that it wrote. */
export function useHiding(channelId: string): OwnDecision[] {
  const { data } = useUserQuery(listOwnDecisions, { isBackground: true });
  return (
    data?.data.filter(
      ({ action, isInForce, subject }) =>
        isInForce && (action === 'hideAll' || (action === 'hide' && subject.id === channelId)),
    ) ?? []
  );
}
