import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { type AppOptions, buildApp } from '../../app.ts';
import { engineOf } from '../../database/engine.ts';
import { UnfitDatabase } from '../../database/errors.ts';
import { startMailing } from '../../mail/start-mailing.ts';
import { mailMakers, startTelling } from '../../notifications/pass/start-telling.ts';
import { startIndexBuilder } from '../../search-index/index-builder.ts';
import type { Config } from '../../system/settings/config.ts';
import { describeDatabase, describeImageStore } from '../../system/settings/describe-stores.ts';
import { findDoubts } from '../../system/settings/doubtful-settings.ts';
import { describeSettings, type SettingsFile } from '../../system/settings/settings-file.ts';
import { findUnknownSettings } from '../../system/settings/unknown-settings.ts';
import { buildName } from '../../system/version.ts';
import { LoggedErrors } from '../alerts/logged-errors.ts';
import { startAlerts } from '../alerts/start-alerts.ts';
import { readLastBackup } from '../backups/last-backup.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { startHousekeeping } from '../housekeeping/housekeeping.ts';
import { startAskingForReleases } from '../releases/ask-for-releases.ts';
import { watchClock } from './clock-watch.ts';
import { logOutput } from './log-output.ts';
import { notifySystemd } from './notify-systemd.ts';
import { offerFounding } from './offer-founding.ts';
import { openSite } from './open-site.ts';

/** Time after which a shutdown is forced. */
const drainMs = 10_000;
/** How long a stopping process behind a proxy still accepts requests, so that the proxy can notice. */
const lameDuckMs = 1000;
/** How long a stopping process waits for the mail and the push messages that are being sent. */
const lastSendMs = 3000;

interface Start {
  config: Config;
  settings: SettingsFile;
  /** The monotonic clock by which nothing is erased in the first hour, in ms. Tests replace it. */
  steadyNow?: () => number;
}

/** Serves the site in this process until a signal stops it. */
export async function startServer(start: Start): Promise<void> {
  const { config } = start;
  const errors = new LoggedErrors();
  const logger = {
    hooks: errors.hooks,
    level: config.logLevel,
    stream: process.stdout.isTTY ? await prettyLog() : logOutput(),
  };
  // Fastify is created only for its logger.
  logSettings(start, Fastify({ logger }).log);
  await serve(start, logger, errors);
}

/** @returns undefined when METRICS is off, so that a start does not load these modules */
async function loadMetrics({ metrics }: Config) {
  if (!metrics) return undefined;
  return {
    ...(await import('../metrics/metrics.ts')),
    ...(await import('../metrics/metrics-server.ts')),
  };
}

async function prettyLog() {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ ignore: 'pid,hostname,founderLink,endsAt' });
}

async function serve(
  { config, steadyNow }: Start,
  logger: AppOptions['logger'],
  errors: LoggedErrors,
): Promise<void> {
  const loaded = await loadMetrics(config);
  const metrics = loaded?.openMetrics(config);
  const services = await openSite(config, {}, console.error);
  try {
    const app = await buildApp(services, {
      ...(logger && { logger }),
      lameDuck: config.trustProxy > 0 ? () => delay(lameDuckMs) : undefined,
      metrics,
    });
    exitOnUncaught(app.log);
    for (const line of await engineOf(services.db).findDoubts(services.db)) app.log.warn(line);
    const stop = stopSignal();
    await using _metricsServer = metrics && (await loaded?.serveMetrics(config, metrics, app.log));
    const clock = await watchClock(services, app.log, steadyNow);
    const { host, port } = config;
    await app.listen({ host, port, listenTextResolver: () => 'listening' });
    startHousekeeping(services, app.log, clock, metrics);
    const stopBuilding = startIndexBuilder(services, app.log);
    const stopMailing = startMailing({ ...services, makers: mailMakers }, app.log);
    const stopTelling = startTelling(services, app.log);
    startAlerts(services, app.log, errors);
    startAskingForReleases(services, app.log);
    const last = await readLastBackup(services);
    app.log.info({ lastBackup: last?.file ?? null }, 'last verified backup');
    const address = localAddress(config, (app.server.address() as AddressInfo).port);
    await offerFounding(services, app.log, config.publicUrl ?? address);
    logStart(config, app.log, address);

    const notifyStop = notifySystemd(app.log);
    if (!stop.aborted) await once(stop, 'abort');
    app.log.info({ signal: stop.reason }, 'stopping');
    void notifyStop();
    setTimeout(() => process.exit(1), drainMs).unref();
    const sending = Promise.all([stopMailing(), stopTelling()]);
    await stopBuilding();
    await app.close();
    // After that, `close` aborts what is sent to a server that does not respond.
    await Promise.race([sending, delay(lastSendMs, undefined, { ref: false })]);
  } finally {
    await services.close();
  }
}

/**
 * Logs an uncaught exception or unhandled rejection and exits, because the state of the process is unknown, or because the
 * database's files were replaced: then only an operator knows which ones are right.
 */
function exitOnUncaught(log: FastifyBaseLogger): void {
  process.on('uncaughtException', (error) => {
    if (error instanceof UnfitDatabase) {
      log.fatal(error.message);
      process.exit(exitCodes.unfitDatabase);
    }
    log.fatal({ err: error }, 'uncaught error');
    process.exit(1);
  });
}

/** @returns a signal aborted by SIGTERM, SIGINT or SIGHUP, with its name as the reason */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => controller.abort(signal));
  return controller.signal;
}

/** Call it before anything is opened: if opening fails, a wrong setting may be the reason. */
function logSettings({ config, settings }: Start, log: FastifyBaseLogger): void {
  log.info(`settings are from ${describeSettings(settings)}`);
  const warnings = [...findUnknownSettings(settings, process.env), ...findDoubts(config)];
  for (const line of warnings) log.warn(line);
}

function localAddress({ host }: Config, port: number): string {
  const isLocal = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${isLocal ? 'localhost' : host}:${port}`;
}

function logStart(config: Config, log: FastifyBaseLogger, address: string): void {
  log.info({ version: buildName() }, `tertulia is at ${address}`);
  if (process.getuid?.() === 0) {
    log.warn(
      'the server runs as root: start it as a user of its own, as deploy/tertulia.service does.',
    );
  }
  log.info(`data is stored in ${describeDatabase(config)} and ${describeImageStore(config)}`);
}
