import type { Comment } from '../../../../shared/comments.ts';
import { type LiveChanged, liveEvents } from '../../../../shared/live.ts';
import { type BusMessage, forEachYielding, type LiveBus } from '../../../database/bus/live-bus.ts';
import type { ChannelChange } from '../../../database/bus/public-change.ts';
import type { Database } from '../../../database/tables.ts';
import { jsonBytes } from '../../comments/comment-details.ts';
import { findNewestNumber, listMissed } from '../../comments/comment-queries.ts';
import { formatEvent, type Stream } from './event-streams.ts';

/** Maximum number and bytes of missed comments to send. Beyond that the page fetches its comments again. */
export const missedLimits = { limit: 100, bytes: 64 * 1024 };

interface Reader {
  /**
   * Number of the last comment received. The stream starts at the newest one if undefined, or if no comment has this
   * number yet.
   */
  after: number | undefined;
  isConnected(): boolean;
  /**
   * Called before anything is sent.
   * @param from the number after which the stream begins
   * @param leave to call once when it has closed
   */
  open(from: number, leave: () => void): Stream;
}

interface FeedServices {
  db: Database;
  live: LiveBus;
  onFailure: (error: unknown) => void;
}

/** Sends events to the streams of each channel. Each event is chosen and encoded once for all streams of a channel. */
export class ChannelFeeds {
  readonly #services: FeedServices;
  readonly #feeds = new Map<string, ChannelFeed>();

  constructor(services: FeedServices) {
    this.#services = services;
  }

  /**
   * Sends a reader the channel's comments after a number, and then new events.
   * @returns false when no stream was opened: the channel is not visible, or the reader has disconnected
   */
  async follow(channelId: string, reader: Reader): Promise<boolean> {
    const feed = this.#feeds.get(channelId) ?? new ChannelFeed(channelId, this.#services);
    this.#feeds.set(channelId, feed);
    const leave = (stream?: Stream) => {
      if (feed.leave(stream)) this.#feeds.delete(channelId);
    };
    let isOpened = false;
    try {
      isOpened = await feed.join(reader, leave);
    } finally {
      if (!isOpened) leave();
    }
    return isOpened;
  }
}

/**
 * The comments of one channel: each once, in order, without gaps. Commits may be announced out of order, or before the
 * subscription. Numbers follow the order of commits, so all comments between the last one sent and an announced one are
 * in the database and are read from there, like comments that another process announces without their content.
 */
class ChannelFeed {
  readonly #channelId: string;
  readonly #services: FeedServices;
  readonly #unsubscribe: () => void;
  readonly #streams = new Set<Stream>();
  /** Number of streams, including those still joining. */
  #users = 0;
  /** Number of the newest comment sent. */
  #at: number | undefined;
  /** Runs joins and messages one at a time. */
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(channelId: string, services: FeedServices) {
    this.#channelId = channelId;
    this.#services = services;
    // Subscribe before the first query, so that no event is lost between the two.
    this.#unsubscribe = services.live.subscribe(channelId, (message) => {
      void this.#step(() => this.#pass(message)).catch((error: unknown) => {
        services.onFailure(error);
        for (const stream of this.#streams) stream.end();
      });
    });
  }

  join({ after, isConnected, open }: Reader, leave: (stream: Stream) => void): Promise<boolean> {
    this.#users++;
    return this.#step(async () => {
      const newest = isConnected() ? await this.#catchUp() : undefined;
      if (newest === undefined) return false;
      const isBehind = after !== undefined && after < newest;
      const missed = isBehind ? await this.#listMissed(after) : [];
      const stream = open(isBehind && missed ? after : newest, () => leave(stream));
      for (const comment of missed ?? []) {
        // Later comments are announced to this stream.
        if (comment.number <= newest) stream.send(encodeComment(comment));
      }
      if (!missed) stream.send(encodeChanged({}));
      this.#streams.add(stream);
      return true;
    });
  }

  /** @returns whether it was the last user */
  leave(stream?: Stream): boolean {
    if (stream) this.#streams.delete(stream);
    if (--this.#users > 0) return false;
    this.#unsubscribe();
    return true;
  }

  /** When a step fails, the steps waiting for it fail too: each would wait just as long for the database. */
  #step<T>(work: () => Promise<T>): Promise<T> {
    const step = this.#lastStep.then(work);
    this.#lastStep = step;
    step.catch(() => {
      if (this.#lastStep === step) this.#lastStep = Promise.resolve();
    });
    return step;
  }

  async #pass(message: BusMessage<ChannelChange>): Promise<void> {
    if (message === 'gap') {
      await this.#catchUp();
      return this.#send(encodeChanged({}));
    }
    if (message.kind === 'channel') {
      const { numbers } = message;
      return this.#send(encodeChanged(numbers ? { numbers } : {}));
    }
    const { number, comment } = message;
    // The first stream to join reads the newest number.
    if (this.#at === undefined || number <= this.#at) return;
    if (!comment || number !== this.#at + 1) return void (await this.#catchUp());
    this.#at = number;
    await this.#send(encodeComment(comment));
  }

  /**
   * Sends comments written since the last one sent. @returns the newest number; undefined when the channel is not
   * visible
   */
  async #catchUp(): Promise<number | undefined> {
    const newest = await findNewestNumber(this.#services.db, this.#channelId);
    if (newest === undefined) return undefined;
    const at = this.#at ?? newest;
    const comments = newest > at ? await this.#listMissed(at) : [];
    this.#at = Math.max(newest, at, comments?.at(-1)?.number ?? 0);
    if (!comments) await this.#send(encodeChanged({}, this.#at));
    for (const comment of comments ?? []) await this.#send(encodeComment(comment));
    return this.#at;
  }

  /** @returns undefined when they are too many or too long: sent together, they would fill a stream's buffer */
  async #listMissed(afterNumber: number): Promise<Comment[] | undefined> {
    const found = await listMissed(this.#services.db, this.#channelId, {
      afterNumber,
      ...missedLimits,
    });
    const bytes = found?.reduce((sum, comment) => sum + jsonBytes(comment), 0) ?? 0;
    return bytes > missedLimits.bytes ? undefined : found;
  }

  #send(event: Buffer): Promise<void> {
    return forEachYielding(this.#streams, (stream) => stream.send(event));
  }
}

const encodeComment = (comment: Comment) =>
  formatEvent(liveEvents.comment, comment, comment.number);

const encodeChanged = (changed: LiveChanged, id?: number) =>
  formatEvent(liveEvents.changed, changed, id);
