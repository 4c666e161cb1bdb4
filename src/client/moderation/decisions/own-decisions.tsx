import { parseCommentId } from '../../../shared/comment-id.ts';
import type { OwnDecision as Decision } from '../../../shared/moderation.ts';
import { useAccountAnswer, userQuery } from '../../api/user-query.ts';
import { useUser } from '../../state/store-provider.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { listOwnDecisions } from '../reports/report-calls.ts';

export const OwnDecision = lazyPart(async () => (await import('./own-decision.tsx')).OwnDecision, {
  isQuiet: true,
});

/** The decisions in force about the signed-in account. */
export function useDecisions(): Decision[] {
  const { id } = useUser();
  const query = userQuery(id, listOwnDecisions, undefined, { isBackground: true });
  const { data } = useAccountAnswer(query);
  return data?.data.filter(({ isInForce }) => isInForce) ?? [];
}

/** Decisions in force that hide comments of the signed-in account in a channel, by comment number. */
export function useHiddenComments(channelId: string): ReadonlyMap<number, Decision> {
  const hidden = useDecisions().filter(({ action }) => action === 'hide');
  return new Map(
    hidden.flatMap((decision) => {
      const key = parseCommentId(decision.subject.id);
      return key?.channelId === channelId ? [[key.number, decision]] : [];
    }),
  );
}
