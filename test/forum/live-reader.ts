import assert from 'node:assert/strict';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Comment } from '../../src/shared/comments.ts';
import { type LiveChanged, type LiveOpened, liveEvents } from '../../src/shared/live.ts';
import type { ForumClient } from './forum-client.ts';

interface LiveEvent {
  id?: string;
  event?: string;
  data?: string;
}

/** Reads a channel's stream event by event, as a browser's EventSource would. */
export class LiveReader {
  readonly #chunks: AsyncIterator<string>;
  readonly #abort: AbortController;
  #text = '';
  /** The server's delay before a reconnection. */
  retryMs = 0;
  /** Event id of its start. */
  openedAt = '';
  epoch = '';

  private constructor(response: Response, abort: AbortController) {
    assert.ok(response.body);
    this.#chunks = response.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    this.#abort = abort;
  }

  /** @param after number of a comment, or any other value that a client may send */
  static async open(
    forum: ForumClient,
    channelId: string,
    after?: number | string,
    lastEventId?: string,
  ) {
    const abort = new AbortController();
    const url = new URL(apiRoutes.channelLive(channelId), forum.url);
    if (after !== undefined) url.searchParams.set('after', String(after));
    const response = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
      },
      signal: abort.signal,
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    return new LiveReader(response, abort);
  }

  async next(): Promise<LiveEvent> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end < 0) {
        const { value, done } = await this.#chunks.next();
        assert.ok(!done, 'the stream ended');
        this.#text += value;
        continue;
      }
      const lines = this.#text.slice(0, end).split('\n');
      this.#text = this.#text.slice(end + 2);
      const event = Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s, 2)));
      if ('retry' in event) this.retryMs = Number(event.retry);
      if (event.event === liveEvents.opened) {
        this.openedAt = event.id ?? '';
        this.epoch = (JSON.parse(event.data ?? '') as LiveOpened).epoch;
      } else if ('event' in event) return event;
    }
  }

  /** Reads to the next new comment and skips other changes. */
  async nextComment(): Promise<Comment> {
    for (;;) {
      const { event, data = '', id } = await this.next();
      if (event !== liveEvents.comment) continue;
      const comment = JSON.parse(data) as Comment;
      assert.equal(id, String(comment.number));
      return comment;
    }
  }

  /** Reads until this change is announced. On PostgreSQL, a process may announce it twice. */
  async untilChanged(expected: LiveChanged): Promise<void> {
    for (;;) {
      const { event, data = '' } = await this.next();
      assert.equal(event, liveEvents.changed);
      if (data === JSON.stringify(expected)) return;
    }
  }

  close() {
    this.#abort.abort();
  }
}
