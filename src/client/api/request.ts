import { withToken } from '../session/remembered-browser.ts';
import { type Call, send } from './call.ts';
import type { Result } from './failures.ts';

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** Whether the page makes the call by itself: a session that turns out to have ended leaves a guest on it. */
  isBackground?: boolean;
}

type Arguments<Input> = undefined extends Input
  ? [input?: Input, options?: RequestOptions]
  : [input: Input, options?: RequestOptions];

/** Makes a call, in the name of the signed-in user where it needs a session. Never throws. */
export async function request<Input, Output>(
  call: Call<Input, Output>,
  ...[input, { signal, isBackground = false } = {}]: Arguments<Input>
): Promise<Result<Output>> {
  const sendWith = (token?: string) => send(call, input as Input, { signal, token });
  if (!call.needsSession) return sendWith();
  const isRejected = (result: Result<Output>) => !result.ok && result.problem?.status === 401;
  const result = await withToken(sendWith, { isRejected, isBackground });
  return result === 'unreachable' ? { ok: false, problem: null } : result;
}
