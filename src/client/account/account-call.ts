import { bearer, type Call, call, type Failure, type Result } from '../api/api.ts';
import { accountTexts } from './account-texts.ts';
import { readToken } from './session.ts';

let onSessionLost = () => {};

/** Sets what runs when the server rejects this tab's token. */
export function setSessionLostHandler(handler: () => void): void {
  onSessionLost = handler;
}

/** The token of this tab's session, or '', which the server rejects, for a guest. */
export const currentToken = () => readToken() ?? '';

/** Reports that the server rejected `token`. Ignored when this tab has another token by now. */
export function reportSessionLost(token: string): void {
  if (token === currentToken()) onSessionLost();
}

/** `call` with the token of the signed-in user. Reports a lost session on status 401. */
export async function callAsUser<T>(path: string, options: Call = {}): Promise<Result<T>> {
  const token = currentToken();
  const result = await call<T>(path, {
    ...options,
    headers: { ...options.headers, ...bearer(token) },
  });
  if (!result.ok && result.problem?.status === 401) reportSessionLost(token);
  return result;
}

/** The message to show for a failure. */
export function failureText({ problem, isLate }: Failure): string {
  return problem?.detail ?? (isLate ? accountTexts.late : accountTexts.offline);
}
