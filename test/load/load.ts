import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import type { ForumClient, Person } from '../forum/forum-client.ts';
import { TusUpload } from '../forum/tus-upload.ts';

/** Concurrent clients, each of which repeats one action until `stop`. */
export class Load {
  /** Texts of the acknowledged comments. */
  readonly acknowledged: string[] = [];
  /** Messages of failed actions. */
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

  /** Starts a client that writes comments. */
  comments(forum: ForumClient, author: Person, channelId: string, name: string): void {
    this.repeat(async (turn) => {
      const text = `${name} ${turn}`;
      await forum.comment(author, channelId, text);
      this.acknowledged.push(text);
    });
  }

  /** Starts clients that read, write, sign in and upload. */
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
    this.repeat(async () => uploadInParts(forum, author, await randomImage()));
  }

  async stop(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#people);
  }
}

/** Creates a different image each time, so that each upload is stored. */
function randomImage(side = 300): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 3 as const };
  return sharp(randomBytes(side * side * 3), { raw })
    .jpeg()
    .toBuffer();
}

/** Uploads in parts, each of which may reach a different process. */
async function uploadInParts({ url }: ForumClient, owner: Person, bytes: Buffer, parts = 6) {
  const upload = await TusUpload.begin(url, owner, bytes.length, 'foto.jpg');
  const partBytes = Math.ceil(bytes.length / parts);
  for (let offset = 0; offset < bytes.length; offset += partBytes) {
    await bodyOf(await upload.send(url, offset, bytes.subarray(offset, offset + partBytes)));
  }
}

/** @throws when the response is an error */
async function bodyOf(response: Response): Promise<string> {
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${body}`);
  return body;
}
