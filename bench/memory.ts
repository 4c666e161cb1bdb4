import { setTimeout as delay } from 'node:timers/promises';
import { pageRoutes } from '../src/shared/routes.ts';
import { filled } from '../test/forum/fill-forum.ts';
import { memoryOf } from '../test/processes/process-memory.ts';
import { startForum } from './forum.ts';
import { get, load } from './load.ts';
import { format, type Section, verdict } from './section.ts';

const idleMs = 5000;
const seconds = 15;
const budgetsMb = { idle: 180, underLoad: 350 };

/** Measures the memory of the server, idle and while people read and write. */
export async function memory(): Promise<Section[]> {
  const { server, commentRequests, stop } = await startForum();
  await (await fetch(server.url)).arrayBuffer();
  await delay(idleMs);
  const idleMb = memoryOf(server.pid).nowMb;
  const read = [get(pageRoutes.home), get(pageRoutes.channel(filled.channelId(0)))];
  await Promise.all([
    load(server, { connections: 32, seconds, requests: read }),
    load(server, { connections: 8, seconds, requests: commentRequests, perSecond: 50 }),
  ]);
  const { peakMb } = memoryOf(server.pid);
  await stop();

  const row = (name: string, megabytes: number, budgetMb: number) => [
    name,
    format.megabytes(megabytes),
    verdict(`<= ${format.megabytes(budgetMb)}`, megabytes <= budgetMb),
  ];
  return [
    {
      title: 'Memory',
      columns: ['when', 'RSS', 'budget'],
      rows: [row('idle', idleMb, budgetsMb.idle), row('peak', peakMb, budgetsMb.underLoad)],
      notes:
        `Idle: ${idleMs / 1000} s after the first page. Peak: after ${seconds} s in which 32 ` +
        'connections read the list and a channel and 50 comments a second are written.',
    },
  ];
}
