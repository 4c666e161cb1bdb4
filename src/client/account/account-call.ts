import { bearer, type Call, call, type Failure, type Result } from '../api/api.ts';
import { texts } from '../texts.ts';
import { accountTexts } from './account-texts.ts';
import { readToken } from './session.ts';

let onSessionLost = () => {};

/** What to do when the server no longer knows the session that a call was made with. */
export function setSessionLostHandler(handler: () => void): void {
  onSessionLost = handler;
}

/** The token of this tab's session; empty when there is none, which the server refuses. */
export const currentToken = () => readToken() ?? '';

/** A refusal of a token that has been replaced meanwhile says nothing about the new one. */
export function reportSessionLost(token: string): void {
  if (token === currentToken()) onSessionLost();
}

/** A call in the name of the signed-in user. */
export async function callAsUser<T>(path: string, options: Call = {}): Promise<Result<T>> {
  const token = currentToken();
  const result = await call<T>(path, { ...options, authorization: bearer(token) });
  if (!result.ok && result.problem?.status === 401) reportSessionLost(token);
  return result;
}

/** What to tell people about a failure. */
export function failureText({ problem, isLate }: Failure): string {
  return problem?.detail ?? (isLate ? accountTexts.late : texts.offline);
}
