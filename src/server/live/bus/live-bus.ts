import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Comment } from '../../../shared/comments.ts';
import type { Database } from '../../database/tables.ts';

/** A committed comment. One written by another process comes without its content. */
export interface CommentChange {
  kind: 'comment';
  channelId: string;
  number: number;
  comment?: Comment;
}

/** A committed change of an existing comment: see `recordChange` in comments/comment-changes.ts. */
export interface Revision {
  kind: 'revision';
  channelId: string;
  /** From 1, in the order of commits within the channel. */
  changeNumber: number;
  /** Of the comment. */
  number: number;
}

/** A change of public data: a comment, a channel or an account. */
export type Change =
  | CommentChange
  | Revision
  | { kind: 'channel'; channelId: string }
  | { kind: 'account'; accountId: string };

/** `gap`: notifications may have been lost, so listeners must re-read what they have. */
export type News<Heard> = Heard | 'gap';
type Listener<Heard> = (news: News<Heard>) => void;

/** What is sent to the readers of a channel. */
export type ChannelChange = Exclude<Change, { kind: 'account' }>;

/** Revisions of a channel within this time are passed on to its readers together. */
const revisionIntervalMs = 1000;

/** Publishes changes to the live streams and caches of this process. */
export class LiveBus {
  /** Whether changes made by other processes are received at this moment. */
  isListening = true;
  /** Called, once for each cause, when changes of other processes do not arrive. */
  onProblem: ((problem: Error) => void) | undefined;
  readonly #watchers: Listener<Change>[] = [];
  readonly #listeners = new Map<string, Set<Listener<ChannelChange>>>();
  /** By channel: the newest revision that waits, or none. */
  readonly #recentRevisions = new Map<string, { waiting: Revision | undefined }>();

  /** Notifies other processes as part of the transaction: delivered only if it commits. */
  async announce(_trx: Database, _change: Change): Promise<void> {}

  /** Notifies listeners in this process, after the commit. */
  publish(change: Change): void {
    for (const watcher of this.#watchers) watcher(change);
    if (change.kind === 'revision') this.#tellTogether(change);
    else if (change.kind !== 'account') this.#tell(change);
  }

  #tell(change: ChannelChange): void {
    void forEachYielding(this.#listeners.get(change.channelId) ?? [], (listener) =>
      listener(change),
    );
  }

  /** Readers are told the first revision at once and those that follow soon as one. */
  #tellTogether(revision: Revision): void {
    const { channelId } = revision;
    const recent = this.#recentRevisions.get(channelId);
    if (recent) {
      recent.waiting = revision;
      return;
    }
    if (!this.#listeners.has(channelId)) return;
    this.#recentRevisions.set(channelId, { waiting: undefined });
    this.#tell(revision);
    setTimeout(() => {
      const waiting = this.#recentRevisions.get(channelId)?.waiting;
      this.#recentRevisions.delete(channelId);
      if (waiting) this.#tellTogether(waiting);
    }, revisionIntervalMs).unref();
  }

  /** Notifies all watchers and subscribers that changes may have been lost. */
  publishGap(): void {
    for (const watcher of this.#watchers) watcher('gap');
    for (const ofChannel of this.#listeners.values()) {
      void forEachYielding(ofChannel, (listener) => listener('gap'));
    }
  }

  /**
   * Subscribes to the changes of a channel. Revisions that follow each other soon arrive as one, the
   * last. @returns a function that ends the subscription
   */
  subscribe(channelId: string, listener: Listener<ChannelChange>): () => void {
    const ofChannel = this.#listeners.get(channelId) ?? new Set();
    this.#listeners.set(channelId, ofChannel.add(listener));
    return () => {
      ofChannel.delete(listener);
      if (ofChannel.size === 0) this.#listeners.delete(channelId);
    };
  }

  /** Subscribes to all changes. Watchers are called before the subscribers of channels. */
  watch(listener: Listener<Change>): void {
    this.#watchers.push(listener);
  }

  /** Waits until changes of other processes arrive. @throws DatabaseUnavailable with the cause */
  async ready(): Promise<void> {}

  async close(): Promise<void> {}
}

/** A batch takes a few milliseconds. */
const batchSize = 200;

/**
 * Calls `act` for each item and yields to the event loop between batches. The first batch runs
 * synchronously. A set may change in between: its iterator sees additions and deletions.
 */
export async function forEachYielding<T>(
  items: Iterable<T>,
  act: (item: T) => void,
): Promise<void> {
  let count = 0;
  for (const item of items) {
    act(item);
    if (++count % batchSize === 0) await yieldToEventLoop();
  }
}
