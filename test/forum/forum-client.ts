import { randomUUID } from 'node:crypto';
import type { SignedIn, User } from '../../src/shared/accounts.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import type { Comment, CommentEdit, CommentPage, NewComment } from '../../src/shared/comments.ts';

export interface Person extends User {
  token: string;
  password: string;
}

export interface CallOptions {
  token?: string;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a string or bytes. */
  body?: unknown;
}

/** Calls the API of a forum in this or another process. */
export class ForumClient {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  call(method: string, url: string, { token, headers, body }: CallOptions = {}): Promise<Response> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    return fetch(new URL(url, this.url), {
      method,
      redirect: 'manual',
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    });
  }

  /** @returns the parsed body @throws when the status is not 2xx */
  async json<T>(method: string, url: string, options: CallOptions = {}): Promise<T> {
    const response = await this.call(method, url, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  signIn(email: string, password: string): Promise<Response> {
    const basic = Buffer.from(`${email}:${password}`).toString('base64');
    return this.call('POST', apiRoutes.signIn, { headers: { authorization: `Basic ${basic}` } });
  }

  /** Opens another session of an account. */
  async newSession({ email, password }: Pick<Person, 'email' | 'password'>): Promise<SignedIn> {
    const response = await this.signIn(email, password);
    if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`);
    return (await response.json()) as SignedIn;
  }

  /** Creates an account and signs in. */
  async person(name?: string, email?: string): Promise<Person> {
    return this.personOf(await this.signUp(name, email));
  }

  async signUp(
    name = 'Lucía Herrero',
    email = `${randomUUID()}@ejemplo.es`,
  ): Promise<{ email: string; password: string }> {
    const password = 'una contraseña: larga';
    await this.json('POST', apiRoutes.signUp, {
      body: { name, email, password, img: '/default-avatar.svg' },
    });
    return { email, password };
  }

  /** Signs in. */
  async personOf(account: { email: string; password: string }): Promise<Person> {
    const { token, user } = await this.newSession(account);
    return { ...user, token, password: account.password };
  }

  channel(author: Person, name = 'Cine de barrio'): Promise<Channel> {
    return this.json('POST', apiRoutes.channels, {
      token: author.token,
      body: { name, description: 'Películas con gente al lado.', cover: '/default-avatar.svg' },
    });
  }

  /** Uploads in one request (tus creation-with-upload). */
  upload(
    owner: Pick<Person, 'token'>,
    bytes: Uint8Array,
    { filename = 'portada.png', use = 'cover' } = {},
  ): Promise<Response> {
    return this.call('POST', apiRoutes.uploads, {
      token: owner.token,
      body: bytes,
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-length': String(bytes.length),
        'upload-metadata': uploadMetadata({ filename, use, filetype: 'image/png' }),
      },
    });
  }

  comment(
    author: Pick<Person, 'token'>,
    channelId: string,
    comment: string,
    more: Omit<Partial<NewComment>, 'id' | 'comment'> = {},
  ): Promise<Comment> {
    return this.json('PUT', apiRoutes.comment, {
      token: author.token,
      body: { id: channelId, comment, ...more },
    });
  }

  /** Edits a comment whose revision is 1. */
  edit(
    author: Pick<Person, 'token'>,
    channelId: string,
    number: number,
    comment: string,
    more: Omit<CommentEdit, 'comment'> = {},
  ): Promise<Comment> {
    return this.json('PATCH', apiRoutes.channelComment(channelId, number), {
      token: author.token,
      headers: { 'if-match': '"1"' },
      body: { comment, ...more },
    });
  }

  /** All comments of a channel after this id, oldest first. */
  async allComments(channelId: string, after = commentId(channelId, 0)): Promise<Comment[]> {
    const all: Comment[] = [];
    for (let from: string | null = after; from !== null; ) {
      const url: string = `${apiRoutes.channelComments(channelId)}?after=${from}`;
      const { data, next }: CommentPage = await this.json('GET', url);
      all.push(...data);
      from = next;
    }
    return all;
  }
}

/** Metadata header of the tus protocol: keys with base64 values. */
export function uploadMetadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}
