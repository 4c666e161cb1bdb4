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

/** Calls that only the account bundle makes: signing in, and everything that needs a session. */
export const accountApi = {
  signIn: (email: string, password: string) =>
    call<SignedIn>(apiRoutes.signIn, {
      method: 'POST',
      authorization: basic(email, password),
      has: 'token',
    }),

  signUp: (body: SignUp) => call<User>(apiRoutes.signUp, { method: 'POST', body, has: 'id' }),

  setPassword: (body: SetPassword) =>
    call<undefined>(apiRoutes.setPassword, { method: 'POST', body }),

  getProfile: (signal?: AbortSignal) =>
    callAsUser<Profile>(apiRoutes.me, { has: 'channelCount', signal }),

  updateImage: (body: UpdateImage) =>
    callAsUser<User>(apiRoutes.updateImage, {
      method: 'PUT',
      body,
      has: 'id',
      withCredentials: true,
    }),

  createChannel: ({ key, body }: IdempotentRequest<NewChannel>) =>
    callAsUser<Channel>(apiRoutes.channels, {
      method: 'POST',
      body,
      has: '_id',
      idempotencyKey: key,
      withCredentials: true,
    }),

  sendComment: ({ key, body }: IdempotentRequest<NewComment>) =>
    callAsUser<Comment>(apiRoutes.comment, {
      method: 'PUT',
      body,
      has: 'id',
      idempotencyKey: key,
      withCredentials: true,
    }),

  getStoredFile: (fullPath: string) =>
    call<StoredFile>(apiRoutes.storedFile(fullPath), { has: 'downloadURL' }),
};
