import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Comment } from '../../src/shared/comments.ts';
import { apiRoutes } from '../../src/shared/routes.ts';
import type { ForumClient, Person } from '../forum/forum-client.ts';

const clients = 8;

/**
 * Eight clients that write so many comments as the outbox of a browser does: each under a key of its
 * own, sent again until there is an answer that counts.
 */
export class KeyedWriters {
  /** Ids of the comments that were acknowledged, by their texts. */
  readonly acknowledged = new Map<string, string>();
  /** What was sent again. */
  retries = 0;
  /** Statuses of answers that said no. */
  readonly refused = new Map<number, number>();
  /** Settles when all are written. */
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
    // Whoever waits for it is told, at the end and not before.
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
      // Anything else would go on for ever, and be wrong.
      if (response.status >= 500) return undefined;
    } catch {
      return undefined;
    }
    throw new Error(`refused: ${JSON.stringify([...this.refused])}`);
  }
}
