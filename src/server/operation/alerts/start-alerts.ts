import type { FastifyBaseLogger } from 'fastify';
import { engineOf } from '../../database/engine.ts';
import { tryWithLock } from '../../database/locks/locks.ts';
import type { AppServices } from '../../services.ts';
import { AlertState } from './alert-state.ts';
import { type AlertKind, alertTitles } from './alert-texts.ts';
import { type AlertServices, checks } from './find-problems.ts';
import { checkAll } from './health-checks.ts';
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
/** How long the database may be unavailable before an alert is sent. */
const awayMs = 600_000;

type Log = Pick<FastifyBaseLogger, 'warn'>;

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
export async function sendHeartbeat(services: AppServices, url: string, log: Log): Promise<void> {
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
  const { config, db, now } = services;
  const state = new AlertState(config.dataDir);
  let awaySinceMs: number | undefined;

  const send = (kind: AlertKind, type: 'failure' | 'success', message: string) =>
    sendAlert(config, { kind, type, title: alertTitles[kind][type], message }, log);

  /** @param problem what the operator should do; undefined when all is well */
  const settle = async (kind: AlertKind, problem: string | undefined) => {
    const last = await state.read(kind);
    if (problem !== undefined) {
      const isDue = !last || Math.abs(now() - last.sentAtMs) >= quietMs;
      const isSent = isDue && (await send(kind, 'failure', problem));
      if (isSent && kind === 'errors') errors.count = 0;
      if (isSent && kind === 'push') services.pushRefusals.count = 0;
      await state.save(kind, {
        sentAtMs: isSent ? now() : (last?.sentAtMs ?? 0),
        seenAtMs: now(),
        isOpen: isSent || (last?.isOpen ?? false),
      });
    } else if (last?.isOpen) {
      if (now() - last.seenAtMs < (overAfterMs[kind] ?? 0)) return;
      const isSent = await send(kind, 'success', 'No hace falta hacer nada.');
      if (isSent) await state.save(kind, { ...last, isOpen: false });
    }
  };

  const check = async () => {
    const isAway = await engineOf(db)
      .requireWritable(db)
      .then(
        () => false,
        () => true,
      );
    awaySinceMs = isAway ? (awaySinceMs ?? now()) : undefined;
    if (awaySinceMs !== undefined) {
      // Without the database there is no lock, so each process may send this alert.
      if (now() - awaySinceMs < awayMs) return;
      const minutes = Math.floor((now() - awaySinceMs) / 60_000);
      await settle(
        'database',
        `No responde o no admite cambios desde hace ${minutes} minutos. Mira si está en marcha y qué dice: tertulia doctor`,
      );
      return;
    }
    await tryWithLock(
      services,
      async () => {
        await settle('database', undefined);
        for (const [kind, find] of checks) {
          const found = await find(services, errors).then(
            (problem) => ({ problem }),
            (err: unknown) => {
              log.warn({ err }, `whether to alert about ${kind} is not known`);
            },
          );
          if (found) await settle(kind, found.problem);
        }
      },
      'alerts',
    );
  };
  return () => check().catch((err: unknown) => log.warn({ err }, 'checking for alerts failed'));
}
