import cluster from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { buildApp } from '../app.ts';
import { readLastBackup } from '../backups/last-backup.ts';
import { type Config, ConfigError, parseConfig } from '../config.ts';
import { DataDirInUse } from '../database/locks/data-dir-lock.ts';
import { storageTrouble } from '../database/storage-errors.ts';
import { UnfitDatabase } from '../database/unfit-database.ts';
import { openDeps } from '../deps.ts';
import { exitCodes } from './exit-codes.ts';
import { startHousekeeping } from './housekeeping.ts';
import { answerForAllWorkers, metricsOfAllWorkers } from './worker-metrics.ts';
import { superviseWorkers } from './workers.ts';

/** Longest that a stop may take before the process ends all the same. */
const drainMs = 10_000;
/** How long a stopping process still takes requests, where others may take over. */
const lameDuckMs = 2000;

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const logger = {
    level: config.logLevel,
    ...(process.stdout.isTTY ? { stream: await prettyLog() } : {}),
  };
  if (config.workers === 1 || cluster.isWorker) return serve(config, logger);

  // For its logger alone.
  const { log } = Fastify({ logger });
  endOnUncaught(log);
  if (config.metrics) answerForAllWorkers();
  process.exitCode = await superviseWorkers({
    count: config.workers,
    stop: askedToStop(),
    drainMs,
    log,
    onListening: (port) => void announce(config, log, port),
  });
}

async function prettyLog() {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ ignore: 'pid,hostname' });
}

/** Serves until the process is asked to stop. */
async function serve(config: Config, logger: Parameters<typeof buildApp>[1]): Promise<void> {
  const { worker } = cluster;
  const replace = worker && config.metrics ? { metrics: metricsOfAllWorkers(worker) } : {};
  const deps = await openDeps(config, replace, console.error);
  try {
    // An SQLite file belongs to one process: nobody can take over.
    const app = await buildApp(deps, logger, config.databaseUrl ? lameDuckMs : 0);
    endOnUncaught(app.log);
    const stop = askedToStop();
    const { host, port } = config;
    await app.listen({ host, port, listenTextResolver: () => 'listening' });
    startHousekeeping(deps, app.log);
    if (!worker) await announce(config, app.log, (app.server.address() as AddressInfo).port);

    if (!stop.aborted) await once(stop, 'abort');
    app.log.info({ signal: stop.reason }, 'stopping');
    setTimeout(() => process.exit(1), drainMs).unref();
    await app.close();
  } finally {
    await deps.close();
  }
}

/** After an error that nobody caught, a rejection too, nothing is certain: it is said once, and all ends. */
function endOnUncaught(log: FastifyBaseLogger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error');
    process.exit(1);
  });
}

/** Aborted, with the signal's name as the reason. */
function askedToStop(): AbortSignal {
  const asked = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => asked.abort(signal));
  return asked.signal;
}

async function announce(config: Config, log: FastifyBaseLogger, port: number): Promise<void> {
  const isLocal = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.host);
  log.info(`tertulia is at http://${isLocal ? 'localhost' : config.host}:${port}`);
  if (config.trustProxy > 0 && config.publicUrl === undefined) {
    log.warn(
      'TRUST_PROXY is set and PUBLIC_URL is not: previews of links name the Host of each request, with http. Set PUBLIC_URL.',
    );
  }
  const elsewhere = [config.databaseUrl && 'PostgreSQL', config.s3 && `bucket ${config.s3.bucket}`];
  const places = [config.dataDir, ...elsewhere.filter((place) => place !== undefined)];
  log.info(`its data lies in ${places.join(' and ')}`);
  log.info({ lastBackup: await readLastBackup(config) }, 'last verified backup');
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
  } else if (error instanceof Error && storageTrouble(error)) {
    console.error(
      `The data cannot be worked on: ${error.message}. Look at DATA_DIR: is its disk full or read-only, may this user write there, does another program hold tertulia.db?`,
    );
    process.exitCode = 1;
  } else {
    console.error(error);
    process.exitCode = 1;
  }
}
// Its line to the primary would keep a worker alive.
cluster.worker?.disconnect();
