import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyBaseLogger } from 'fastify';

const checkEveryMs = 1000;
/** A collection takes a tenth of a second or so. */
const collectEveryMs = 10_000;
/** Ordinary work stays far below, images, ten thousand readers and full caches counted. */
const ampleBytes = 1.5 * 1024 ** 3;
/** Of the memory there is, the rest is for the system and what else runs. */
const share = 0.8;
/** Where it is enough again: it seldom falls by itself, and should not go to and fro. */
const resumeShare = 0.9;

/**
 * What one process may take up before it refuses what costs memory.
 * @param workers how many of them share the memory, which is that of the control group if it has a
 * limit, else the machine's
 */
export function residentBound(workers: number): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(ampleBytes, (memory * share) / workers);
}

/** Whether memory is short from now on; between the two bounds it stays as it was. */
export function isShortAt(rssBytes: number, boundBytes: number, wasShort: boolean): boolean {
  return rssBytes > boundBytes * (wasShort ? resumeShare : 1);
}

/** Watches the process's resident memory, every second. */
export class MemoryWatch {
  #isShort = false;
  #collectedAtMs = Number.NEGATIVE_INFINITY;
  readonly #boundBytes: number;
  readonly #log: FastifyBaseLogger;
  readonly #clock = setInterval(() => this.#check(), checkEveryMs).unref();

  constructor(boundBytes: number, log: FastifyBaseLogger) {
    this.#boundBytes = boundBytes;
    this.#log = log;
  }

  get isShort(): boolean {
    return this.#isShort;
  }

  close(): void {
    clearInterval(this.#clock);
  }

  #check(): void {
    const rssBytes = process.memoryUsage.rss();
    const isShort = isShortAt(rssBytes, this.#boundBytes, this.#isShort);
    if (isShort !== this.#isShort) {
      const message = isShort
        ? 'memory is short: uploads and new live streams are refused'
        : 'memory is enough again';
      this.#log.warn({ rssBytes, boundBytes: this.#boundBytes }, message);
    }
    this.#isShort = isShort;
    // What was left by work that is done is held until there is need of it: now there is.
    if (isShort && performance.now() > this.#collectedAtMs + collectEveryMs) {
      this.#collectedAtMs = performance.now();
      collectGarbage();
    }
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext("gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })");
}
