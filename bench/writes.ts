import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { commentRequests } from './comments.ts';
import type { DemoData } from './demo-data.ts';
import { load, type Measured } from './load.ts';
import { inWords, median, medianOf, type Section, verdict } from './section.ts';
import { startServer, temporaryFolder } from './server.ts';

const rounds = 3;
const seconds = 4;
const warmUpSeconds = 2;
const writers = 8;
const goals = { perSecond: 3000, ofRaw: 0.4 };

/** Comments that are on disk before they are acknowledged. */
export async function writes(data: DemoData): Promise<Section[]> {
  const raw: number[] = [];
  const overHttp: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    const ofRaw = await temporaryFolder(data.folder);
    raw.push(await insertsPerSecond(ofRaw.folder, data));
    await ofRaw.remove();

    const ofServer = await temporaryFolder(data.folder);
    const server = await startServer(ofServer.folder);
    const job = { connections: writers, requests: commentRequests(data) };
    await load(server, { ...job, seconds: warmUpSeconds });
    overHttp.push(await load(server, { ...job, seconds }));
    await server.stop();
    await ofServer.remove();
  }
  const perSecond = medianOf(overHttp, (one) => one.perSecond);
  const rawPerSecond = median(raw);
  const ratio = perSecond / rawPerSecond;
  return [
    {
      title: 'Writing',
      columns: ['what', 'a second', 'CPU a comment', 'p50', 'p99', 'goal'],
      rows: [
        ['floor: the same inserts, no HTTP', inWords.count(rawPerSecond), '', '', '', ''],
        [
          `comments over HTTP, ${writers} writers`,
          inWords.count(perSecond),
          inWords.micros(medianOf(overHttp, (one) => one.cpuMicros)),
          inWords.ms(medianOf(overHttp, (one) => one.p50Ms)),
          inWords.ms(medianOf(overHttp, (one) => one.p99Ms)),
          verdict(`>= ${inWords.count(goals.perSecond)}`, perSecond >= goals.perSecond),
        ],
        [
          'of the floor',
          inWords.percent(ratio),
          '',
          '',
          '',
          verdict(`>= ${inWords.percent(goals.ofRaw)}`, ratio >= goals.ofRaw),
        ],
      ],
      notes:
        'SQLite with `synchronous = FULL`: a comment is acknowledged once it is on disk. The floor ' +
        'writes one comment a transaction, from one thread, to the same disk.',
    },
  ];
}

async function insertsPerSecond(folder: string, { channelIds, texts }: DemoData): Promise<number> {
  const child = fork(path.join(import.meta.dirname, 'insert-floor.ts'));
  child.send({ file: path.join(folder, 'tertulia.db'), channelIds, texts, seconds });
  const [perSecond] = (await once(child, 'message')) as [number];
  return perSecond;
}
