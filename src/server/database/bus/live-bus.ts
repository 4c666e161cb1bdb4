import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { DatabaseSettings } from '../../system/settings/config.ts';
import { engineOf } from '../engine.ts';
import type { Listening } from '../engine-type.ts';
import type { Database } from '../tables.ts';
import type { Publisher } from '../transactions.ts';
import type { ChannelChange, PublicChange } from './public-change.ts';

/** A change, or `gap`: changes may have been lost, so listeners must reload their data. */
export type BusMessage<Change> = Change | 'gap';
type Listener<Change> = (message: BusMessage<Change>) => void;

const topic = 'tertulia_changes';
/** Exceeds the number of comments that one process publishes before the first of their notifications arrives. */
const maxPublished = 1000;

/** Announces changes made by a transaction to the other processes, in one statement: a raid may concern thousands. */
export function announceChanges(trx: Database, changes: PublicChange[]): Promise<void> {
  return engineOf(trx).notify(trx, topic, changes.map(toPayload));
}

/**
 * Publishes changes to the live streams and caches of this process; while it listens, also changes made by other
 * processes. The writing transaction sends a notification, which arrives if and only if it commits, in the order of
 * commits. Whenever changes made by others may have been missed, subscribers receive `gap` and reload.
 *
 * A process also receives its own notifications: when the response to a COMMIT is lost, only the
 * notification shows that the transaction committed.
 */
export class LiveBus implements Publisher {
  /** Whether changes made by other processes are currently received. */
  isListening = true;
  /** Called when changes made by other processes do not arrive; once per cause. */
  onProblem: ((problem: Error) => void) | undefined;
  readonly #watchers: Listener<PublicChange>[] = [];
  readonly #listeners = new Map<string, Set<Listener<ChannelChange>>>();
  /** Comments published by this process whose notification has not arrived yet. */
  readonly #published = new LRUCache<string, true>({ max: maxPublished });
  #listening: Listening | undefined;
  /** Message of the last reported problem, which is not reported again. */
  #knownProblem = '';

  /** Receives changes made by other processes until `close`. */
  async listen(settings: DatabaseSettings, db: Database): Promise<void> {
    this.isListening = false;
    this.#listening = await engineOf(db).listen(settings, db, {
      topic,
      onGap: () => {
        this.isListening = true;
        this.#knownProblem = '';
        this.publishGap();
      },
      onNotification: (payload) => this.#receive(payload),
      onLost: () => {
        this.isListening = false;
      },
      onProblem: (problem) => {
        if (!this.onProblem || problem.message === this.#knownProblem) return;
        this.#knownProblem = problem.message;
        this.onProblem(problem);
      },
    });
  }

  announce(trx: Database, changes: PublicChange[]): Promise<void> {
    return announceChanges(trx, changes);
  }

  publish(change: PublicChange): void {
    // Only payloads of comments are unique. With other kinds, an equal payload may be a new change by another process.
    if (change.kind === 'comment') this.#published.set(toPayload(change), true);
    this.#deliver(change);
  }

  #deliver(change: PublicChange): void {
    for (const watcher of this.#watchers) watcher(change);
    if (change.kind !== 'comment' && change.kind !== 'channel') return;
    for (const listener of this.#listeners.get(change.channelId) ?? []) listener(change);
  }

  /** Tells all watchers and subscribers that changes may have been lost. */
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

  /** Waits until it receives changes made by other processes. @throws DatabaseUnavailable with the cause */
  async ready(): Promise<void> {
    await this.#listening?.ready();
  }

  async close(): Promise<void> {
    await this.#listening?.close();
  }

  /** Must not throw: any client of the database can send notifications. */
  #receive(payload: string): void {
    if (this.#published.delete(payload)) return;
    const change = parsePayload(payload);
    if (change) this.#deliver(change);
  }
}

/** Omits a comment's text, because a notification is limited to 8,000 bytes. */
function toPayload(change: PublicChange): string {
  switch (change.kind) {
    case 'comment':
      return `comment ${change.channelId} ${change.number}`;
    case 'channel':
      return `channel ${change.channelId} ${change.numbers?.join() ?? ''}`;
    case 'counts':
      return `counts ${change.channelId}`;
    case 'day':
      return 'day';
    case 'access':
      return `access ${change.accountId}`;
    case 'profile':
      return `profile ${change.accountId}`;
  }
}

function parsePayload(payload: string): PublicChange | undefined {
  const [kind, id, detail] = payload.split(' ');
  if (kind === 'day') return { kind };
  if (id === undefined) return undefined;
  if (kind === 'comment') return { kind, channelId: id, number: Number(detail) };
  if (kind === 'channel') {
    const numbers = detail ? { numbers: detail.split(',').map(Number) } : {};
    return { kind, channelId: id, ...numbers };
  }
  if (kind === 'counts') return { kind, channelId: id };
  if (kind === 'access') return { kind, accountId: id };
  if (kind === 'profile') return { kind, accountId: id };
  return undefined;
}

/** Items per batch, which takes a few milliseconds. */
const batchSize = 200;

/**
 * Calls `act` for each item and yields to the event loop between batches. The first batch runs
 * synchronously. A set may change between batches: its iterator sees additions and deletions.
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
