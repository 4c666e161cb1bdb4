import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

/** Delay before a worker is restarted: doubled after each failed start. */
const restartDelayMs = { first: 100, longest: 5000 };
/** A worker that fails sooner than this counts as a failed start. */
const settledMs = 10_000;
/** Limit of consecutive failed starts of one worker; giving up takes some 20 s with these delays. */
const maxFailedStarts = 6;

interface WorkersOptions {
  count: number;
  /** Aborted when all workers should stop. */
  stop: AbortSignal;
  /** Time to stop before a worker is killed. */
  drainMs: number;
  log: FastifyBaseLogger;
  /** Called once, with the shared port. */
  onListening: (port: number) => void;
}

/**
 * Runs copies of this process on one port and restarts those that end, until stopped or until one
 * cannot start. The first worker starts alone, so that it migrates and a wrong setting is logged once.
 * @returns exit code: that of a worker that cannot start, 1 when one did not stop in time
 */
export async function superviseWorkers(options: WorkersOptions): Promise<number> {
  const { count, drainMs, log, onListening } = options;
  // Workers accept connections themselves: one passed to a worker that was just killed would hang.
  // This has an effect before `setupPrimary` only.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // Workers have the settings in their environment, and may not be allowed to read the file.
  cluster.setupPrimary({ args: ['start'] });
  const givingUp = new AbortController();
  const stop = AbortSignal.any([options.stop, givingUp.signal]);
  let listened = false;
  const others: Promise<number>[] = [];

  const endAll = () => {
    for (const worker of Object.values(cluster.workers ?? {})) endInTime(worker, drainMs);
  };
  stop.addEventListener('abort', endAll, { once: true });

  /** Restarts one worker whenever it ends. @returns exit code of the last one */
  async function keepOne(): Promise<number> {
    let failedStarts = 0;
    while (!stop.aborted) {
      const worker = cluster.fork();
      const startMs = Date.now();
      let listens = false;
      worker.once('listening', ({ port }) => {
        listens = true;
        if (listened) return;
        listened = true;
        onListening(port);
        for (let i = 1; i < count; i++) others.push(keepOne());
      });
      const [code, signal] = await endOf(worker);
      // A worker stopped during its start has no requests to finish.
      if (stop.aborted) return listens ? (code ?? 1) : 0;
      const failed = !listens || (code !== 0 && Date.now() - startMs < settledMs);
      failedStarts = failed ? failedStarts + 1 : 0;
      if (!listened || failedStarts > maxFailedStarts) {
        if (listened) log.fatal('a worker failed to start repeatedly; the cause is logged above');
        givingUp.abort();
        return code || 1;
      }
      log.warn({ worker: worker.process.pid, code, signal }, 'a worker ended; restarting it');
      const waitMs = Math.min(restartDelayMs.first * 2 ** failedStarts, restartDelayMs.longest);
      await delay(waitMs, undefined, { signal: stop }).catch(() => {});
    }
    return 0;
  }

  const codes = [await keepOne(), ...(await Promise.all(others))];
  return codes.find((code) => code !== 0) ?? 0;
}

async function endOf(worker: Worker): Promise<[code: number | null, signal: string | null]> {
  // Writing to a worker that has just ended emits an error.
  worker.on('error', () => {});
  // `once` rejects on such an error, or when the process could not be created.
  return once(worker, 'exit').catch(() => {
    worker.process.kill('SIGKILL');
    return [1, null];
  }) as Promise<[number | null, string | null]>;
}

function endInTime(worker: Worker | undefined, drainMs: number): void {
  worker?.process.kill('SIGTERM');
  const timer = setTimeout(() => worker?.process.kill('SIGKILL'), drainMs);
  worker?.once('exit', () => clearTimeout(timer));
}
