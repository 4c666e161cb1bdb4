import { loadReducer } from '../state/store.ts';
import { type Result, toProblem } from './failures.ts';

/** A call of the API: its request as functions of the input, and what its response has. */
export interface Call<Input, Output> {
  /** GET unless it is given. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  path: (input: Input) => string;
  /** Sent as JSON, unless it is undefined. */
  body?: (input: Input) => unknown;
  headers?: (input: Input) => Record<string, string>;
  /** A field of every valid response body. A body without it, as from a proxy, is a failure. */
  has?: keyof Output & string;
  needsSession?: boolean;
  /** The request completes even if the page is closed meanwhile. */
  keepalive?: boolean;
  /** As specified: the request includes credentials for other origins too. */
  credentials?: 'include';
}

/** Names the types of a call's input and output; the others follow from them. */
export const defineCall = <Input, Output>(call: Call<Input, Output>) => call;

export interface SendOptions {
  signal?: AbortSignal | undefined;
  /** Of the session that the request belongs to. */
  token?: string | undefined;
}

const timeoutMs = 20_000;

/** The header that authorizes a request with a session's token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Sends a request and parses its JSON response. Gives up after 20 s; never throws. */
export async function send<Input, Output>(
  { method = 'GET', path, body, headers, has, keepalive, credentials }: Call<Input, Output>,
  input: Input,
  { signal, token }: SendOptions = {},
): Promise<Result<Output>> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const content = body?.(input);
  let json: unknown;
  let isServerError = false;
  try {
    const [response] = await Promise.all([
      fetch(path(input), {
        method,
        headers: {
          accept: 'application/json',
          ...(content !== undefined && { 'content-type': 'application/json' }),
          ...headers?.(input),
          ...(token !== undefined && bearer(token)),
        },
        ...(content !== undefined && { body: JSON.stringify(content) }),
        ...(keepalive && { keepalive }),
        ...(credentials && { credentials }),
        signal: AbortSignal.any(signal ? [late.signal, signal] : [late.signal]),
      }),
      loadReducer(),
    ]);
    isServerError = response.status > 499;
    if (response.status !== 204) json = await response.json();
    const isValid = !has || has in Object(json);
    if (response.ok && isValid) return { ok: true, value: json as Output };
  } catch {
    // The connection was lost, or the body is not JSON.
  } finally {
    clearTimeout(timer);
  }
  return { ok: false, problem: toProblem(json), isLate: late.signal.aborted, isServerError };
}
