import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ChannelChange, NumberedChange, PublicChange } from '../../database/public-change.ts';
import type { Database } from '../../database/tables.ts';
import type { Publisher } from '../../database/transactions.ts';

/** A change, or `gap`: changes may have been lost, so listeners must read their data again. */
export type BusMessage<Change> = Change | 'gap';
type Listener<Change> = (message: BusMessage<Change>) => void;

/** Numbered changes of a channel within this time are combined for its readers. Tests shorten it. */
export const changeInterval = { ms: 1000 };

/** Publishes changes to the live streams and caches of this process. */
export class LiveBus implements Publisher {
  /** Whether changes made by other processes are currently received. */
  isListening = true;
  /** Called once for each cause when changes of other processes do not arrive. */
  onProblem: ((problem: Error) => void) | undefined;
  readonly #watchers: Listener<PublicChange>[] = [];
  readonly #listeners = new Map<string, Set<Listener<ChannelChange>>>();
  /** Channels with a numbered change in the last interval, with the newest one not yet sent. */
  readonly #recentChanges = new Map<string, { waiting: NumberedChange | undefined }>();

  async announce(_trx: Database, _change: PublicChange): Promise<void> {}

  publish(change: PublicChange): void {
    for (const watcher of this.#watchers) watcher(change);
    if (change.kind === 'numbered-change') this.#deliverThrottled(change);
    else if (change.kind !== 'profile') this.#deliver(change);
  }

  #deliver(change: ChannelChange): void {
    void forEachYielding(this.#listeners.get(change.channelId) ?? [], (listener) =>
      listener(change),
    );
  }

  /** Sends the first change at once, and of those within the interval after it only the last. */
  #deliverThrottled(change: NumberedChange): void {
    const { channelId } = change;
    const recent = this.#recentChanges.get(channelId);
    if (recent) {
      recent.waiting = change;
      return;
    }
    if (!this.#listeners.has(channelId)) return;
    this.#recentChanges.set(channelId, { waiting: undefined });
    this.#deliver(change);
    setTimeout(() => {
      const waiting = this.#recentChanges.get(channelId)?.waiting;
      this.#recentChanges.delete(channelId);
      if (waiting) this.#deliverThrottled(waiting);
    }, changeInterval.ms).unref();
  }

  /** Notifies all watchers and subscribers that changes may have been lost. */
  publishGap(): void {
    for (const watcher of this.#watchers) watcher('gap');
    for (const ofChannel of this.#listeners.values()) {
      void forEachYielding(ofChannel, (listener) => listener('gap'));
    }
  }

  /**
   * Subscribes to the changes of a channel. Numbered changes in quick succession arrive as one, the last.
   * @returns a function that ends the subscription
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
  watch(listener: Listener<PublicChange>): void {
    this.#watchers.push(listener);
  }

  /** Waits until changes of other processes arrive. @throws DatabaseUnavailable with the cause */
  async ready(): Promise<void> {}

  async close(): Promise<void> {}
}

/** Items per batch, which takes a few milliseconds. */
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
