import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { ListenClient } from '../database/postgres/listen-client.ts';
import type { Database } from '../database/tables.ts';
import { type Change, type LiveBus, LocalLiveBus } from './live-bus.ts';

const topic = 'tertulia_changes';
/** More comments than one process publishes before it hears of the first again. */
const maxPublished = 1000;

/** Tells every process that listens, as a part of the transaction. */
export async function notifyProcesses(trx: Database, change: Change): Promise<void> {
  await sql`select pg_notify(${topic}, ${toWords(change)})`.execute(trx);
}

/**
 * The bus between processes on one PostgreSQL. Announcements are notifications sent by the
 * transaction that writes, so they come if and only if it commits, in the order of commits. One
 * connection of its own listens; whenever it begins to, first or after a loss, everyone who listens
 * here is told to make up for what may have been missed meanwhile.
 *
 * A process hears its own notifications too: when the answer to a COMMIT is lost, nothing else tells
 * it that it has committed.
 */
export class PostgresLiveBus implements LiveBus {
  readonly #local = new LocalLiveBus();
  /** Comments that were published here and whose notification is still on its way. */
  readonly #published = new LRUCache<string, true>({ max: maxPublished });
  readonly #connection: ListenClient;
  #isListening = false;

  /** Listens from now on, until `close`. */
  constructor(connectionString: string) {
    this.#connection = new ListenClient(connectionString, {
      name: 'tertulia live',
      topic,
      onListening: () => {
        this.#isListening = true;
        this.#local.publishGap();
      },
      onNotification: (payload) => this.#hear(payload),
      onLost: () => {
        this.#isListening = false;
      },
    });
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  async announce(trx: Database, change: Change): Promise<void> {
    await notifyProcesses(trx, change);
  }

  publish(change: Change): void {
    // Only a comment's words are never used again: of others, a later notification may be news.
    if (change.kind === 'comment') this.#published.set(toWords(change), true);
    this.#local.publish(change);
  }

  subscribe: LiveBus['subscribe'] = (channelId, listener) =>
    this.#local.subscribe(channelId, listener);

  watch: LiveBus['watch'] = (listener) => this.#local.watch(listener);

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Anyone on the database may notify: whatever comes here must not throw. */
  #hear(payload: string): void {
    if (this.#published.delete(payload)) return;
    const change = fromWords(payload.split(' '));
    if (change) this.#local.publish(change);
  }
}

/** A comment's text stays out: a notification holds less than 8,000 bytes. */
function toWords(change: Change): string {
  switch (change.kind) {
    case 'comment':
      return `comment ${change.channelId} ${change.number}`;
    case 'channel':
      return `channel ${change.channelId}`;
    case 'account':
      return `account ${change.accountId}`;
  }
}

function fromWords([kind, id, number]: string[]): Change | undefined {
  if (id === undefined) return undefined;
  if (kind === 'comment') return { kind, channelId: id, number: Number(number) };
  if (kind === 'channel') return { kind, channelId: id };
  if (kind === 'account') return { kind, accountId: id };
  return undefined;
}
