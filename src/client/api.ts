import type { Channel, ChannelPage } from '../shared/channels.ts';
import type { CommentPage } from '../shared/comments.ts';
import type { Problem } from '../shared/errors.ts';
import { limits } from '../shared/limits.ts';
import { apiRoutes, withQuery } from '../shared/routes.ts';
import { readToken } from './state/session.ts';
import { texts } from './texts.ts';

/** Why a call failed: what the server said, or null when no answer came that can be read. */
export interface Failure {
  problem: Problem | null;
}
export type Result<T> = { ok: true; value: T } | ({ ok: false } & Failure);

interface Call {
  method?: 'GET' | 'POST' | 'PUT';
  body?: unknown;
  /** Value of the Authorization header. */
  authorization?: string;
  idempotencyKey?: string;
  /** Send cookies too, as the specification asks of some calls. */
  withCredentials?: boolean;
  keepalive?: boolean;
  signal?: AbortSignal | undefined;
}

let onSessionLost = () => {};

/** What to do when the server no longer knows the session that a call was made with. */
export function setSessionLostHandler(handler: () => void): void {
  onSessionLost = handler;
}

/** A refusal of a token that has been replaced meanwhile says nothing about the new one. */
export function reportSessionLost(token: string): void {
  if (token === readToken()) onSessionLost();
}

/** What to tell people about a failure. */
export function failureText({ problem }: Failure): string {
  return problem?.detail ?? texts.offline;
}

export const bearer = (token: string) => `Bearer ${token}`;

export async function call<T>(path: string, options: Call = {}): Promise<Result<T>> {
  const { method = 'GET', body, authorization, idempotencyKey } = options;
  const { withCredentials, keepalive = false } = options;
  const headers = new Headers({ accept: 'application/json' });
  if (authorization) headers.set('authorization', authorization);
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey);
  if (body !== undefined) headers.set('content-type', 'application/json');
  try {
    const response = await fetch(path, {
      method,
      headers,
      keepalive,
      credentials: withCredentials ? 'include' : 'same-origin',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(options.signal && { signal: options.signal }),
    });
    const answer = response.status === 204 ? undefined : await response.json();
    if (response.ok) return { ok: true, value: answer as T };
    return { ok: false, problem: toProblem(answer) };
  } catch {
    return { ok: false, problem: null };
  }
}

/** A call in the name of the signed-in user. */
export async function callAsUser<T>(path: string, options: Call = {}): Promise<Result<T>> {
  const token = readToken() ?? '';
  const result = await call<T>(path, { ...options, authorization: bearer(token) });
  if (!result.ok && result.problem?.status === 401) reportSessionLost(token);
  return result;
}

/** A proxy in between may answer with something else. */
export function toProblem(answer: unknown): Problem | null {
  const isProblem =
    typeof answer === 'object' && answer !== null && 'detail' in answer && 'status' in answer;
  return isProblem ? (answer as Problem) : null;
}

/** What every visitor needs; the rest is in account-api.ts. */
export const api = {
  /** Channels without their comments; `after` is the `next` of the page before. */
  listChannels: (after: string | null, limit: number, signal?: AbortSignal) =>
    call<ChannelPage>(withQuery(apiRoutes.channels, { limit, comments: 0, after }), { signal }),

  getChannel: (id: string, comments: number, signal?: AbortSignal) =>
    call<Channel>(withQuery(apiRoutes.channel(id), { comments }), { signal }),

  listComments: (channelId: string, after: string | null, signal?: AbortSignal) =>
    call<CommentPage>(
      withQuery(apiRoutes.channelComments(channelId), { after, limit: limits.commentsPerPage }),
      { signal },
    ),

  /** Nobody waits for it, and it outlives the page. */
  signOut: (token: string) =>
    call(apiRoutes.signOut, { method: 'POST', authorization: bearer(token), keepalive: true }),
};
