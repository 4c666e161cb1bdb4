import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../../system/operator-error.ts';
import { DatabaseUnavailable } from '../errors.ts';
import { connectionFailure } from './connection-failure.ts';

/** Timeout for connecting, for each query and for the client's own notification to arrive. */
const timeoutMs = 2000;
/** Interval of pings, which detect a server that vanished without closing the connection, and a pool that drops messages. */
const pingMs = 4000;
/** Delay before reconnecting, which doubles from `first` to `longest`. */
const retryMs = { first: 100, longest: 1000 };
/** How long `ready` waits for a connection. */
const readyMs = 1500;

class NotificationLost extends OperatorError {
  constructor() {
    super(
      'Notifications sent through DATABASE_URL do not arrive at the connection that listens, so a change made by one process is not seen by the others. A pool between tertulia and PostgreSQL has to be in session mode (PgBouncer: pool_mode = session), and all connections have to reach the same server.',
    );
  }
}

interface Use {
  /** `application_name` in `pg_stat_activity`. */
  name: string;
  /** Notification channel to LISTEN on. */
  topic: string;
  /** Sends a notification through the pool. It must reach this client before the client counts as listening. */
  notify: (topic: string, payload: string) => Promise<unknown>;
  /** Called whenever a new connection is listening. */
  onListening?: () => void;
  /** Must not throw: any database user can send any payload. */
  onNotification: (payload: string) => void;
  onLost?: () => void;
  /** Called when connecting or listening fails, or the connection is lost. */
  onProblem?: (problem: Error) => void;
}

/**
 * A dedicated PostgreSQL connection outside the pool that LISTENs and reconnects when it is lost. It counts
 * as listening once it has received a notification that was sent through the pool, and while it receives
 * another one every 4 s.
 */
export class ListenClient {
  readonly #connectionString: string;
  readonly #use: Use;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #ready = Promise.withResolvers<void>();
  #problem: Error | undefined;
  /** The client's own notification that has not arrived yet. */
  #awaited: { payload: string; arrived: () => void } | undefined;

  /** Stays connected until `close`. */
  constructor(connectionString: string, use: Use) {
    this.#connectionString = connectionString;
    this.#use = use;
    this.#running = this.#run();
  }

  /** Waits until it is listening. @throws DatabaseUnavailable with the cause after 1.5 s */
  async ready(): Promise<void> {
    const timeout = delay(readyMs, undefined, { ref: false }).then(() => {
      const cause = this.#problem ?? new Error(`${this.#use.name}: no connection`);
      throw new DatabaseUnavailable(
        cause,
        cause instanceof OperatorError ? cause.message : undefined,
      );
    });
    return Promise.race([this.#ready.promise, timeout]);
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
    const { name, topic, onListening, onLost, onProblem } = this.#use;
    const client = new pg.Client({
      connectionString: this.#connectionString,
      application_name: name,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    let isListening = false;
    let lost: Error | undefined;
    // Errors are handled through the `end` event and the next ping.
    client.on('error', (error) => {
      lost ??= error;
    });
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    const over = AbortSignal.any([signal, ended.signal]);
    try {
      await client.connect();
      await client.query(`listen ${topic}`);
      await this.#awaitOwnNotification(over);
      isListening = true;
      this.#problem = undefined;
      this.#ready.resolve();
      onListening?.();
      for (;;) {
        await delay(pingMs, undefined, { signal: over });
        await client.query('select 1');
        // A ping fails when the pool has no free connection, although this connection works.
        await this.#awaitOwnNotification(over).catch((error: unknown) => {
          if (error instanceof NotificationLost) throw error;
        });
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#problem = this.#describe(lost ?? error);
        onProblem?.(this.#problem);
      }
      return isListening;
    } finally {
      if (isListening) {
        this.#ready = Promise.withResolvers();
        onLost?.();
      }
      void client.end().catch(() => {});
    }
  }

  /** @throws NotificationLost when a notification that the pool sent does not arrive in time */
  async #awaitOwnNotification(over: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const payload = `nonce ${randomUUID()}`;
    this.#awaited = { payload, arrived: resolve };
    await this.#use.notify(this.#use.topic, payload);
    const tooLate = AbortSignal.any([over, AbortSignal.timeout(timeoutMs)]);
    const fail = () => reject(over.aborted ? over.reason : new NotificationLost());
    tooLate.addEventListener('abort', fail, { once: true });
    if (tooLate.aborted) fail();
    await promise;
  }

  #receive(payload: string): void {
    if (payload === this.#awaited?.payload) this.#awaited.arrived();
    else this.#use.onNotification(payload);
  }

  #describe(error: unknown): Error {
    if (error instanceof OperatorError) return error;
    const known = error instanceof DatabaseUnavailable ? error.advice : undefined;
    const message = known ?? connectionFailure(error, this.#connectionString);
    return new OperatorError(message, { cause: error });
  }
}
