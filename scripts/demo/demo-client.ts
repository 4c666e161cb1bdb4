import type { SignedIn, SignUp } from '../../src/shared/accounts.ts';
import type { Channel, NewChannel } from '../../src/shared/channels.ts';
import type { Comment } from '../../src/shared/comments.ts';
import type { ImageUse, StoredFile } from '../../src/shared/images.ts';
import { apiRoutes } from '../../src/shared/routes.ts';
import type { DemoImage } from './images.ts';

/** The API calls that fill the demo. Each throws when the status is not 2xx. */
export class DemoClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async signUp(person: SignUp): Promise<void> {
    await this.#call('POST', apiRoutes.signUp, json(person));
  }

  signIn(email: string, password: string): Promise<SignedIn> {
    const basic = Buffer.from(`${email}:${password}`).toString('base64');
    return this.#call('POST', apiRoutes.signIn, { headers: { authorization: `Basic ${basic}` } });
  }

  /** One tus request that creates the upload and carries all its bytes. */
  upload(token: string, use: ImageUse, image: DemoImage): Promise<StoredFile> {
    const metadata = { filename: image.fileName, filetype: image.contentType, use };
    return this.#call('POST', apiRoutes.uploads, {
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-length': String(image.bytes.length),
        'upload-metadata': Object.entries(metadata)
          .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
          .join(','),
      },
      body: new Uint8Array(image.bytes),
    });
  }

  async updateImage(token: string, img: string): Promise<void> {
    await this.#call('PUT', apiRoutes.updateImage, json({ img }, token));
  }

  createChannel(token: string, channel: NewChannel): Promise<Channel> {
    return this.#call('POST', apiRoutes.channels, json(channel, token));
  }

  comment(token: string, id: string, comment: string): Promise<Comment> {
    return this.#call('PUT', apiRoutes.comment, json({ id, comment }, token));
  }

  async #call<T>(method: string, path: string, init: RequestInit): Promise<T> {
    const response = await fetch(new URL(path, this.#url), { method, ...init });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
}

function json(body: unknown, token?: string): RequestInit {
  return {
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  };
}
