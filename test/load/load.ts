import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { apiRoutes, pageRoutes } from '../../src/shared/routes.ts';
import { type ForumClient, type Person, uploadMetadata } from '../forum/forum-client.ts';

/** People who do things one after the other, for as long as it goes on. */
export class Load {
  /** Texts of the comments that were acknowledged. */
  readonly acknowledged: string[] = [];
  /** What went wrong, as it was told. */
  readonly failures: string[] = [];
  done = 0;
  #going = true;
  readonly #people: Promise<void>[] = [];

  repeat(act: (turn: number) => Promise<void>): void {
    const person = async () => {
      for (let turn = 0; this.#going; turn++) {
        await act(turn).then(
          () => {
            this.done += 1;
          },
          (error: Error) => this.failures.push(`${error.message} ${error.cause ?? ''}`),
        );
      }
    };
    this.#people.push(person());
  }

  /** Somebody who comments on and on. */
  comments(forum: ForumClient, author: Person, channelId: string, name: string): void {
    this.repeat(async (turn) => {
      const text = `${name} ${turn}`;
      await forum.comment(author, channelId, text);
      this.acknowledged.push(text);
    });
  }

  /** People who read, write, sign in and upload, all at once. */
  everything(forum: ForumClient, author: Person, channelId: string): void {
    for (const name of ['a', 'b']) this.comments(forum, author, channelId, name);
    for (const url of [pageRoutes.home, apiRoutes.channels, apiRoutes.me]) {
      this.repeat(async () => {
        await bodyOf(await forum.call('GET', url, { token: author.token }));
      });
    }
    this.repeat(async () => {
      await bodyOf(await forum.signIn(author.email, author.password));
    });
    this.repeat(async () => uploadInParts(forum, author, await noisyImage()));
  }

  async stop(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#people);
  }
}

/** An image that hardly compresses, another each time. */
function noisyImage(side = 300): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 3 as const };
  return sharp(randomBytes(side * side * 3), { raw })
    .jpeg()
    .toBuffer();
}

/** Uploads in parts, each of which may come to another process. */
async function uploadInParts(forum: ForumClient, owner: Person, bytes: Buffer, parts = 6) {
  const { token } = owner;
  const tus = { 'tus-resumable': '1.0.0' };
  const created = await forum.call('POST', apiRoutes.uploads, {
    token,
    headers: {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': uploadMetadata({ filename: 'foto.jpg', use: 'cover' }),
    },
  });
  await bodyOf(created);
  const url = created.headers.get('location') ?? '';
  const partBytes = Math.ceil(bytes.length / parts);
  for (let offset = 0; offset < bytes.length; offset += partBytes) {
    const part = bytes.subarray(offset, offset + partBytes);
    const answer = await forum.call('PATCH', url, {
      token,
      body: part,
      headers: {
        ...tus,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
      },
    });
    await bodyOf(answer);
  }
}

/** @throws when the answer is no good one */
async function bodyOf(answer: Response): Promise<string> {
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${body}`);
  return body;
}
