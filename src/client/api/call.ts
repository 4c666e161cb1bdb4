import { Failure, toProblem } from './failures.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The path with its query. When it is a string, the input is sent as the body. */
type Path<Input> = string | ((input: Input) => string);

interface CallDetails<Input> {
  /** Sent as JSON unless undefined. */
  body?: (input: Input) => unknown;
  headers?: (input: Input) => Record<string, string>;
  /** Lets the request complete even if the page is closed. */
  keepalive?: boolean;
  /** Sends credentials to other origins as well, as specified. */
  credentials?: 'include';
}

/** An API call whose response is an `Output`. */
export interface Call<Input, Output> extends CallDetails<Input> {
  method: Method;
  path: Path<Input>;
  needsSession: boolean;
  /** Never set: only its type is read. */
  output?: Output;
}

/** A call that a guest can make. */
export function defineCall<Input, Output>(
  method: Method,
  path: Path<Input>,
  details: CallDetails<Input> = {},
): Call<Input, Output> {
  return { method, path, needsSession: false, ...details };
}

/** A call on behalf of the signed-in user. */
export function defineUserCall<Input, Output>(
  method: Method,
  path: Path<Input>,
  details: CallDetails<Input> = {},
): Call<Input, Output> {
  return { method, path, needsSession: true, ...details };
}

export interface SendOptions {
  signal?: AbortSignal | undefined;
  /** The session's token; without it, the request is made as a guest. */
  token?: string | undefined;
}

const timeoutMs = 20_000;

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The server time last received, with the readings of the browser's two clocks at that moment. */
let last: { serverMs: number; runningMs: number; setMs: number } | undefined;

const known = Promise.withResolvers<void>();
export const serverTimeKnown = known.promise;

/**
 * The server's time in milliseconds since the epoch. Null while it is unknown: before the first response, and when
 * the browser's two clocks disagree about the time elapsed since. `Date.now()` may be wrong by months and be
 * corrected at any moment; `performance.now()` may stop while the device sleeps.
 */
export function serverNow(): number | null {
  if (!last) return null;
  const sinceMs = performance.now() - last.runningMs;
  const isSure = Math.abs(Date.now() - last.setMs - sinceMs) < 60_000;
  return isSure ? last.serverMs + sinceMs : null;
}

/** A request without side effects: every response carries the server's time. */
const askTime = defineCall('GET', '/healthz');

/** The server's time, requested if it is unknown; null while the server cannot be reached. */
export async function fetchServerTime(): Promise<number | null> {
  if (serverNow() === null) await send(askTime, undefined).catch(() => {});
  return serverNow();
}

/** Records the server time of a response. Ignores NaN, the result of a missing or malformed header. */
export function noteServerTime(serverMs: number): void {
  if (!Number.isFinite(serverMs)) return;
  last = { serverMs, runningMs: performance.now(), setMs: Date.now() };
  known.resolve();
}

/**
 * Sends a request and parses its JSON response. Times out after 20 s.
 * @throws `Failure` without a response, or when the response is an error, not JSON or empty
 */
export async function send<Input, Output>(
  { method, path, body, headers, keepalive, credentials }: Call<Input, Output>,
  input: Input,
  { signal, token }: SendOptions = {},
): Promise<Output> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const [url, whole] = typeof path === 'string' ? [path, input] : [path(input), undefined];
  const content = body ? body(input) : whole;
  let json: unknown;
  let status = 0;
  try {
    const response = await fetch(url, {
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
    });
    // Cached responses count as well, since the server has revalidated them.
    noteServerTime(Date.parse(response.headers.get('date') ?? ''));
    status = response.status;
    if (response.status !== 204) json = await response.json();
    // An empty JSON body comes from a proxy, except in responses that may lack content: 202 and 204.
    const isEmpty = ![202, 204].includes(response.status) && Object.keys(json ?? {}).length === 0;
    if (response.ok && !isEmpty) return json as Output;
  } catch {
    // The connection was lost, or the body is not JSON.
  } finally {
    clearTimeout(timer);
  }
  const problem = toProblem(json);
  throw new Failure(problem, { isLate: late.signal.aborted, answered: status });
}
