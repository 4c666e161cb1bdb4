import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ChannelChange, PublicChange } from '../../database/public-change.ts';
import type { Database } from '../../database/tables.ts';
import type { Publisher } from '../../database/transactions.ts';

/** A change, or `gap`: changes may have been lost, so listeners must read their data again. */
export type BusMessage<Change> = Change | 'gap';
type Listener<Change> = (message: BusMessage<Change>) => void;

/** Publishes changes to the live streams and caches of this process. */
export class LiveBus implements Publisher {
  /** Whether changes made by other processes are currently received. */
  isListening = true;
  /** Called once for each cause when changes of other processes do not arrive. */
  onProblem: ((problem: Error) => void) | undefined;
  readonly #watchers: Listener<PublicChange>[] = [];
  readonly #listeners = new Map<string, Set<Listener<ChannelChange>>>();

  async announce(_trx: Database, _change: PublicChange): Promise<void> {}

  publish(change: PublicChange): void {
    for (const watcher of this.#watchers) watcher(change);
    if (change.kind !== 'comment' && change.kind !== 'channel') return;
    for (const listener of this.#listeners.get(change.channelId) ?? []) listener(change);
  }

  /** Notifies all watchers and subscribers that changes may have been lost. */
  publishGap(): void {
    for (const watcher of this.#watchers) watcher('gap');
    for (const ofChannel of this.#listeners.values()) {
      for (const listener of ofChannel) listener('gap');
    }
  }

  /** Subscribes to the changes of a channel. @returns a function that ends the subscription */
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
