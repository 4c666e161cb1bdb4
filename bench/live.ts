import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRoutes } from '../src/shared/api-routes.ts';
import { liveEvents } from '../src/shared/live.ts';
import { pageRoutes } from '../src/shared/routes.ts';
import { filled } from '../test/forum/fill-forum.ts';
import { memoryOf } from '../test/processes/process-memory.ts';
import { startForum } from './forum.ts';
import { get, load } from './load.ts';
import { format, median, type Section, verdict } from './section.ts';

const readers = 10_000;
/** Enough loopback addresses for all readers, since the server limits the connections of each address. */
const localAddresses = Array.from({ length: 100 }, (_, index) => `127.0.1.${index + 1}`);
/** Connections opened at once; more would overflow the server's listen queue. */
const batch = 50;
const comments = 10;
/** Longer than the interval between two heartbeats. */
const idleMs = 22_000;
const readsPerSecond = 200;
const budgets = { bytesEach: 20_000, deliveryMs: 1000, readMs: 100 };

const channelId = filled.channelId(0);

/** Measures ten thousand readers of a channel that gets a comment per second, while other clients read pages. */
export async function live(): Promise<Section[]> {
  const { client, server, token, stop } = await startForum();
  const reading = {
    connections: 32,
    requests: [get(pageRoutes.home), get(pageRoutes.channel(channelId))],
    perSecond: readsPerSecond,
  };
  await load(server, { ...reading, seconds: 5 });
  const beforeMb = memoryOf(server.pid).nowMb;
  let received = 0;
  const sockets: Socket[] = [];
  while (sockets.length < readers) {
    const opened = Array.from({ length: batch }, (_, index) => {
      const localAddress = localAddresses[index % localAddresses.length] ?? '';
      return openStream(server.url, localAddress, () => received++);
    });
    sockets.push(...(await Promise.all(opened)));
  }
  await delay(idleMs);
  const bytesEach = ((memoryOf(server.pid).nowMb - beforeMb) * 1024 ** 2) / readers;

  const [read, deliveriesMs] = await Promise.all([
    load(server, { ...reading, seconds: comments }),
    deliver(),
  ]);
  for (const socket of sockets) socket.destroy();
  await stop();

  async function deliver(): Promise<number[]> {
    const timesMs: number[] = [];
    for (let i = 1; i <= comments; i++) {
      const startMs = performance.now();
      await client.comment({ token }, channelId, filled.text);
      while (received < i * readers) await delay(1);
      timesMs.push(performance.now() - startMs);
      await delay(Math.max(0, startMs + 1000 - performance.now()));
    }
    return timesMs;
  }

  const slowestMs = Math.max(...deliveriesMs);
  return [
    {
      title: 'Live',
      columns: ['what', 'figure', 'budget'],
      rows: [
        [
          'memory for each idle reader',
          format.kilobytes(bytesEach),
          verdict(`<= ${format.kilobytes(budgets.bytesEach)}`, bytesEach <= budgets.bytesEach),
        ],
        [
          `a comment reaches all, slowest of ${comments}`,
          format.ms(slowestMs),
          verdict(`<= ${format.ms(budgets.deliveryMs)}`, slowestMs <= budgets.deliveryMs),
        ],
        ['a comment reaches all, median', format.ms(median(deliveriesMs)), ''],
        [
          'pages meanwhile, p99',
          format.ms(read.p99Ms),
          verdict(`< ${format.ms(budgets.readMs)}`, read.p99Ms < budgets.readMs),
        ],
        ['pages meanwhile, slowest', format.ms(read.maxMs), ''],
      ],
      notes:
        `${format.count(readers)} streams of one channel; memory after ${idleMs / 1000} s without ` +
        `comments. Then a comment a second, and ${readsPerSecond} pages a second.`,
    },
  ];
}

/** Opens a live stream of the channel. @returns its connection after the first bytes */
function openStream(url: string, localAddress: string, onComment: () => void): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ port: Number(port), host: hostname, localAddress });
  socket.write(
    `GET ${apiRoutes.channelLive(channelId)} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (text.startsWith('HTTP/') && !text.startsWith('HTTP/1.1 200')) reject(new Error(text));
      if (text.includes(`event: ${liveEvents.comment}\n`)) onComment();
      resolve(socket);
    });
  });
}
