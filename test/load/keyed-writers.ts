import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Comment } from '../../src/shared/comments.ts';
import type { ForumClient, Person } from '../forum/forum-client.ts';

const clients = 8;

/**
 * Eight clients that write comments as a browser's outbox does: each comment with its own idempotency key, repeated
 * until it is acknowledged.
 */
export class KeyedWriters {
  /** Ids of the acknowledged comments by text. */
  readonly acknowledged = new Map<string, string>();
  /** Number of repeated requests. */
  retries = 0;
  /** Number of error responses by status. */
  readonly refused = new Map<number, number>();
  /** Resolves when all comments are written. */
  readonly done: Promise<void>;
  #next = 0;
  #going = true;

  constructor(forum: ForumClient, author: Person, channelId: string, count: number) {
    const write = async () => {
      while (this.#going && this.#next < count) {
        const text = `comentario ${this.#next++}`;
        const headers = { 'idempotency-key': randomUUID() };
        const body = { id: channelId, comment: text };
        while (this.#going) {
          const comment = await this.#send(() =>
            forum.call('PUT', apiRoutes.comment, { token: author.token, headers, body }),
          );
          if (comment) {
            this.acknowledged.set(text, comment.id);
            break;
          }
          this.retries += 1;
          await delay(20);
        }
      }
    };
    this.done = Promise.all(Array.from({ length: clients }, write)).then(() => {});
    // Callers await `done` later; this prevents an unhandled rejection until then.
    this.done.catch(() => {});
  }

  stop(): void {
    this.#going = false;
  }

  async #send(call: () => Promise<Response>): Promise<Comment | undefined> {
    try {
      const response = await call();
      if (response.ok) return (await response.json()) as Comment;
      await response.arrayBuffer();
      this.refused.set(response.status, (this.refused.get(response.status) ?? 0) + 1);
      // Repeating a client error would never succeed.
      if (response.status >= 500) return undefined;
    } catch {
      return undefined;
    }
    throw new Error(`refused: ${JSON.stringify([...this.refused])}`);
  }
}
