import type {
  Profile,
  SetPassword,
  SignedIn,
  SignUp,
  UpdateImage,
  User,
} from '../../shared/accounts.ts';
import type { Channel, NewChannel } from '../../shared/channels.ts';
import type { Comment, NewComment } from '../../shared/comments.ts';
import type { StoredFile } from '../../shared/images.ts';
import { apiRoutes } from '../../shared/routes.ts';
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

function json(method: 'POST' | 'PUT', body: unknown, headers: Record<string, string> = {}) {
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

const idempotent = <Body>(method: 'POST' | 'PUT', { key, body }: IdempotentRequest<Body>) =>
  json(method, body, { 'idempotency-key': key });

/**
 * Calls that only the account bundle makes: signing in, and everything that needs a session. Some
 * include credentials for other origins too, as specified.
 */
export const accountApi = {
  signIn: (email: string, password: string) =>
    call<SignedIn>(apiRoutes.signIn, {
      method: 'POST',
      headers: { authorization: basic(email, password) },
      has: 'token',
    }),

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

  getStoredFile: (fullPath: string) =>
    call<StoredFile>(apiRoutes.storedFile(fullPath), { has: 'downloadURL' }),
};
