import { setTimeout as delay } from 'node:timers/promises';
import type { RequestRelease } from '@tus/server';
import type pg from 'pg';
import { ListenClient } from '../../database/postgres/listen-client.ts';
import { notifyTopic } from '../../database/postgres/notify.ts';
import type { Database } from '../../database/tables.ts';
import { UploadLocked } from '../stores/errors.ts';
import type { SharedLocks } from './upload-locks.ts';

const topic = 'tertulia_uploads';
const retryMs = 100;
/** PostgreSQL closes a connection that is idle this long; a live one sends a ping every 4 s. */
const silentMs = 10_000;

/**
 * An upload's lock has two keys, unlike those of the whole site, and the first is its account's: an id
 * chosen by a client cannot take another lock.
 */
const lockKeys = "hashtext(split_part($1, '_', 1)), hashtext($1)";

/**
 * Upload locks between processes: PostgreSQL advisory locks on one dedicated connection per process,
 * so that slow uploads hold no connection of the pool. PostgreSQL releases them with the connection:
 * at once when the process ends, after ten seconds when it freezes or its machine fails. A process
 * that loses its connection ends the requests that held locks.
 */
export class PostgresUploadLocks implements SharedLocks {
  readonly #connection: ListenClient;
  readonly #held = new Map<string, { client: pg.Client; requestRelease: RequestRelease }>();

  /** @param db of the same server, to find out whether notifications arrive */
  constructor(connectionString: string, db: Database) {
    this.#connection = new ListenClient(connectionString, {
      name: 'tertulia uploads',
      topic,
      notify: (...notification) => notifyTopic(db, ...notification),
      // PostgreSQL before 14 lacks this setting; there a failed machine holds its locks for longer.
      prepare: `select set_config(name, '${silentMs}', false) from pg_settings
        where name = 'idle_session_timeout'`,
      onNotification: (id) => void this.#held.get(id)?.requestRelease(),
      onLost: (client) => {
        for (const held of this.#held.values())
          if (held.client === client) void held.requestRelease();
      },
    });
  }

  async acquire(id: string, requestRelease: RequestRelease, signal: AbortSignal): Promise<void> {
    const client = await this.#connection.ready();
    const lock = `select pg_try_advisory_lock(${lockKeys}) as acquired`;
    for (;;) {
      const [row] = await this.#connection.query<{ acquired: boolean }>(client, lock, [id]);
      if (row?.acquired) break;
      if (signal.aborted) throw new UploadLocked();
      await this.#connection.query(client, 'select pg_notify($1, $2)', [topic, id]);
      await delay(retryMs, undefined, { signal }).catch(() => {});
    }
    this.#held.set(id, { client, requestRelease });
  }

  async release(id: string): Promise<void> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    if (!held) return;
    const unlock = `select pg_advisory_unlock(${lockKeys})`;
    // If this fails the connection is closed, which releases the lock.
    await this.#connection.query(held.client, unlock, [id]).catch(() => {});
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
