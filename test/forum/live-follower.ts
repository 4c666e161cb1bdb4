import { setTimeout as delay } from 'node:timers/promises';
import { parseCommentId } from '../../src/shared/comment-id.ts';
import type { Comment } from '../../src/shared/comments.ts';
import { liveEvents } from '../../src/shared/live.ts';
import type { ForumClient } from './forum-client.ts';
import { LiveReader } from './live-reader.ts';

/** Follows a channel from its first comment, and reconnects after each loss as an EventSource does. */
export class LiveFollower implements Disposable {
  /** Ids of all comments in the order of their arrival. */
  readonly seen: string[] = [];
  /** Times of the reconnections, in ms since 1970. */
  readonly backAtMs: number[] = [];
  /** Whether a stream is open. */
  connected = false;
  /** Why it last lost or did not get a stream. */
  failure: unknown;
  readonly #listed = new Set<string>();
  /** Reconnection delay, which the server sends at the first connection. */
  #retryMs = 0;
  #reader: LiveReader | undefined;
  #stopped = false;

  static async start(forum: ForumClient, channelId: string): Promise<LiveFollower> {
    const follower = new LiveFollower();
    await follower.#open(forum, channelId);
    void follower.#follow(forum, channelId);
    return follower;
  }

  stop(): void {
    this.#stopped = true;
    this.#reader?.close();
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  async #open(forum: ForumClient, channelId: string): Promise<void> {
    this.#reader = await LiveReader.open(
      forum,
      channelId,
      0,
      String(parseCommentId(this.seen.at(-1) ?? '')?.number ?? ''),
    );
    this.connected = true;
  }

  /** Reads missed comments from the list when there were too many for the stream. */
  async #readList(forum: ForumClient, channelId: string): Promise<void> {
    const news = await forum.allComments(channelId, this.seen.at(-1));
    for (const { id } of news) this.#listed.add(id);
    this.seen.push(...news.map(({ id }) => id));
  }

  async #follow(forum: ForumClient, channelId: string): Promise<void> {
    while (!this.#stopped) {
      try {
        if (!this.connected) {
          await this.#open(forum, channelId);
          this.backAtMs.push(Date.now());
        }
        for (;;) {
          const next = await this.#reader?.next();
          this.#retryMs = this.#reader?.retryMs ?? 0;
          if (next?.event === liveEvents.changed) await this.#readList(forum, channelId);
          else if (next?.data) {
            const { id } = JSON.parse(next.data) as Comment;
            // The stream may repeat comments of the list.
            if (!this.#listed.has(id)) this.seen.push(id);
          }
        }
      } catch (error) {
        this.connected = false;
        this.failure = error;
        await delay(this.#retryMs);
      }
    }
  }
}
