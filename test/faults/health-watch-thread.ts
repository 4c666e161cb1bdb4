import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 20;
const { url, pid } = workerData as { url: string; pid: number };

// A machine that has too much else to do is not the server's fault: what it waited for a processor
// does not count, nor how late this thread itself came to run.
const ownDelay = monitorEventLoopDelay({ resolution: 2 });
ownDelay.enable();

/** How long the server's main thread was ready to run and did not, in milliseconds since its start. */
function waitedForProcessorMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}

let slowestMs = 0;
let answers = 0;
let isAsked = true;
parentPort?.once('message', () => {
  isAsked = false;
});

async function answered(): Promise<boolean> {
  const sent = request(`${url}/healthz`, { agent: false }).end();
  try {
    const [response] = await once(sent, 'response');
    await once(response.resume(), 'end');
    return response.statusCode === 200;
  } catch {
    // Whoever watches the process will say that it ended.
    return false;
  }
}

while (isAsked) {
  ownDelay.reset();
  const waitedMs = waitedForProcessorMs();
  const startMs = performance.now();
  if (await answered()) {
    answers++;
    const tookMs = performance.now() - startMs;
    const notItsFaultMs = ownDelay.max / 1e6 + waitedForProcessorMs() - waitedMs;
    slowestMs = Math.max(slowestMs, tookMs - notItsFaultMs);
  }
  await delay(everyMs);
}
parentPort?.postMessage({ slowestMs: Math.round(slowestMs), answers });
