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

export const getDecision = defineUserCall<string, Decision>('GET', apiRoutes.decision);

/** Returns a new decision, which undoes the given one. */
export const undoDecision = defineUserCall<
  { id: string; reason: string; appeal?: string | undefined },
  Decision
>('POST', ({ id }) => apiRoutes.undoDecision(id), {
  body: ({ reason, appeal }) => ({ reason, appeal }),
});

/** The decision just made, or the earlier decision that a refusal contains. */
export const decisionOf = (answer: Decision | Failure): Decision | undefined =>
  answer instanceof Failure ? answer.problem?.decision : answer;

export const notStaffText = 'Ya no formas parte del equipo de moderación.';

/** Why a moderator's call failed. The server answers 404 once the user is no longer a moderator. */
export const staffFailureText = ({ code, text }: Failure): string =>
  code === 'not_found' ? notStaffText : text;

/** Undoes a decision that was just made by mistake, and shows the result; after a failure with a retry button. */
export async function undoSlip(id: string, onUndone: () => void): Promise<void> {
  const send = () => orFailure(request(undoDecision, { id, reason: 'Fue un error.' }));
  let answer = await send();
  // Retried once, since the response may be lost. If the decision is already undone, the refusal contains it.
  if (answer instanceof Failure && !answer.problem) answer = await send();
  if (!(answer instanceof Failure) || decisionOf(answer)?.undoneAt) {
    showStatus({ text: decidedTexts.undo });
    return onUndone();
  }
  const text = `No se pudo deshacer. ${staffFailureText(answer)}`;
  showStatus({ text, action: { label: 'Deshacer', run: () => undoSlip(id, onUndone) } });
}
