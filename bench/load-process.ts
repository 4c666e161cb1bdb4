// Puts load on a server and tells its parent what came of it. Plain sockets and the least that can
// be read of an answer, so that the generator is not what is measured.
import { createConnection } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import type { LoadFigures, LoadJob } from './load.ts';

const headEnd = Buffer.from('\r\n\r\n');

process.once('message', async (job: LoadJob) => {
  const figures = await run(job);
  process.send?.(figures, () => process.exit());
});

async function run(job: LoadJob): Promise<LoadFigures> {
  const requests = job.requests.map((text) => Buffer.from(text));
  const times = createHistogram();
  const startMs = performance.now();
  const endMs = startMs + job.seconds * 1000;
  let begun = 0;

  const converse = () =>
    new Promise<void>((resolve, reject) => {
      const socket = createConnection({ port: job.port, host: '127.0.0.1', noDelay: true });
      let sentMs = 0;
      /** Bytes of the answer still to come; undefined while its head is not complete. */
      let missing: number | undefined;
      let head: Buffer = Buffer.alloc(0);

      const next = () => {
        const turn = begun++;
        const nowMs = performance.now();
        // Timed from when it was due, so that a server that stands still is charged for all who wait.
        const dueMs = job.perSecond ? startMs + (turn / job.perSecond) * 1000 : nowMs;
        if (Math.max(dueMs, nowMs) >= endMs) {
          socket.end();
          return;
        }
        const send = () => {
          sentMs = dueMs;
          socket.write(requests[turn % requests.length] ?? '');
        };
        if (dueMs > nowMs) setTimeout(send, dueMs - nowMs);
        else send();
      };
      socket.on('connect', next);
      socket.on('data', (chunk: Buffer) => {
        if (missing === undefined) {
          head = head.length > 0 ? Buffer.concat([head, chunk]) : chunk;
          const end = head.indexOf(headEnd);
          if (end < 0) return;
          const text = head.toString('latin1', 0, end);
          const length = /^content-length: (\d+)/im.exec(text)?.[1];
          if (!text.startsWith('HTTP/1.1 2') || !length) {
            return reject(new Error(`unexpected answer: ${head.toString('utf8', 0, 500)}`));
          }
          missing = Number(length) - (head.length - end - headEnd.length);
          head = Buffer.alloc(0);
        } else {
          missing -= chunk.length;
        }
        if (missing > 0) return;
        missing = undefined;
        times.record(Math.max(1, Math.round((performance.now() - sentMs) * 1e6)));
        next();
      });
      socket.on('error', reject).on('close', () => resolve());
    });

  await Promise.all(Array.from({ length: job.connections }, converse));
  const seconds = (performance.now() - startMs) / 1000;
  return {
    perSecond: times.count / Math.max(seconds, job.seconds),
    p50Ms: times.percentile(50) / 1e6,
    p99Ms: times.percentile(99) / 1e6,
    maxMs: times.max / 1e6,
  };
}
