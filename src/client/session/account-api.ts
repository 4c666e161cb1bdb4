import type {
  Profile,
  SetPassword,
  SignedIn,
  SignUp,
  UpdateImage,
  User,
} from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel, ChannelEdit, NewChannel } from '../../shared/channels.ts';
import type { Comment, CommentEdit, NewComment } from '../../shared/comments.ts';
import type { StoredFile } from '../../shared/images.ts';
import type { MentionCandidate } from '../../shared/people.ts';
import { withQuery } from '../../shared/routes.ts';
import { call, type Failure } from '../api/api.ts';
import type { IdempotentRequest } from '../api/idempotent-request.ts';
import { callAsUser } from './account-call.ts';

/** The message for one field of a form, if the server has one. */
export function fieldError(failure: Failure | null, field: string): string | undefined {
  return failure?.problem?.errors?.find((error) => error.field === field)?.message;
}

/** The value of a Basic `Authorization` header, with the credentials in UTF-8. */
function basic(email: string, password: string): string {
  const bytes = new TextEncoder().encode(`${email}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** What sends a body as JSON. */
export function json(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  body: unknown,
  headers: Record<string, string> = {},
) {
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

const idempotent = <Body>(method: 'POST' | 'PUT', { key, body }: IdempotentRequest<Body>) =>
  json(method, body, { 'idempotency-key': key });

type CommentKey = Pick<Comment, 'channelId' | 'number'>;

/**
 * Calls that only the account bundle makes: signing in, and everything that needs a session. Some
 * include credentials for other origins too, as specified.
 */
export const accountApi = {
  signIn: (email: string, password: string, remember: boolean) => {
    const headers = { authorization: basic(email, password) };
    return call<SignedIn>(apiRoutes.signIn, {
      ...(remember ? json('POST', { remember }, headers) : { method: 'POST', headers }),
      has: 'token',
    });
  },

  signUp: (body: SignUp) => call<User>(apiRoutes.signUp, { ...json('POST', body), has: 'id' }),

  setPassword: (body: SetPassword) => call<undefined>(apiRoutes.setPassword, json('POST', body)),

  getProfile: (signal?: AbortSignal) =>
    callAsUser<Profile>(apiRoutes.me, { has: 'channelCount', signal }),

  updateImage: (body: UpdateImage) =>
    callAsUser<User>(apiRoutes.updateImage, {
      ...json('PUT', body),
      credentials: 'include',
      has: 'id',
    }),

  createChannel: (request: IdempotentRequest<NewChannel>) =>
    callAsUser<Channel>(apiRoutes.channels, {
      ...idempotent('POST', request),
      credentials: 'include',
      has: '_id',
    }),

  sendComment: (request: IdempotentRequest<NewComment>) =>
    callAsUser<Comment>(apiRoutes.comment, {
      ...idempotent('PUT', request),
      credentials: 'include',
      has: 'id',
    }),

  editComment: ({ channelId, number }: CommentKey, revision: number, body: CommentEdit) =>
    callAsUser<Comment>(apiRoutes.channelComment(channelId, number), {
      ...json('PATCH', body, { 'if-match': `"${revision}"` }),
      has: 'id',
    }),

  deleteComment: ({ channelId, number }: CommentKey) =>
    callAsUser<undefined>(apiRoutes.channelComment(channelId, number), { method: 'DELETE' }),

  restoreComment: ({ channelId, number }: CommentKey) =>
    callAsUser<Comment>(apiRoutes.restoreComment(channelId, number), {
      method: 'POST',
      has: 'id',
    }),

  giveThanks: ({ channelId, number }: CommentKey, isGiven: boolean) =>
    callAsUser<{ count: number; mine: boolean }>(apiRoutes.thanks(channelId, number), {
      method: isGiven ? 'PUT' : 'DELETE',
      has: 'count',
    }),

  /** Only the parts that change. */
  editChannel: (id: string, revision: number, body: ChannelEdit) =>
    callAsUser<Channel>(apiRoutes.channel(id), {
      ...json('PATCH', body, { 'if-match': `"${revision}"` }),
      has: '_id',
    }),

  deleteChannel: (id: string) => callAsUser<undefined>(apiRoutes.channel(id), { method: 'DELETE' }),

  restoreChannel: (id: string) =>
    callAsUser<Channel>(apiRoutes.restoreChannel(id), { method: 'POST', has: '_id' }),

  setClosed: (id: string, isClosed: boolean) =>
    callAsUser<Channel>(isClosed ? apiRoutes.closeChannel(id) : apiRoutes.reopenChannel(id), {
      method: 'POST',
      has: '_id',
    }),

  /** The numbers of comments in a range that the account gave thanks for. */
  listThanked: (channelId: string, from: number, to: number) =>
    callAsUser<{ data: number[] }>(
      withQuery(`${apiRoutes.channel(channelId)}/thanks`, { from, to }),
      {
        has: 'data',
      },
    ),

  /** People whose name begins with the prefix, those who wrote in the channel last first. */
  listCandidates: (channel: string, prefix: string, signal?: AbortSignal) =>
    callAsUser<{ data: MentionCandidate[] }>(withQuery(apiRoutes.users, { channel, prefix }), {
      has: 'data',
      signal,
    }),

  getStoredFile: (fullPath: string) =>
    call<StoredFile>(apiRoutes.storedFile(fullPath), { has: 'downloadURL' }),
};
