import { currentToken } from '../storage/session.ts';
import { type Call, send } from './call.ts';
import { Failure, orFailure } from './failures.ts';

interface RequestOptions {
  signal?: AbortSignal | undefined;
  /**
   * Whether the page makes the call without a user action: if the session has ended, the user stays on the page as a
   * guest.
   */
  isBackground?: boolean;
}

/** The parameters of a call: its input, optional where it may be undefined, and options. */
export type Arguments<Input, Options = RequestOptions> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];

/**
 * Makes a call, on behalf of the signed-in user where it needs a session.
 * @throws `Failure`
 */
export async function request<Input, Output>(
  call: Call<Input, Output>,
  ...[input, { signal, isBackground = false } = {}]: Arguments<Input>
): Promise<Output> {
  const sendWith = (token?: string) => send(call, input as Input, { signal, token });
  if (!call.needsSession) return call.method === 'GET' ? requestPublic(sendWith) : sendWith();
  const answer = await withToken((token) => orFailure(sendWith(token)), {
    isRejected: (one) => one instanceof Failure && one.status === 401,
    isBackground,
  });
  if (answer === 'unreachable') throw new Failure(null);
  if (answer instanceof Failure) throw answer;
  return answer;
}

const refusalHandler = Promise.withResolvers<() => void>();

/** Sets the handler that runs when the reader may not read the community, or no longer. */
export const setRefusalHandler = refusalHandler.resolve;

/**
 * Sends a call that a guest may make. In a community of members, the server refuses it where the browser's reading
 * cookie has ended: then it is sent with the user's token, which brings a new cookie.
 */
async function requestPublic<Output>(
  sendWith: (token?: string) => Promise<Output>,
): Promise<Output> {
  const isRefused = (one: unknown) => one instanceof Failure && one.code === 'not_signed_in';
  const hasToken = currentToken() !== '';
  let answer = await orFailure(sendWith());
  if (isRefused(answer) && hasToken) {
    const again = await withToken((token) => orFailure(sendWith(token)), {
      isRejected: isRefused,
      isBackground: true,
    });
    if (again !== 'unreachable') answer = again;
  }
  if (!(answer instanceof Failure)) return answer;
  // A token that is refused is a lost session, which `withToken` has reported.
  const isGuest = isRefused(answer) && !hasToken;
  if (isGuest || answer.code === 'suspended' || answer.code === 'silenced')
    void refusalHandler.promise.then((handle) => handle());
  throw answer;
}

type SessionLostHandler = (isBackground: boolean) => void;

/** A call may find that the session is lost before the script that handles it has loaded. */
const lostHandler = Promise.withResolvers<SessionLostHandler>();

/** Sets the handler that runs when the server rejects this tab's token. Only the first handler is used. */
export const setSessionLostHandler = lostHandler.resolve;

interface TokenOptions<Answer> {
  /** Whether the server rejected the token. */
  isRejected: (answer: Answer) => boolean;
  /** Whether the page makes the call without a user action. */
  isBackground?: boolean;
}

/**
 * Calls `send` with the token of the signed-in user, and once more with a new token when the server rejects it and
 * the browser is still signed in. Otherwise the session is lost, unless this tab has another one by now.
 * @returns the last answer; 'unreachable' when the server did not say whether the browser is still signed in
 */
export async function withToken<Answer>(
  send: (token: string) => Promise<Answer>,
  { isRejected, isBackground = false }: TokenOptions<Answer>,
): Promise<Answer | 'unreachable'> {
  let token = currentToken();
  let answer = await send(token);
  if (!isRejected(answer)) return answer;
  // This script is preloaded for people with an account.
  const outcome = await import('../session/remembered-browser.ts').then(
    ({ renewSession }) => renewSession(token),
    () => 'unreachable' as const,
  );
  if (outcome === 'unreachable') return outcome;
  if (outcome === 'renewed') {
    token = currentToken();
    answer = await send(token);
  }
  if (isRejected(answer)) {
    void lostHandler.promise.then((handle) => {
      if (token === currentToken()) handle(isBackground);
    });
  }
  return answer;
}
