import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CommentVersions, Decision, NewDecision } from '../../../shared/moderation.ts';
import { defineUserCall } from '../../api/call.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { decidedTexts } from './log-texts.ts';

export const listVersions = defineUserCall<{ channelId: string; number: number }, CommentVersions>(
  'GET',
  ({ channelId, number }) => apiRoutes.versions(channelId, number),
);

export const decide = defineUserCall<NewDecision, Decision>('POST', apiRoutes.decisions);

/** A decision, by its id. */
export const getDecision = defineUserCall<string, Decision>('GET', apiRoutes.decision);

/** The answer is a decision of its own, which undoes the other. */
export const undoDecision = defineUserCall<
  { id: string; reason: string; appeal?: string | undefined },
  Decision
>('POST', ({ id }) => apiRoutes.undoDecision(id), {
  body: ({ reason, appeal }) => ({ reason, appeal }),
});

/** The decision that was made, or the one that was made before, which a refusal has. */
export const decisionOf = (answer: Decision | Failure): Decision | undefined =>
  answer instanceof Failure ? answer.problem?.decision : answer;

/** Why a moderator's call failed. To others, their routes are not there. */
export const staffFailureText = ({ code, text }: Failure): string =>
  code === 'not_found' ? 'Ya no formas parte del equipo de moderación.' : text;

/**
 * Undoes a decision right after it was made, as a slip, and says so; or says why it could not be, with a button to try
 * again.
 */
export async function undoSlip(id: string, onUndone: () => void): Promise<void> {
  const send = () => orFailure(request(undoDecision, { id, reason: 'Fue un error.' }));
  let answer = await send();
  // The answer may be lost. A decision that is undone already comes with the refusal.
  if (answer instanceof Failure && !answer.problem) answer = await send();
  if (!(answer instanceof Failure) || decisionOf(answer)?.undoneAt) {
    showStatus({ text: decidedTexts.undo });
    return onUndone();
  }
  const text = `No se pudo deshacer. ${staffFailureText(answer)}`;
  showStatus({ text, action: { label: 'Deshacer', run: () => undoSlip(id, onUndone) } });
}
