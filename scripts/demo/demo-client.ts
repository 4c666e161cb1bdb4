import { setTimeout as delay } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { SignedIn, type SignUp } from '../../src/shared/accounts.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { Channel, type NewChannel } from '../../src/shared/channels.ts';
import { Comment, type CommentEdit, type NewComment } from '../../src/shared/comments.ts';
import { type ImageUse, StoredFile } from '../../src/shared/images.ts';
import {
  type Appeal,
  Decision,
  type NewDecision,
  type NewReport,
  Queue,
} from '../../src/shared/moderation.ts';
import { NotificationPage } from '../../src/shared/notifications.ts';
import { News, type ReadingPosition } from '../../src/shared/people.ts';
import { Trash } from '../../src/shared/trash.ts';
import type { DemoImage } from './images.ts';

interface CommentRange {
  channelId: string;
  number: number;
}

/** Milliseconds for which a client repeats requests that the server is too busy to handle. */
const retriedForMs = 300_000;

/** The API calls that fill the demo. Each throws when the status is not 2xx. */
export class DemoClient {
  readonly #url: string;
  readonly #endMs = performance.now() + retriedForMs;

  constructor(url: string) {
    this.#url = url;
  }

  async signUp(person: SignUp): Promise<void> {
    await this.#call('POST', apiRoutes.signUp, json(person));
  }

  signIn(email: string, password: string): Promise<SignedIn> {
    const basic = Buffer.from(`${email}:${password}`).toString('base64');
    return this.#read(SignedIn, 'POST', apiRoutes.signIn, {
      headers: { authorization: `Basic ${basic}` },
    });
  }

  /** Sends one tus request that creates the upload and contains all its bytes. */
  upload(token: string, use: ImageUse, image: DemoImage): Promise<StoredFile> {
    const metadata = { filename: image.fileName, filetype: image.contentType, use };
    return this.#read(StoredFile, 'POST', apiRoutes.uploads, {
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
    return this.#read(Channel, 'POST', apiRoutes.channels, json(channel, token));
  }

  comment(token: string, comment: NewComment): Promise<Comment> {
    return this.#read(Comment, 'PUT', apiRoutes.comment, json(comment, token));
  }

  /** @param revision the one that this edit replaces */
  async editComment(
    token: string,
    { channelId, number, revision }: CommentRange & { revision: number },
    edit: CommentEdit,
  ): Promise<void> {
    const { headers, body } = json(edit, token);
    await this.#call('PATCH', apiRoutes.channelComment(channelId, number), {
      headers: { ...headers, 'if-match': `"${revision}"` },
      body,
    });
  }

  async deleteComment(token: string, { channelId, number }: CommentRange): Promise<void> {
    await this.#call('DELETE', apiRoutes.channelComment(channelId, number), bearer(token));
  }

  async thank(token: string, { channelId, number }: CommentRange): Promise<void> {
    await this.#call('PUT', apiRoutes.thanks(channelId, number), bearer(token));
  }

  async closeChannel(token: string, id: string): Promise<void> {
    await this.#call('POST', apiRoutes.closeChannel(id), bearer(token));
  }

  async setRead(token: string, positions: ReadingPosition[]): Promise<void> {
    await this.#call('PUT', apiRoutes.reads, json(positions, token));
  }

  news(token: string, channelIds: string[]): Promise<News> {
    const url = `${apiRoutes.news}?channels=${channelIds.join()}`;
    return this.#read(News, 'GET', url, bearer(token));
  }

  async follow(token: string, channelId: string): Promise<void> {
    await this.#call('PUT', apiRoutes.level(channelId), json({ level: 'all' }, token));
  }

  notifications(token: string): Promise<NotificationPage> {
    return this.#read(NotificationPage, 'GET', apiRoutes.notifications, bearer(token));
  }

  async setSeen(token: string, id: number): Promise<void> {
    await this.#call('PUT', apiRoutes.notificationsSeen, json({ id }, token));
  }

  async report(token: string, report: NewReport): Promise<void> {
    await this.#call('POST', apiRoutes.reports, json(report, token));
  }

  decide(token: string, decision: NewDecision): Promise<Decision> {
    return this.#read(Decision, 'POST', apiRoutes.decisions, json(decision, token));
  }

  async appeal(token: string, decisionId: string, appeal: Appeal): Promise<void> {
    await this.#call('POST', apiRoutes.appeal(decisionId), json(appeal, token));
  }

  queue(token: string): Promise<Queue> {
    return this.#read(Queue, 'GET', apiRoutes.queue, bearer(token));
  }

  trash(token: string): Promise<Trash> {
    return this.#read(Trash, 'GET', apiRoutes.trash, bearer(token));
  }

  async #read<T extends TSchema>(
    schema: T,
    method: string,
    path: string,
    init: RequestInit,
  ): Promise<Static<T>> {
    return Value.Parse(schema, JSON.parse(await this.#call(method, path, init)));
  }

  /** @returns the text of the response */
  async #call(method: string, path: string, init: RequestInit): Promise<string> {
    const response = await fetch(new URL(path, this.#url), { method, ...init });
    const text = await response.text();
    // A slow machine refuses requests while it makes the smaller variants of images.
    if (response.status === 503 && performance.now() < this.#endMs) {
      await delay(Number(response.headers.get('retry-after')) * 1000);
      return this.#call(method, path, init);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }
}

function bearer(token: string): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${token}` } };
}

function json(body: unknown, token?: string): { headers: Record<string, string>; body: string } {
  return {
    headers: {
      'content-type': 'application/json',
      ...(token ? bearer(token).headers : {}),
    },
    body: JSON.stringify(body),
  };
}
