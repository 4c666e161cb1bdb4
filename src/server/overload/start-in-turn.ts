import { FairQueue } from './fair-queue.ts';

/** Duration of a turn of the event loop above which fewer pieces of work start in the next. */
const turnMs = 1;
/** A cached response takes some 30 µs. */
const mostPerTurn = 16;

const waiting = new FairQueue<() => void>();
let perTurn = mostPerTurn;
let started = 0;
let isScheduled = false;
let turnStartMs = 0;

/**
 * Calls `start` at once, or in a later turn of the event loop when this one is full. Keys take turns. Node
 * accepts one connection in each turn: if a turn lasted as long as the work of all ready connections, a new
 * visitor would wait that long once for each connection that was opened earlier.
 * @param key an `addressKey`
 */
export function startInTurn(key: string, start: () => void): void {
  if (!isScheduled) {
    isScheduled = true;
    turnStartMs = performance.now();
    setImmediate(nextTurn);
  }
  if (started < perTurn) {
    started++;
    start();
  } else waiting.push(key, start);
}

function nextTurn(): void {
  const nowMs = performance.now();
  const isLong = nowMs - turnStartMs > turnMs;
  turnStartMs = nowMs;
  perTurn = isLong ? Math.max(1, perTurn >> 1) : Math.min(mostPerTurn, perTurn + 1);
  started = 0;
  while (started < perTurn) {
    const start = waiting.shift();
    if (!start) break;
    started++;
    start();
  }
  isScheduled = started > 0;
  if (isScheduled) setImmediate(nextTurn);
}
