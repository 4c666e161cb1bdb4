import { apiRoutes } from '../../src/shared/api-routes.ts';
import { limits } from '../../src/shared/limits.ts';
import { type Forum, type Person, uploadMetadata } from '../forum/forum.ts';

/** The name of a text in a request, the maximum number of characters sent, and a function that sends it. */
type SentText = [string, number, (text: string) => Promise<Response>];

export const account = { name: 'Ana', email: 'ana@ejemplo.es', password: 'una cualquiera' };
const channel = { name: 'Cine', description: 'De barrio', cover: '/default-avatar.svg' };

export function bodyTexts(forum: Forum, { token }: Person): SentText[] {
  const texts =
    (method: string, url: string, rest: object) =>
    ([name, maxChars]: [string, number]): SentText => [
      `${name} of ${method} ${url}`,
      maxChars * limits.rawFactor,
      (text) => forum.call(method, url, { token, body: { ...rest, [name]: text } }),
    ];
  return [
    ...Object.entries({
      name: limits.userNameChars,
      email: limits.emailChars,
      password: limits.passwordBytes,
      img: limits.imageUrlBytes,
    }).map(texts('POST', apiRoutes.signUp, account)),
    ...Object.entries({
      name: limits.channelNameChars,
      description: limits.descriptionChars,
      cover: limits.imageUrlBytes,
      coverAlt: limits.coverAltChars,
    }).map(texts('POST', apiRoutes.channels, channel)),
    ...Object.entries({ comment: limits.commentChars }).map(
      texts('PUT', apiRoutes.comment, { id: 'none' }),
    ),
    ...Object.entries({ email: limits.emailChars, img: limits.imageUrlBytes }).map(
      texts('PUT', apiRoutes.updateImage, { img: null }),
    ),
    ...Object.entries({
      name: limits.userNameChars,
      email: limits.emailChars,
      password: limits.passwordBytes,
      currentPassword: limits.passwordBytes,
    }).map(texts('PATCH', apiRoutes.me, { currentPassword: 'x' })),
    ...Object.entries({ password: limits.passwordBytes }).map(
      texts('POST', apiRoutes.setPassword, { token: 'none' }),
    ),
    ...Object.entries({ email: limits.emailChars, password: limits.passwordBytes }).map(
      texts('POST', apiRoutes.recover, { ...account, code: 'none' }),
    ),
    ...Object.entries({ code: limits.recoveryCodeChars / limits.rawFactor }).map(
      texts('POST', apiRoutes.recover, account),
    ),
    ...Object.entries({ currentPassword: limits.passwordBytes }).map(
      texts('POST', apiRoutes.recoveryCodes, {}),
    ),
    ...Object.entries({ name: limits.passkeyNameChars }).map(
      texts('POST', apiRoutes.passkeys, {
        credential: {
          id: 'x',
          rawId: 'x',
          type: 'public-key',
          response: { clientDataJSON: '', attestationObject: '' },
        },
      }),
    ),
  ];
}

/** Lists texts in headers with their maximum numbers of characters. Node limits all headers together to 16 kB. */
export function headerTexts(forum: Forum, owner: Person): SentText[] {
  return [
    ['e-mail at sign-in', 4000, (text) => forum.signIn(text, 'x')],
    ['password at sign-in', 4000, (text) => forum.signIn('x', text)],
    ['name of an uploaded file', 2900, (text) => createUpload(forum, owner, text)],
  ];
}

export function createUpload(forum: Forum, { token }: Person, filename: string): Promise<Response> {
  return forum.call('POST', apiRoutes.uploads, {
    token,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': uploadMetadata({ filename, use: 'cover' }),
    },
  });
}
