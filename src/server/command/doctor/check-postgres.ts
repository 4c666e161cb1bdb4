import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import { openDatabase } from '../../database/database.ts';
import { DatabaseUnavailable, ReadOnlyDatabase } from '../../database/errors.ts';
import { ListenClient } from '../../database/postgres/listen-client.ts';
import { notifyTopic } from '../../database/postgres/notify.ts';
import { connectionsPerProcess } from '../../database/postgres/postgres-pool.ts';
import { requireVersion } from '../../database/postgres/server-version.ts';
import type { Database } from '../../database/tables.ts';
import { advice, type Finding, fix, ok, runCheck } from './finding.ts';

/** Connections that an update, backups and the operator need. */
const spareConnections = 5;
const maxClockDifferenceMs = 1000;

/** Checks the PostgreSQL of the settings and a pool in front of it, without writing. */
export async function checkPostgres(config: Config & { databaseUrl: string }): Promise<Finding[]> {
  const db = openDatabase(config);
  try {
    // `checkStores` reports a PostgreSQL that cannot be used at all.
    await requireVersion(db);
  } catch {
    await db.destroy();
    return [];
  }
  try {
    return [
      await runCheck('writes', () => checkWrites(db)),
      await runCheck('live messages', () => checkNotifications(config.databaseUrl, db)),
      await runCheck('connections', () => checkConnections(config, db)),
      await runCheck('clock', () => checkClock(db)),
    ];
  } finally {
    await db.destroy();
  }
}

/** Checks the session itself, since an empty database lacks the table that `requireWritable` reads. */
async function checkWrites(db: Database): Promise<Finding> {
  const { rows } = await sql<{ read_only: string }>`
    select current_setting('transaction_read_only') as read_only
  `.execute(db);
  if (rows[0]?.read_only === 'on') throw new ReadOnlyDatabase();
  return ok('writes', 'PostgreSQL takes them');
}

/** Listens and announces through the pool as the server does. */
async function checkNotifications(databaseUrl: string, db: Database): Promise<Finding> {
  const failed = Promise.withResolvers<never>();
  const client = new ListenClient(databaseUrl, {
    name: 'tertulia doctor',
    topic: 'tertulia_doctor',
    notify: (...notification) => notifyTopic(db, ...notification),
    onNotification: () => {},
    onProblem: failed.reject,
  });
  try {
    // `ready` may time out before the cause is known; wait for the cause then.
    const ready = client.ready().catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      return failed.promise;
    });
    await Promise.race([ready, failed.promise]);
    return ok('live messages', 'notifications arrive: no pool, or one in session mode');
  } finally {
    await client.close();
  }
}

async function checkConnections({ workers }: Config, db: Database): Promise<Finding> {
  const { rows } = await sql<{ most: number }>`
    select least(
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int,
      nullif((select rolconnlimit from pg_roles where rolname = current_user), -1),
      nullif((select datconnlimit from pg_database where datname = current_database()), -1)
    ) as most
  `.execute(db);
  const most = rows[0]?.most ?? 0;
  const needed = workers * connectionsPerProcess;
  const message = `${needed} for WORKERS=${workers}, of ${most} that PostgreSQL allows`;
  if (needed > most)
    return fix('connections', `${message}: raise max_connections, or lower WORKERS`);
  if (needed + spareConnections > most) {
    return advice('connections', `${message}: too few are left for an update or a backup`);
  }
  return ok('connections', message);
}

/** Compares this machine's clock with PostgreSQL's. */
async function checkClock(db: Database): Promise<Finding> {
  const beforeMs = Date.now();
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms
  `.execute(db);
  const there = rows[0]?.ms ?? 0;
  // PostgreSQL read its clock between the two readings here.
  const aheadMs = Math.max(beforeMs - there, there - Date.now(), 0);
  if (aheadMs <= maxClockDifferenceMs) return ok('clock', 'agrees with that of PostgreSQL');
  return advice(
    'clock',
    `${(aheadMs / 1000).toFixed(1)} s from that of PostgreSQL: run NTP on both machines`,
  );
}
