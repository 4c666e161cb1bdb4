import { apiRoutes } from '../../src/shared/api-routes.ts';
import { limits } from '../../src/shared/limits.ts';
import { type Forum, type Person, uploadMetadata } from '../forum/forum.ts';

/** The name of a text in a request, the maximum number of characters sent, and a function that sends it. */
type SentText = [string, number, (text: string) => Promise<Response>];

export const account = { name: 'Ana', email: 'ana@ejemplo.es', password: 'una cualquiera' };
const channel = { name: 'Cine', description: 'De barrio', cover: '/default-avatar.svg' };

export function bodyTexts(forum: Forum, { token }: Person): SentText[] {
  const { userNameChars, emailChars, passwordBytes, imageUrlBytes, rawFactor } = limits;
  const response = { clientDataJSON: '', attestationObject: '' };
  const credential = { id: 'x', rawId: 'x', type: 'public-key', response };
  const person = { name: userNameChars, email: emailChars, password: passwordBytes };
  const calls: [method: string, url: string, rest: object, texts: Record<string, number>][] = [
    ['POST', apiRoutes.signUp, account, { ...person, img: imageUrlBytes }],
    [
      ...(['POST', apiRoutes.channels, channel] as const),
      {
        name: limits.channelNameChars,
        description: limits.descriptionChars,
        cover: imageUrlBytes,
        coverAlt: limits.coverAltChars,
      },
    ],
    ['PUT', apiRoutes.comment, { id: 'none' }, { comment: limits.commentChars }],
    ['PUT', apiRoutes.updateImage, { img: null }, { email: emailChars, img: imageUrlBytes }],
    [
      ...(['PATCH', apiRoutes.me, { currentPassword: 'x' }] as const),
      { ...person, currentPassword: passwordBytes },
    ],
    ['POST', apiRoutes.setPassword, { token: 'none' }, { password: passwordBytes }],
    [
      ...(['POST', apiRoutes.recover, { ...account, code: 'none' }] as const),
      { email: emailChars, password: passwordBytes, code: limits.recoveryCodeChars / rawFactor },
    ],
    ['POST', apiRoutes.recoveryCodes, {}, { currentPassword: passwordBytes }],
    ['POST', apiRoutes.passkeys, { credential }, { name: limits.passkeyNameChars }],
  ];
  return calls.flatMap(([method, url, rest, texts]) =>
    Object.entries(texts).map(
      ([name, maxChars]): SentText => [
        `${name} of ${method} ${url}`,
        maxChars * rawFactor,
        (text) => forum.call(method, url, { token, body: { ...rest, [name]: text } }),
      ],
    ),
  );
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
