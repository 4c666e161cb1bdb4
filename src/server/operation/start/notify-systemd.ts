import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';

const run = promisify(execFile);

/**
 * Tells systemd (`Type=notify`) that the server is ready and, with `WatchdogSec`, that its event loop still runs.
 * Uses `systemd-notify`, since Node cannot send datagrams to Unix sockets. Does nothing without `NOTIFY_SOCKET`.
 * @returns a function that tells systemd that the server is stopping
 */
export function notifySystemd(log: FastifyBaseLogger, env = process.env): () => Promise<void> {
  if (!env.NOTIFY_SOCKET) return async () => {};
  let isWarned = false;
  const notify = async (state: string) => {
    try {
      await run('systemd-notify', [state], { env, timeout: 10_000 });
    } catch (error) {
      if (!isWarned) log.warn({ err: error }, 'systemd does not learn how the server is');
      isWarned = true;
    }
  };
  void notify('READY=1');
  const watchdogMs = Number(env.WATCHDOG_USEC ?? 0) / 1000;
  const timer = watchdogMs > 0 ? setInterval(notify, watchdogMs / 3, 'WATCHDOG=1') : undefined;
  return () => {
    clearInterval(timer);
    return notify('STOPPING=1');
  };
}
