import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../database/tables.ts';
import { type Change, type LiveBus, LocalLiveBus } from './live-bus.ts';

const topic = 'tertulia_changes';
/** How long the server may take to answer the listening connection. */
const answerMs = 2000;
/** How often the listening connection is tried: a server that is gone does not say goodbye. */
const pingMs = 4000;
/** First wait before connecting again; it doubles up to the longest. */
const retryMs = { first: 100, longest: 1000 };

/**
 * Tells every process that listens, as a part of the transaction.
 * @param origin names the one that need not be told, if any
 */
export async function notifyProcesses(
  trx: Database,
  origin: string,
  change: Change,
): Promise<void> {
  await sql`select pg_notify(${topic}, ${`${origin} ${toWords(change)}`})`.execute(trx);
}

/**
 * The bus between processes on one PostgreSQL. Announcements are notifications sent by the
 * transaction that writes, so they come if and only if it commits, in the order of commits. One
 * connection of its own listens; whenever it begins to, first or after a loss, everyone who listens
 * here is told to make up for what may have been missed meanwhile.
 */
export class PostgresLiveBus implements LiveBus {
  readonly #local = new LocalLiveBus();
  readonly #connectionString: string;
  /** Names this process, which has no need of its own notifications. */
  readonly #origin = randomUUID();
  readonly #closing = new AbortController();
  readonly #listening: Promise<void>;
  #isListening = false;

  /** Listens from now on, until `close`. */
  constructor(connectionString: string) {
    this.#connectionString = connectionString;
    this.#listening = this.#keepListening();
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  async announce(trx: Database, change: Change): Promise<void> {
    await notifyProcesses(trx, this.#origin, change);
  }

  publish(change: Change): void {
    this.#local.publish(change);
  }

  subscribe: LiveBus['subscribe'] = (channelId, listener) =>
    this.#local.subscribe(channelId, listener);

  watch: LiveBus['watch'] = (listener) => this.#local.watch(listener);

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #keepListening(): Promise<void> {
    const { signal } = this.#closing;
    let waitMs = retryMs.first;
    while (!signal.aborted) {
      const listened = await this.#listen(signal);
      waitMs = listened ? retryMs.first : Math.min(waitMs * 2, retryMs.longest);
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Listens until the connection is lost or the bus closed. @returns whether it came to listen */
  async #listen(signal: AbortSignal): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      application_name: 'tertulia live',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    let listened = false;
    // What breaks the connection fails the next ping; `end` says so sooner.
    client.on('error', () => {});
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''));
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    const over = AbortSignal.any([signal, ended.signal]);
    try {
      await client.connect();
      await client.query(`listen ${topic}`);
      listened = true;
      this.#isListening = true;
      this.#local.publishGap();
      for (;;) {
        await delay(pingMs, undefined, { signal: over });
        await client.query('select 1');
      }
    } catch {
      return listened;
    } finally {
      this.#isListening = false;
      void client.end().catch(() => {});
    }
  }

  /** Anyone on the database may notify: whatever comes here must not throw. */
  #hear(payload: string): void {
    const [origin, ...words] = payload.split(' ');
    const change = origin === this.#origin ? undefined : fromWords(words);
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
