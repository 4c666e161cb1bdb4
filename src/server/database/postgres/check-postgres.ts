import { sql } from 'kysely';
import type { DatabaseSettings } from '../../config/config.ts';
import { advice, type Finding, fix, ok } from '../../finding.ts';
import type { Check } from '../engine-type.ts';
import { DatabaseUnavailable, ReadOnlyDatabase } from '../errors.ts';
import type { Database } from '../tables.ts';
import { notifyTopic } from './notify.ts';

/** Connections that an update, backups and the operator need. */
const spareConnections = 5;
const maxClockDifferenceMs = 1000;

/** Checks of the PostgreSQL of the settings and a pool in front of it, without writing. */
export const postgresChecks = ({ databaseUrl = '' }: DatabaseSettings, db: Database): Check[] => [
  ['writes', () => checkWrites(db)],
  ['live messages', () => checkNotifications(databaseUrl, db)],
  ['connections', () => checkConnections(db)],
  ['clock', () => checkClock(db)],
];

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
  const { ListenClient } = await import('./listen-client.ts');
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

async function checkConnections(db: Database): Promise<Finding> {
  const { rows } = await sql<{ most: number }>`
    select least(
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int,
      nullif((select rolconnlimit from pg_roles where rolname = current_user), -1),
      nullif((select datconnlimit from pg_database where datname = current_database()), -1)
    ) as most
  `.execute(db);
  const { connectionsPerProcess } = await import('./postgres-pool.ts');
  const most = rows[0]?.most ?? 0;
  const message = `${connectionsPerProcess} for each server, of ${most} that PostgreSQL allows`;
  if (connectionsPerProcess > most) return fix('connections', `${message}: raise max_connections`);
  if (connectionsPerProcess + spareConnections > most) {
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
