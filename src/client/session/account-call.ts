import { accountTexts } from '../account-texts.ts';
import { bearer, type Call, call, type Failure, type Result } from '../api/api.ts';
import { sessionStore } from '../storage/browser-storage.ts';
import { readToken } from '../storage/session.ts';
import { renewSession } from './resume.ts';

let onSessionLost = () => {};

/** Sets what runs when the server rejects this tab's token. */
export function setSessionLostHandler(handler: () => void): void {
  onSessionLost = handler;
}

/** The token of this tab's session, or '', which the server rejects, for a guest. */
export const currentToken = () => readToken() ?? '';

/** Id of this tab's user, or '' for a guest. */
export const currentUserId = () => sessionStore.get('id') ?? '';

/** Reports that the server rejected `token`. Ignored when this tab has another token by now. */
export function reportSessionLost(token: string): void {
  if (token === currentToken()) onSessionLost();
}

/**
 * What to do after the server rejected `token`, which belonged to the user `id`: repeat the request with
 * the tab's new token (`renewed`), or give up. A lost session is reported.
 */
export async function recoverSession(token: string, id: string) {
  const outcome = await renewSession(token, id);
  if (outcome === 'lost') reportSessionLost(token);
  return outcome;
}

/**
 * `call` with the token of the signed-in user. On status 401 it is repeated once with a new token if
 * the browser stays signed in; otherwise the session is reported as lost.
 */
export async function callAsUser<T>(path: string, options: Call = {}): Promise<Result<T>> {
  const send = (token: string) =>
    call<T>(path, { ...options, headers: { ...options.headers, ...bearer(token) } });
  const [token, id] = [currentToken(), currentUserId()];
  const result = await send(token);
  if (!isRejected(result)) return result;
  const outcome = await recoverSession(token, id);
  if (outcome === 'lost') return result;
  if (outcome === 'unreachable') return { ok: false, problem: null };
  const newToken = currentToken();
  const repeated = await send(newToken);
  if (isRejected(repeated)) reportSessionLost(newToken);
  return repeated;
}

/** Whether the server does not know the token. */
export const isRejected = (result: Result<unknown>) => !result.ok && result.problem?.status === 401;

/** The message to show for a failure. */
export function failureText({ problem, isLate, isServerError }: Failure): string {
  if (problem) return problem.detail;
  if (isLate) return accountTexts.late;
  return isServerError ? accountTexts.serverError : accountTexts.offline;
}
