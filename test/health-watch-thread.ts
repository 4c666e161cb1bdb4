import { once } from 'node:events';
import { request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 20;
const { url } = workerData as { url: string };

/** How late this thread itself came to run: a machine that has too much to do is not the server's fault. */
const ownDelay = monitorEventLoopDelay({ resolution: 2 });
ownDelay.enable();

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
  const startMs = performance.now();
  if (await answered()) {
    answers++;
    slowestMs = Math.max(slowestMs, performance.now() - startMs - ownDelay.max / 1e6);
  }
  await delay(everyMs);
}
parentPort?.postMessage({ slowestMs: Math.round(slowestMs), answers });
