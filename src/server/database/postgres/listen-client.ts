import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import pg from 'pg';
import { DatabaseUnavailable } from '../errors.ts';

/** How long the server may take to answer this connection. */
const answerMs = 2000;
/** How often it is tried: a server that is gone does not say goodbye. */
const pingMs = 4000;
/** First wait before connecting again; it doubles up to the longest. */
const retryMs = { first: 100, longest: 1000 };
/** How long whoever needs the connection waits for it. */
const readyMs = 1500;

interface Use {
  /** What it is called in `pg_stat_activity`. */
  name: string;
  /** Notifications that it listens to. */
  topic: string;
  /** SQL for each new connection. */
  prepare?: string;
  /** It listens from now on, the first time or after a loss. */
  onListening?: () => void;
  /** Anyone on the database may notify: it must not throw, whatever comes. */
  onNotification: (payload: string) => void;
  onLost: (client: pg.Client) => void;
}

/** A connection of its own to PostgreSQL, beside the pool, which is made again whenever it is lost. */
export class ListenClient {
  readonly #connectionString: string;
  readonly #use: Use;
  readonly #closing = new AbortController();
  readonly #kept: Promise<void>;
  /** One query after the other: pg will not queue them. */
  readonly #turn = pLimit(1);
  #ready = Promise.withResolvers<pg.Client>();

  /** Connects from now on, until `close`. */
  constructor(connectionString: string, use: Use) {
    this.#connectionString = connectionString;
    this.#use = use;
    this.#kept = this.#keep();
  }

  /** @throws DatabaseUnavailable when there is no connection before long */
  async ready(): Promise<pg.Client> {
    const over = new AbortController();
    const tooLong = delay(readyMs, undefined, { signal: over.signal }).then(() => {
      throw new DatabaseUnavailable(new Error(`${this.#use.name}: no connection`));
    });
    try {
      return await Promise.race([this.#ready.promise, tooLong]);
    } finally {
      tooLong.catch(() => {});
      over.abort();
    }
  }

  /** @throws DatabaseUnavailable; the connection is then given up, with all that it holds */
  async query<Row extends pg.QueryResultRow>(
    client: pg.Client,
    sql: string,
    parameters: unknown[],
  ): Promise<Row[]> {
    try {
      return (await this.#turn(() => client.query<Row>(sql, parameters))).rows;
    } catch (error) {
      void client.end().catch(() => {});
      throw new DatabaseUnavailable(error);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#kept;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    let waitMs = retryMs.first;
    while (!signal.aborted) {
      const connected = await this.#connect(signal);
      waitMs = connected ? retryMs.first : Math.min(waitMs * 2, retryMs.longest);
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Stays until the connection is lost or closed. @returns whether it came to listen */
  async #connect(signal: AbortSignal): Promise<boolean> {
    const { name, topic, prepare, onListening, onNotification, onLost } = this.#use;
    const client = new pg.Client({
      connectionString: this.#connectionString,
      application_name: name,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    let listens = false;
    // What breaks the connection fails the next ping; `end` says so sooner.
    client.on('error', () => {});
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    const over = AbortSignal.any([signal, ended.signal]);
    try {
      await client.connect();
      if (prepare) await client.query(prepare);
      await client.query(`listen ${topic}`);
      listens = true;
      this.#ready.resolve(client);
      onListening?.();
      for (;;) {
        await delay(pingMs, undefined, { signal: over });
        await this.#turn(() => client.query('select 1'));
      }
    } catch {
      return listens;
    } finally {
      if (listens) {
        this.#ready = Promise.withResolvers();
        onLost(client);
      }
      void client.end().catch(() => {});
    }
  }
}
