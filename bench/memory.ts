import { setTimeout as pause } from 'node:timers/promises';
import { pageRoutes } from '../src/shared/routes.ts';
import { commentRequests } from './comments.ts';
import type { DemoData } from './demo-data.ts';
import { get, load } from './load.ts';
import { pick } from './pick.ts';
import { type Memory, memoryOf } from './process-figures.ts';
import { inWords, type Section, verdict } from './section.ts';
import { startServer, temporaryFolder } from './server.ts';

const restMs = 5000;
const sampleMs = 250;
const seconds = 15;
const goals = { idle: 150e6, underLoad: 250e6 };

/** Memory of all the server's processes, at rest and while people read and write. */
export async function memory(data: DemoData): Promise<Section[]> {
  const { folder, remove } = await temporaryFolder(data.folder);
  const server = await startServer(folder);
  await (await fetch(`http://127.0.0.1:${server.port}/`)).text();
  await pause(restMs);
  const idle = memoryOf(server.pid);

  const most: Memory = { ...idle };
  const watching = setInterval(() => {
    const { rss, pss } = memoryOf(server.pid);
    most.rss = Math.max(most.rss, rss);
    most.pss = Math.max(most.pss, pss);
  }, sampleMs);
  const read = [
    get(pageRoutes.home, 'br'),
    get(pageRoutes.channel(pick(data.channelIds, 0)), 'br'),
  ];
  await Promise.all([
    load(server, { connections: 32, seconds, requests: read }),
    load(server, { connections: 8, seconds, requests: commentRequests(data), perSecond: 50 }),
  ]);
  clearInterval(watching);
  await server.stop();
  await remove();

  const row = (name: string, { rss, pss }: Memory, goal: number) => [
    name,
    inWords.megabytes(rss),
    inWords.megabytes(pss),
    verdict(`RSS <= ${inWords.megabytes(goal)}`, rss <= goal),
  ];
  return [
    {
      title: 'Memory',
      columns: ['when', 'RSS', 'PSS', 'goal'],
      rows: [row('idle', idle, goals.idle), row('most under load', most, goals.underLoad)],
      notes:
        `All processes of the server together. Idle: ${restMs / 1000} s after the first page. ` +
        `Load: 32 connections read the list and a channel, 50 comments a second are written, ${seconds} s.`,
    },
  ];
}
