import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { buildApp } from './app.ts';
import { type Config, ConfigError, parseConfig } from './config.ts';
import { DataDirInUse } from './database/data-dir-lock.ts';
import { openDeps } from './deps.ts';
import { startHousekeeping } from './housekeeping.ts';

/** Longest that a stop may take before the process ends all the same. */
const drainMs = 10_000;
const exitCodes = { wrongSettings: 2, inUse: 3 };

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const deps = await openDeps(config);
  const app = await buildApp(deps, {
    level: config.logLevel,
    ...(process.stdout.isTTY ? { stream: await prettyLog() } : {}),
  });

  endOnUncaught(app.log);

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
}

/** After an error that nobody caught, a rejection too, nothing is certain: it is said once, and all ends. */
function endOnUncaught(log: FastifyBaseLogger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error');
    process.exit(1);
  });
}

async function prettyLog() {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ ignore: 'pid,hostname' });
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
  if (error instanceof ConfigError || error instanceof DataDirInUse) {
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
