import assert from 'node:assert/strict';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Comment } from '../../src/shared/comments.ts';
import { liveEvents } from '../../src/shared/live.ts';
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

  private constructor(response: Response, abort: AbortController) {
    assert.ok(response.body);
    this.#chunks = response.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    this.#abort = abort;
  }

  static async open(
    forum: ForumClient,
    channelId: string,
    after?: string,
    lastEventId?: string,
    changes?: number,
  ) {
    const abort = new AbortController();
    const url = new URL(apiRoutes.channelLive(channelId), forum.url);
    if (after !== undefined) url.searchParams.set('after', after);
    if (changes !== undefined) url.searchParams.set('changes', String(changes));
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
      if (event.event === liveEvents.opened) this.openedAt = event.id ?? '';
      else if ('event' in event) return event;
    }
  }

  async nextComment(): Promise<Comment> {
    const { event, data, id } = await this.next();
    assert.equal(event, 'comment');
    const comment = JSON.parse(data ?? '') as Comment;
    assert.equal(id?.split('.')[1], comment.id);
    return comment;
  }

  /** The next new comment; skips changes of earlier ones. */
  async nextNewComment(): Promise<Comment> {
    for (;;) {
      const { event, data = '' } = await this.next();
      if (event === liveEvents.comment) return JSON.parse(data) as Comment;
    }
  }

  close() {
    this.#abort.abort();
  }
}
