import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../database/tables.ts';
import { type Announcement, type LiveBus, LocalLiveBus, type News } from './live-bus.ts';

const topic = 'tertulia_comments';
/** How long the server may take to answer the listening connection. */
const answerMs = 2000;
/** How often the listening connection is tried: a server that is gone does not say goodbye. */
const pingMs = 4000;
/** First wait before connecting again; it doubles up to the longest. */
const retryMs = { first: 100, longest: 1000 };

/**
 * The bus between processes on one PostgreSQL. Announcements are notifications sent by the
 * transaction that writes, so they come if and only if it commits, in the order of commits. One
 * connection of its own listens; whenever it begins to, first or after a loss, everyone who follows
 * a channel is told to read what may have been missed meanwhile.
 */
export class PostgresLiveBus implements LiveBus {
  readonly #local = new LocalLiveBus();
  readonly #connectionString: string;
  /** Names this process, which has no need of its own notifications. */
  readonly #origin = randomUUID();
  readonly #closing = new AbortController();
  readonly #listening: Promise<void>;

  /** Listens from now on, until `close`. */
  constructor(connectionString: string) {
    this.#connectionString = connectionString;
    this.#listening = this.#keepListening();
  }

  async announce(trx: Database, channelId: string, number: number): Promise<void> {
    // The text stays out: a notification holds less than 8,000 bytes.
    const payload = `${this.#origin} ${channelId} ${number}`;
    await sql`select pg_notify(${topic}, ${payload})`.execute(trx);
  }

  publish(announcement: Announcement): void {
    this.#local.publish(announcement);
  }

  subscribe(channelId: string, listener: (news: News) => void): () => void {
    return this.#local.subscribe(channelId, listener);
  }

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
      this.#local.publishGap();
      for (;;) {
        await delay(pingMs, undefined, { signal: over });
        await client.query('select 1');
      }
    } catch {
      return listened;
    } finally {
      void client.end().catch(() => {});
    }
  }

  /** Anyone on the database may notify: whatever comes here must not throw. */
  #hear(payload: string): void {
    const [origin, channelId = '', number] = payload.split(' ');
    if (origin !== this.#origin) this.#local.publish({ channelId, number: Number(number) });
  }
}
