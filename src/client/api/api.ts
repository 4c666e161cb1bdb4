import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel, ChannelOrder, ChannelPage } from '../../shared/channels.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { CommentPage } from '../../shared/comments.ts';
import type { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import { withQuery } from '../../shared/routes.ts';
import { loadReducer } from '../state/store.ts';

/** Why a call failed: the server's problem, or null when no readable response came. */
export interface Failure {
  problem: Problem | null;
  /** Whether the call timed out. */
  isLate?: boolean;
  /** Whether the response had a status of 500 or more, the server's or a proxy's. */
  isServerError?: boolean;
}
export type Result<T> = { ok: true; value: T } | ({ ok: false } & Failure);

export interface Call extends Omit<RequestInit, 'headers' | 'signal'> {
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** A field of every valid response body. A body without it, as from a proxy, is a failure. */
  has?: string;
}

const timeoutMs = 20_000;

/** The header that authorizes a request with a session's token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Sends a request and parses its JSON response. Gives up after 20 s; never throws. */
export async function call<T>(
  path: string,
  { has, headers, signal, ...init }: Call = {},
): Promise<Result<T>> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  let json: unknown;
  let isServerError = false;
  try {
    const [response] = await Promise.all([
      fetch(path, {
        ...init,
        headers: { accept: 'application/json', ...headers },
        signal: AbortSignal.any(signal ? [late.signal, signal] : [late.signal]),
      }),
      loadReducer(),
    ]);
    isServerError = response.status > 499;
    if (response.status !== 204) json = await response.json();
    const isValid = !has || has in Object(json);
    if (response.ok && isValid) return { ok: true, value: json as T };
  } catch {
    // The connection was lost, or the body is not JSON.
  } finally {
    clearTimeout(timer);
  }
  return { ok: false, problem: toProblem(json), isLate: late.signal.aborted, isServerError };
}

/** The problem in a response body, or null for other bodies, such as a proxy's error page. */
export function toProblem(body: unknown): Problem | null {
  const { code, detail } = Object(body);
  return code && typeof detail === 'string' ? (body as Problem) : null;
}

/** Calls that every visitor needs; those of the account bundle are in account-api.ts. */
export const api = {
  /** Channels without their comments; `after` is the `next` of the previous page in this order. */
  listChannels: (order: ChannelOrder, after: string | null, limit: number, signal?: AbortSignal) =>
    call<ChannelPage>(
      withQuery(apiRoutes.channels, {
        limit,
        comments: 0,
        after,
        sort: order === 'comments' ? null : order,
      }),
      { has: 'data', signal },
    ),

  getChannel: (id: string, comments: number, signal?: AbortSignal) =>
    call<Channel>(withQuery(apiRoutes.channel(id), { comments }), { has: '_id', signal }),

  listComments: (
    channelId: string,
    place: CommentRange,
    signal?: AbortSignal,
    limit: number = limits.commentsPerPage,
  ) =>
    call<CommentPage>(withQuery(apiRoutes.channelComments(channelId), { ...place, limit }), {
      has: 'data',
      signal,
    }),

  /** Completes even if the page is closed meanwhile. */
  signOut: (token: string) =>
    call(apiRoutes.signOut, { method: 'POST', headers: bearer(token), keepalive: true }),
};
