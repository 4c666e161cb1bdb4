import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

/** Wait before a worker is started anew; it doubles with each start that fails, up to the longest. */
const againMs = { first: 100, longest: 5000 };
/** One that fails sooner than this after its start may never have been well. */
const settledMs = 10_000;
/** As many starts of one worker may fail in a row: with the waits, some 20 s and more. */
const mostFailedStarts = 8;

interface WorkersOptions {
  count: number;
  /** Aborted when all are to end. */
  stop: AbortSignal;
  /** Longest that they may take for it. */
  drainMs: number;
  log: FastifyBaseLogger;
  /** Called once, with the port that all share. */
  onListening: (port: number) => void;
}

/**
 * Keeps copies of this process serving on one port, until they are to stop or cannot start. The
 * first is alone until it listens: it migrates, and whatever is wrong is said once.
 * @returns exit code: that of a worker that cannot start, 1 when one did not end in time
 */
export async function superviseWorkers(options: WorkersOptions): Promise<number> {
  const { count, drainMs, log, onListening } = options;
  // Workers take connections themselves: one handed to a worker that was just killed would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const givingUp = new AbortController();
  const stop = AbortSignal.any([options.stop, givingUp.signal]);
  let listened = false;
  const others: Promise<number>[] = [];

  const endAll = () => {
    for (const worker of Object.values(cluster.workers ?? {})) endInTime(worker, drainMs);
  };
  stop.addEventListener('abort', endAll, { once: true });

  /** Keeps one worker alive. @returns the exit code of the last in its place */
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
      // Whoever is ended while it starts has nothing to finish.
      if (stop.aborted) return listens ? (code ?? 1) : 0;
      const failed = !listens || (code !== 0 && Date.now() - startMs < settledMs);
      failedStarts = failed ? failedStarts + 1 : 0;
      if (!listened || failedStarts > mostFailedStarts) {
        if (listened) log.fatal('a worker fails at its start again and again; its cause is above');
        givingUp.abort();
        return code || 1;
      }
      log.warn({ worker: worker.process.pid, code, signal }, 'a worker ended; it is started anew');
      const waitMs = Math.min(againMs.first * 2 ** failedStarts, againMs.longest);
      await delay(waitMs, undefined, { signal: stop }).catch(() => {});
    }
    return 0;
  }

  const codes = [await keepOne(), ...(await Promise.all(others))];
  return codes.find((code) => code !== 0) ?? 0;
}

async function endOf(worker: Worker): Promise<[code: number | null, signal: string | null]> {
  // One that is gone may still be written to before that is known.
  worker.on('error', () => {});
  // `once` fails with the first such error, or when there was no process to be had.
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
