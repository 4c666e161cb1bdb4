import type { AddressInfo } from 'node:net';
import pretty from 'pino-pretty';
import { buildApp } from './app.ts';
import { readLastBackup } from './backups/last-backup.ts';
import { type Config, ConfigError, parseConfig } from './config.ts';
import { DataDirInUse } from './database/database.ts';
import { UnfitDatabase } from './database/unfit-database.ts';
import { openDeps } from './deps.ts';
import { startHousekeeping } from './housekeeping.ts';

/** Longest that a stop may take before the process ends all the same. */
const drainMs = 10_000;
const exitCodes = { wrongSettings: 2, inUse: 3, unfitDatabase: 4 };

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const deps = await openDeps(config, {}, console.error);
  const app = await buildApp(deps, {
    level: config.logLevel,
    ...(process.stdout.isTTY ? { stream: pretty({ ignore: 'pid,hostname' }) } : {}),
  });

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    app.log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), drainMs).unref();
    await app.close();
    await deps.close();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  await app.listen({ host: config.host, port: config.port, listenTextResolver: () => 'listening' });
  startHousekeeping(deps, app.log);
  app.log.info(`tertulia is at ${addressOf(config, app.server.address())}`);
  const elsewhere = [config.databaseUrl && 'PostgreSQL', config.s3 && `bucket ${config.s3.bucket}`];
  const places = [config.dataDir, ...elsewhere.filter((place) => place !== undefined)];
  app.log.info(`its data lies in ${places.join(' and ')}`);
  app.log.info({ lastBackup: await readLastBackup(config) }, 'last verified backup');
}

function addressOf(config: Config, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' ? address?.port : undefined;
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.host)
    ? 'localhost'
    : config.host;
  return `http://${host}:${port ?? config.port}`;
}

/** Settings from `.env`, when there is one; the environment wins over it. */
function readEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

try {
  readEnvFile();
  await main();
} catch (error) {
  if (error instanceof UnfitDatabase) {
    console.error(error.message);
    process.exitCode = exitCodes.unfitDatabase;
  } else if (error instanceof ConfigError || error instanceof DataDirInUse) {
    console.error(error.message);
    process.exitCode = error instanceof ConfigError ? exitCodes.wrongSettings : exitCodes.inUse;
  } else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    console.error('Another program listens on that address. Stop it, or set PORT.');
    process.exitCode = exitCodes.inUse;
  } else {
    console.error(error);
    process.exitCode = 1;
  }
}
