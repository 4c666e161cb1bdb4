import { sessionStore } from '../storage/browser-storage.ts';
import { readToken } from '../storage/session.ts';
import { renewSession } from './resume.ts';

type SessionLostHandler = (isBackground: boolean) => void;

let onSessionLost: SessionLostHandler = () => {};

/** Sets what runs when the server rejects this tab's token. */
export function setSessionLostHandler(handler: SessionLostHandler): void {
  onSessionLost = handler;
}

/** The token of this tab's session, or '', which the server rejects, for a guest. */
export const currentToken = () => readToken() ?? '';

/** Id of this tab's user, or '' for a guest. */
export const currentUserId = () => sessionStore.get('id') ?? '';

interface TokenOptions<Answer> {
  /** Whether the server does not know the token. */
  isRejected: (answer: Answer) => boolean;
  /** Whether the page makes the call by itself. */
  isBackground?: boolean;
}

/**
 * Calls `send` with the token of the signed-in user, and once more with a new token when the server rejects
 * it and the browser stays signed in. Otherwise the session is lost, unless this tab has another one by now.
 * @returns the last answer; 'unreachable' when the server did not say whether the browser stays signed in
 */
export async function withToken<Answer>(
  send: (token: string) => Promise<Answer>,
  { isRejected, isBackground = false }: TokenOptions<Answer>,
): Promise<Answer | 'unreachable'> {
  const id = currentUserId();
  let token = currentToken();
  let answer = await send(token);
  if (!isRejected(answer)) return answer;
  const outcome = await renewSession(token, id);
  if (outcome === 'unreachable') return outcome;
  if (outcome === 'renewed') {
    token = currentToken();
    answer = await send(token);
  }
  if (isRejected(answer) && token === currentToken()) onSessionLost(isBackground);
  return answer;
}
