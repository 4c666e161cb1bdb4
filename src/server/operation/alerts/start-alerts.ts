import type { FastifyBaseLogger } from 'fastify';
import { tryWithLock } from '../../database/locks/locks.ts';
import type { AppServices } from '../../services.ts';
import { checkAll } from '../health/health-checks.ts';
import { AlertState } from './alert-state.ts';
import { type AlertKind, alertTitles } from './alert-texts.ts';
import { type AlertServices, type Check, checks, rowChecks } from './find-problems.ts';
import type { LoggedErrors } from './logged-errors.ts';
import { request, sendAlert } from './send-alert.ts';

const checkIntervalMs = 60_000;
const heartbeatIntervalMs = 300_000;
/** Minimum time between two alerts of a kind. */
const quietMs = 3_600_000;
/**
 * Failures that are counted have no end: they are over when no new one came for so long. More than an hour passes between
 * the last attempts of a push message.
 */
const overAfterMs: Partial<Record<AlertKind, number>> = { errors: quietMs, push: 3 * quietMs };
/** How long these may fail before an alert is sent, since a restart takes some minutes. */
const patienceMs: Partial<Record<AlertKind, number>> = { database: 600_000, images: 300_000 };

type Log = Pick<FastifyBaseLogger, 'warn' | 'error'>;

/** Alerts the operator and fetches HEARTBEAT_URL until the process ends, each if configured. */
export function startAlerts(services: AppServices, log: Log, errors: LoggedErrors): void {
  const { alertTo, alertUrl, heartbeatUrl } = services.config;
  if (alertTo ?? alertUrl) {
    const check = alertCheck(services, log, errors);
    let isChecking = false;
    const checkOnce = async () => {
      if (isChecking) return;
      isChecking = true;
      await check();
      isChecking = false;
    };
    void checkOnce();
    setInterval(checkOnce, checkIntervalMs).unref();
  }
  if (heartbeatUrl !== undefined) {
    const beat = () => sendHeartbeat(services, heartbeatUrl, log);
    void beat();
    setInterval(beat, heartbeatIntervalMs).unref();
  }
}

/** Fetches the URL if all checks pass. Never throws. */
export async function sendHeartbeat(
  services: AppServices,
  url: string,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if ((await checkAll(services)).length > 0) return;
  const problem = await request(url);
  if (problem) log.warn(`HEARTBEAT_URL was not fetched: ${problem}`);
}

/**
 * @returns a function that runs all checks once and sends the alerts that are due: at most one of a kind per hour, and a
 * message when the failure is over. If nobody accepts an alert, the next check sends it again. Never rejects.
 */
export function alertCheck(
  services: AlertServices,
  log: Log,
  errors: LoggedErrors,
): () => Promise<void> {
  const { config, now } = services;
  const state = new AlertState(config.dataDir);
  /** When each kind that fails now was first found failing. */
  const failingSinceMs = new Map<AlertKind, number>();

  const send = (kind: AlertKind, type: 'failure' | 'success', message: string) =>
    sendAlert(config, { kind, type, title: alertTitles[kind][type], message }, log);

  /** @returns the message that is due by now: none while the failure may still be a restart */
  const afterPatience = (kind: AlertKind, problem: string): string | undefined => {
    const sinceMs = failingSinceMs.get(kind) ?? now();
    failingSinceMs.set(kind, sinceMs);
    const lastedMs = now() - sinceMs;
    const patience = patienceMs[kind];
    if (patience === undefined) return problem;
    if (lastedMs < patience) return undefined;
    return `Falla desde hace ${Math.floor(lastedMs / 60_000)} minutos. ${problem}`;
  };

  /** @param problem what the operator should do; undefined when all is well */
  const settle = async (kind: AlertKind, problem: string | undefined) => {
    const last = await state.read(kind);
    if (problem !== undefined) {
      const message = afterPatience(kind, problem);
      if (message === undefined) return;
      const isDue = !last || Math.abs(now() - last.sentAtMs) >= quietMs;
      const isSent = isDue && (await send(kind, 'failure', message));
      if (isSent && kind === 'errors') errors.count = 0;
      if (isSent && kind === 'push') services.pushRefusals.count = 0;
      await state.save(kind, {
        sentAtMs: isSent ? now() : (last?.sentAtMs ?? 0),
        seenAtMs: now(),
        isOpen: isSent || (last?.isOpen ?? false),
      });
      return;
    }
    failingSinceMs.delete(kind);
    if (last?.isOpen) {
      if (now() - last.seenAtMs < (overAfterMs[kind] ?? 0)) return;
      const isSent = await send(kind, 'success', 'No hace falta hacer nada.');
      if (isSent) await state.save(kind, { ...last, isOpen: false });
    }
  };

  /** A check that fails hides no other one, and raises the alert about errors in the log. */
  const runAll = async (kinds: [AlertKind, Check][]) => {
    for (const [kind, find] of kinds) {
      try {
        await settle(kind, await find(services, errors));
      } catch (err) {
        log.error({ err }, `whether to alert about ${kind} is not known`);
      }
    }
  };

  const check = async () => {
    await runAll(checks);
    // Without the database these would fail as well.
    if (!failingSinceMs.has('database')) await runAll(rowChecks);
  };

  return () =>
    tryWithLock(services, check, 'alerts').catch((err: unknown) => {
      // The lock needs the database, and with SQLite a disk that is not full. Without it each process may send an alert.
      log.warn({ err }, 'alerts are checked without their lock');
      return check();
    });
}
