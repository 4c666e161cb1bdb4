import { randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import sharp from 'sharp';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { type Person, uploadMetadata } from './forum.ts';

const tus = { 'tus-resumable': '1.0.0' };
const octets = { 'content-type': 'application/offset+octet-stream' };

/** A tus upload that can be continued at any server of a site; `at` is the URL of the server to call. */
export class TusUpload {
  readonly path: string;
  readonly #owner: Pick<Person, 'token'>;

  private constructor(path: string, owner: Pick<Person, 'token'>) {
    this.path = path;
    this.#owner = owner;
  }

  static async begin(
    at: string,
    owner: Pick<Person, 'token'>,
    bytes: number,
    filename = 'a.png',
    use = 'cover',
  ): Promise<TusUpload> {
    const response = await fetch(new URL(apiRoutes.uploads, at), {
      method: 'POST',
      headers: {
        ...tus,
        authorization: `Bearer ${owner.token}`,
        'upload-length': String(bytes),
        'upload-metadata': uploadMetadata({ filename, use }),
      },
    });
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
    return new TusUpload(response.headers.get('location') ?? '', owner);
  }

  get id(): string {
    return this.path.slice(this.path.lastIndexOf('/') + 1);
  }

  head(at: string): Promise<Response> {
    return this.#call('HEAD', at);
  }

  async offset(at: string): Promise<number> {
    const response = await this.head(at);
    if (response.status !== 200) throw new Error(`HEAD: ${response.status}`);
    return Number(response.headers.get('upload-offset'));
  }

  send(at: string, offset: number, bytes: Uint8Array): Promise<Response> {
    return this.#call('PATCH', at, { ...octets, 'upload-offset': String(offset) }, bytes);
  }

  end(at: string): Promise<Response> {
    return this.#call('DELETE', at);
  }

  /** Sends fewer bytes than announced, and keeps the request open. */
  stall(at: string, offset: number, bytes: Uint8Array, announced: number): ClientRequest {
    const stalled = request(new URL(this.path, at), {
      method: 'PATCH',
      agent: false,
      headers: {
        ...tus,
        ...octets,
        authorization: `Bearer ${this.#owner.token}`,
        'upload-offset': String(offset),
        'content-length': String(announced),
      },
    }).on('error', () => {});
    stalled.write(bytes);
    return stalled;
  }

  #call(
    method: string,
    at: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<Response> {
    return fetch(new URL(this.path, at), {
      method,
      headers: { ...tus, authorization: `Bearer ${this.#owner.token}`, ...headers },
      ...(body ? { body: body as BodyInit } : {}),
    });
  }
}

/** A PNG of random noise, which does not compress, large enough for several chunks. */
export function noisyImage(side = 900): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width: side, height: side, channels: 3, background: 'grey', noise } })
    .png()
    .toBuffer();
}

/** A small image and 2.4 MB of random bytes after its end, which are not decoded. */
export async function bulkyImage(): Promise<Buffer> {
  const image = sharp({ create: { width: 40, height: 16, channels: 3, background: 'grey' } });
  return Buffer.concat([await image.jpeg().toBuffer(), randomBytes(2_400_000)]);
}
