import path from 'node:path';
import type { Config } from './config.ts';
import { sqliteFile } from './data-dir.ts';
import { databaseAddress, decode } from './database-url.ts';

/** Describes the database that the settings name, without user and password. */
export function describeDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (!databaseUrl) return `the SQLite file ${sqliteFile(dataDir)}`;
  const { pathname, username } = new URL(databaseUrl);
  const { host, port, isSocket } = databaseAddress(databaseUrl);
  const address = isSocket || port === '5432' ? host : `${host}:${port}`;
  const name = decode(pathname.slice(1)) || decode(username) || 'of the default name';
  return `the PostgreSQL database ${name} on ${address}`;
}

/** Describes the folder or bucket where images are stored. */
export function describeImageStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): string {
  return s3
    ? `the bucket ${s3.bucket} of ${s3.endpoint}`
    : `the folder ${path.join(dataDir, 'images')}`;
}
