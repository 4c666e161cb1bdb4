import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import pg from 'pg';
import { DatabaseUnavailable } from '../errors.ts';

/** Timeout for connecting and for each query. */
const timeoutMs = 2000;
/** Interval of pings, which detect a server that disappeared without closing the connection. */
const pingMs = 4000;
/** Delay before reconnecting: doubles from the first to the longest. */
const retryMs = { first: 100, longest: 1000 };
/** How long `ready` waits for a connection. */
const readyMs = 1500;

interface Use {
  /** `application_name` in `pg_stat_activity`. */
  name: string;
  /** Notification channel to LISTEN on. */
  topic: string;
  /** SQL to run on each new connection. */
  prepare?: string;
  /** Called whenever a new connection is listening. */
  onListening?: () => void;
  /** Must not throw: any database user can send any payload. */
  onNotification: (payload: string) => void;
  onLost: (client: pg.Client) => void;
}

/** A dedicated PostgreSQL connection outside the pool that LISTENs and reconnects when it is lost. */
export class ListenClient {
  readonly #connectionString: string;
  readonly #use: Use;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  /** Queries run one at a time, because pg deprecates its own queue. */
  readonly #oneAtATime = pLimit(1);
  #ready = Promise.withResolvers<pg.Client>();

  /** Connects from now on, until `close`. */
  constructor(connectionString: string, use: Use) {
    this.#connectionString = connectionString;
    this.#use = use;
    this.#running = this.#run();
  }

  /** Waits for the connection. @throws DatabaseUnavailable when there is none within 1.5 s */
  async ready(): Promise<pg.Client> {
    const timeout = delay(readyMs, undefined, { ref: false }).then(() => {
      throw new DatabaseUnavailable(new Error(`${this.#use.name}: no connection`));
    });
    return Promise.race([this.#ready.promise, timeout]);
  }

  /** @throws DatabaseUnavailable; the connection is then closed, which releases its locks */
  async query<Row extends pg.QueryResultRow>(
    client: pg.Client,
    sql: string,
    parameters: unknown[],
  ): Promise<Row[]> {
    try {
      return (await this.#oneAtATime(() => client.query<Row>(sql, parameters))).rows;
    } catch (error) {
      void client.end().catch(() => {});
      throw new DatabaseUnavailable(error);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let waitMs = retryMs.first;
    while (!signal.aborted) {
      const connected = await this.#connect(signal);
      waitMs = connected ? retryMs.first : Math.min(waitMs * 2, retryMs.longest);
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Resolves when the connection is lost or closed. @returns whether it was listening */
  async #connect(signal: AbortSignal): Promise<boolean> {
    const { name, topic, prepare, onListening, onNotification, onLost } = this.#use;
    const client = new pg.Client({
      connectionString: this.#connectionString,
      application_name: name,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    let isListening = false;
    // Errors are handled through `end` and the next ping.
    client.on('error', () => {});
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    const over = AbortSignal.any([signal, ended.signal]);
    try {
      await client.connect();
      if (prepare) await client.query(prepare);
      await client.query(`listen ${topic}`);
      isListening = true;
      this.#ready.resolve(client);
      onListening?.();
      for (;;) {
        await delay(pingMs, undefined, { signal: over });
        await this.#oneAtATime(() => client.query('select 1'));
      }
    } catch {
      return isListening;
    } finally {
      if (isListening) {
        this.#ready = Promise.withResolvers();
        onLost(client);
      }
      void client.end().catch(() => {});
    }
  }
}
