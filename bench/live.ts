import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DemoClient } from '../scripts/demo/demo-client.ts';
import { apiRoutes, pageRoutes } from '../src/shared/routes.ts';
import type { DemoData } from './demo-data.ts';
import { get, load } from './load.ts';
import { pick } from './pick.ts';
import { memoryOf } from './process-figures.ts';
import { inWords, median, type Section, verdict } from './section.ts';
import { type Served, startFloor, startServer, temporaryFolder } from './server.ts';

/** What a process of readers is asked for. */
export interface ReadersJob {
  port: number;
  /** Of loopback: one address has not ports enough for all. */
  localAddress: string;
  path: string;
  count: number;
}
/** `open`: everyone listens. `told`: everyone has one more comment, at `atMs` since 1970. */
export type ReadersNews = { kind: 'open' } | { kind: 'told'; atMs: number };

const readers = 10_000;
const processes = 4;
const comments = 10;
/** Longer than the pause between two signs of life. */
const restMs = 22_000;
const readsPerSecond = 200;
const goals = { bytesEach: 20_000, toldMs: 1000, readMs: 100 };

/** Ten thousand people have the same channel open; a comment a second is written while others read. */
export async function live(data: DemoData): Promise<Section[]> {
  const { folder, remove } = await temporaryFolder(data.folder);
  const server = await startServer(folder);
  const client = new DemoClient(`http://127.0.0.1:${server.port}`);
  const channelId = pick(data.channelIds, 0);
  const reading = {
    connections: 32,
    requests: [get(pageRoutes.home, 'br'), get(pageRoutes.channel(channelId), 'br')],
    perSecond: readsPerSecond,
  };
  await load(server, { ...reading, seconds: 5 });
  const { children, bytesEach } = await openStreams(server, apiRoutes.channelLive(channelId));

  const [read, tellings] = await Promise.all([
    load(server, { ...reading, seconds: comments }),
    tellAll(),
  ]);
  for (const child of children) child.kill();
  await server.stop();
  await remove();

  const floor = await startFloor('stream-floor.ts');
  const bare = await openStreams(floor, '/');
  for (const child of bare.children) child.kill();
  await floor.stop();

  async function tellAll(): Promise<number[]> {
    const times: number[] = [];
    for (let i = 0; i < comments; i++) {
      const startMs = Date.now();
      const told = Promise.all(children.map((child) => nextNews(child)));
      await client.comment(pick(data.tokens, i), channelId, pick(data.texts, i));
      times.push(Math.max(...(await told)) - startMs);
      await pause(Math.max(0, startMs + 1000 - Date.now()));
    }
    return times;
  }

  const worstMs = Math.max(...tellings);
  return [
    {
      title: 'Live',
      columns: ['what', 'figure', 'goal'],
      rows: [
        [
          'memory an idle reader, RSS',
          inWords.kilobytes(bytesEach),
          verdict(`<= ${inWords.kilobytes(goals.bytesEach)}`, bytesEach <= goals.bytesEach),
        ],
        ['floor: a stream of bare `node:http`', inWords.kilobytes(bare.bytesEach), ''],
        [
          'a comment reaches all, slowest of ten',
          inWords.ms(worstMs),
          verdict(`<= ${goals.toldMs} ms`, worstMs <= goals.toldMs),
        ],
        ['a comment reaches all, median', inWords.ms(median(tellings)), ''],
        [
          'reading meanwhile, p99',
          inWords.ms(read.p99Ms),
          verdict(`< ${goals.readMs} ms`, read.p99Ms < goals.readMs),
        ],
        ['reading meanwhile, slowest', inWords.ms(read.maxMs), ''],
      ],
      notes:
        `${inWords.count(readers)} streams of one channel, from ${processes} processes; memory after ` +
        `${restMs / 1000} s of quiet. Then a comment a second, and ${readsPerSecond} pages a second ` +
        'timed from when they were due. The readers run on the same machine.',
    },
  ];
}

/** Opens all streams. @returns what each of them costs once they have been quiet for a while */
async function openStreams(server: Served, address: string) {
  const before = memoryOf(server.pid).rss;
  const children = Array.from({ length: processes }, (_, index) => {
    const child = fork(path.join(import.meta.dirname, 'live-readers.ts'));
    child.once('exit', () => {
      if (!child.killed) throw new Error('a process of readers has ended');
    });
    child.send({
      port: server.port,
      localAddress: `127.0.0.${index + 2}`,
      path: address,
      count: readers / processes,
    } satisfies ReadersJob);
    return child;
  });
  await Promise.all(children.map((child) => nextNews(child)));
  await pause(restMs);
  return { children, bytesEach: (memoryOf(server.pid).rss - before) / readers };
}

/** @returns when the process of readers said so, in milliseconds since 1970 */
async function nextNews(child: ChildProcess): Promise<number> {
  const [news] = (await once(child, 'message')) as [ReadersNews];
  return news.kind === 'told' ? news.atMs : 0;
}
