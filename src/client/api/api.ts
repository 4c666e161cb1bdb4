import type { Channel, ChannelPage } from '../../shared/channels.ts';
import type { CommentPage } from '../../shared/comments.ts';
import type { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import { apiRoutes, withQuery } from '../../shared/routes.ts';

/** Why a call failed: what the server said, or null when no answer came that can be read. */
export interface Failure {
  problem: Problem | null;
  /** Whether the server was reached or not, no answer came in time. */
  isLate?: boolean;
}
export type Result<T> = { ok: true; value: T } | ({ ok: false } & Failure);

export interface Call {
  method?: 'GET' | 'POST' | 'PUT';
  body?: unknown;
  /** Value of the Authorization header. */
  authorization?: string;
  idempotencyKey?: string;
  /** Send cookies too, as the specification asks of some calls. */
  withCredentials?: boolean;
  keepalive?: boolean;
  /** A field of every right answer: what lacks it comes from something in between. */
  has?: string;
  signal?: AbortSignal | undefined;
}

/** Then an answer is waited for no longer. */
const longestWaitMs = 20_000;

export const bearer = (token: string) => `Bearer ${token}`;

/** Answers within 20 s, whatever the server does; never throws. */
export async function call<T>(path: string, options: Call = {}): Promise<Result<T>> {
  const { method = 'GET', body, authorization, idempotencyKey, signal } = options;
  const { withCredentials, keepalive = false, has } = options;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), longestWaitMs);
  try {
    const headers = new Headers({ accept: 'application/json' });
    if (authorization) headers.set('authorization', authorization);
    if (idempotencyKey) headers.set('idempotency-key', idempotencyKey);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const response = await fetch(path, {
      method,
      headers,
      keepalive,
      credentials: withCredentials ? 'include' : 'same-origin',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any(signal ? [late.signal, signal] : [late.signal]),
    });
    const answer = response.status === 204 ? undefined : await response.json();
    const isWhole = !has || has in Object(answer);
    if (response.ok && isWhole) return { ok: true, value: answer as T };
    return { ok: false, problem: toProblem(answer) };
  } catch {
    return { ok: false, problem: null, isLate: late.signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}

/** A proxy in between may answer with something else, or with a problem of its own. */
export function toProblem(answer: unknown): Problem | null {
  const { code, detail } = Object(answer);
  return code && typeof detail === 'string' ? (answer as Problem) : null;
}

/** What every visitor needs; the rest is in account-api.ts. */
export const api = {
  /** Channels without their comments; `after` is the `next` of the page before. */
  listChannels: (after: string | null, limit: number, signal?: AbortSignal) =>
    call<ChannelPage>(withQuery(apiRoutes.channels, { limit, comments: 0, after }), {
      has: 'data',
      signal,
    }),

  getChannel: (id: string, comments: number, signal?: AbortSignal) =>
    call<Channel>(withQuery(apiRoutes.channel(id), { comments }), { has: '_id', signal }),

  listComments: (channelId: string, after: string | null, signal?: AbortSignal) =>
    call<CommentPage>(
      withQuery(apiRoutes.channelComments(channelId), { after, limit: limits.commentsPerPage }),
      { has: 'data', signal },
    ),

  /** Nobody waits for it, and it outlives the page. */
  signOut: (token: string) =>
    call(apiRoutes.signOut, { method: 'POST', authorization: bearer(token), keepalive: true }),
};
