import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 20;
/** An address that the tests do not use. */
const localAddress = '127.0.0.2';
const { url, pid } = workerData as { url: string; pid: number };

// For a busy machine, the time for which the server waited for a processor and the delay of this thread's own event
// loop are subtracted.
const ownDelay = monitorEventLoopDelay({ resolution: 2 });
ownDelay.enable();

/** Time for which the server's main thread has waited for a processor since its start, in milliseconds. */
function waitedForProcessorMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}

let slowestMs = 0;
let responses = 0;
let failed = 0;
let isRunning = true;
parentPort?.once('message', () => {
  isRunning = false;
});

async function isHealthy(): Promise<boolean> {
  const sent = request(`${url}/healthz`, { agent: false, localAddress }).end();
  try {
    const [response] = await once(sent, 'response');
    await once(response.resume(), 'end');
    return response.statusCode === 200;
  } catch {
    return false;
  }
}

while (isRunning) {
  ownDelay.reset();
  const waitedMs = waitedForProcessorMs();
  const startMs = performance.now();
  if (await isHealthy()) responses++;
  else failed++;
  const tookMs = performance.now() - startMs;
  const otherDelayMs = ownDelay.max / 1e6 + waitedForProcessorMs() - waitedMs;
  slowestMs = Math.max(slowestMs, tookMs - otherDelayMs);
  await delay(everyMs);
}
parentPort?.postMessage({ slowestMs: Math.round(slowestMs), responses, failed });
