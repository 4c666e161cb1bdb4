// Opens many streams of a channel and tells its parent whenever all of them have heard something.
import { createConnection } from 'node:net';
import { liveEvents } from '../src/shared/live.ts';
import type { ReadersJob, ReadersNews } from './live.ts';

/** Opened at once: more would overrun the server's queue of connections. */
const atOnce = 50;

process.once('message', async (job: ReadersJob) => {
  const tell = (news: ReadersNews) => process.send?.(news);
  let heard = 0;
  const hear = () => {
    heard++;
    if (heard % job.count === 0) tell({ kind: 'told', atMs: Date.now() });
  };
  for (let opened = 0; opened < job.count; opened += atOnce) {
    const count = Math.min(atOnce, job.count - opened);
    await Promise.all(Array.from({ length: count }, () => open(job, hear)));
  }
  tell({ kind: 'open' });
});

/** One stream. @returns once its first bytes are here */
function open({ port, localAddress, path }: ReadersJob, hear: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1', localAddress });
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n`);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (text.startsWith('HTTP/') && !text.startsWith('HTTP/1.1 200')) reject(new Error(text));
      if (text.includes(`event: ${liveEvents.comment}\n`)) hear();
      resolve();
    });
    socket.on('error', reject).on('close', () => reject(new Error('a stream has ended')));
  });
}
