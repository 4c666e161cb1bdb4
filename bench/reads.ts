import pLimit from 'p-limit';
import { apiRoutes } from '../src/shared/api-routes.ts';
import { pageRoutes } from '../src/shared/routes.ts';
import { filled } from '../test/forum/fill-forum.ts';
import { type BenchForum, startForum } from './forum.ts';
import { get, load } from './load.ts';
import { format, median, type Section, verdict } from './section.ts';
import { cpuMicros, startBareServer } from './server.ts';

const seconds = 5;
const warmUpSeconds = 2;
const connections = 32;
const commentsPerSecond = 50;
const uncachedRequests = 100;
/** Number of channels whose pages are read once each; as many others warm the server up before. */
const newPages = 300;
const newPageConnections = 10;
const budgets = { cpuMicros: 40, shareOfBare: 0.35, writingP99Ms: 25 };

const channelId = filled.channelId(0);
const paths = {
  'list page, HTML': pageRoutes.home,
  'channel page, HTML': pageRoutes.channel(channelId),
  'list, JSON': `${apiRoutes.channels}?limit=20&comments=0`,
  'channel, JSON': `${apiRoutes.channel(channelId)}?comments=50`,
};

/** Measures cached reads, without and with writers, and uncached reads. */
export async function reads(): Promise<Section[]> {
  const cachedRows: string[][] = [];
  const uncachedRows: string[][] = [];
  for (const [name, path] of Object.entries(paths)) {
    const forum = await startForum();
    const { server } = forum;
    const job = { connections, seconds, requests: [get(path)] };
    await load(server, { ...job, seconds: warmUpSeconds });
    const quiet = await load(server, job);
    const bare = await startBareServer(server.url + path);
    await load(bare, { ...job, seconds: warmUpSeconds });
    const share = (await load(bare, job)).cpuMicros / quiet.cpuMicros;
    await bare.stop();
    const { uncachedMs, cachedMs } = await timeSingleReads(forum, path);
    const writers = { connections: 8, seconds, perSecond: commentsPerSecond };
    const [writing] = await Promise.all([
      load(server, job),
      load(server, { ...writers, requests: forum.commentRequests }),
    ]);
    cachedRows.push([
      name,
      format.count(quiet.perSecond),
      format.micros(quiet.cpuMicros),
      format.ms(quiet.p99Ms),
      verdict(`<= ${format.micros(budgets.cpuMicros)}`, quiet.cpuMicros <= budgets.cpuMicros),
      format.percent(share),
      verdict(`>= ${format.percent(budgets.shareOfBare)}`, share >= budgets.shareOfBare),
      format.count(writing.perSecond),
      format.ms(writing.p99Ms),
      verdict(
        `>= 50 %, p99 < ${format.ms(budgets.writingP99Ms)}`,
        writing.perSecond >= quiet.perSecond / 2 && writing.p99Ms < budgets.writingP99Ms,
      ),
    ]);
    uncachedRows.push([name, format.ms(uncachedMs), format.ms(cachedMs)]);
    await forum.stop();
  }
  cachedRows.push(await measureNewPages());
  return [
    {
      title: 'Cached reads',
      columns: [
        ...['what', 'responses/s', 'CPU each', 'p99', 'budget', 'of a bare server', 'budget'],
        ...['while writing, responses/s', 'p99', 'budget'],
      ],
      rows: cachedRows,
      notes:
        `${connections} connections, ${seconds} s after ${warmUpSeconds} s of warming up; then the ` +
        `same while ${commentsPerSecond} comments a second are written to fifty channels. The bare server ` +
        'is `node:http` alone with the same bytes and headers; its share is that of processor time. The last row: ' +
        `${newPages} pages of channels with twenty comments on average, each read once, over ` +
        `${newPageConnections} connections.`,
    },
    {
      title: 'Uncached reads',
      columns: ['what', 'first read after a comment, median', 'the same again, median'],
      rows: uncachedRows,
      notes: `One request at a time, ${uncachedRequests} comments.`,
    },
  ];
}

/** Times one request after each new comment, and the same request again. */
async function timeSingleReads({ client, server, token }: BenchForum, path: string) {
  const timeMs = async () => {
    const startMs = performance.now();
    await (await fetch(server.url + path)).arrayBuffer();
    return performance.now() - startMs;
  };
  const uncached: number[] = [];
  const cached: number[] = [];
  for (let i = 0; i < uncachedRequests; i++) {
    await client.comment({ token }, channelId, filled.text);
    uncached.push(await timeMs());
    cached.push(await timeMs());
  }
  return { uncachedMs: median(uncached), cachedMs: median(cached) };
}

/** Reads pages that are not cached: each is rendered and compressed for the first time. */
async function measureNewPages(): Promise<string[]> {
  const channels = 2 * newPages;
  const forum = await startForum({ accounts: 100, channels, comments: 20 * channels, longest: 20 });
  const { server } = forum;
  const paths = Array.from({ length: channels }, (_, index) =>
    pageRoutes.channel(filled.channelId(index)),
  );
  await readAll(server.url, paths.slice(0, newPages));
  const before = cpuMicros(server.pid);
  const startMs = performance.now();
  await readAll(server.url, paths.slice(newPages));
  const perSecond = newPages / ((performance.now() - startMs) / 1000);
  const cpu = (cpuMicros(server.pid) - before) / newPages;
  await forum.stop();
  const name = 'channel pages nobody asked for before, HTML';
  return [name, format.count(perSecond), format.micros(cpu), ...Array(7).fill('–')];
}

/** Reads each address once, compressed as for browsers. */
async function readAll(url: string, paths: string[]): Promise<void> {
  const limit = pLimit(newPageConnections);
  await limit.map(paths, async (path) => {
    const response = await fetch(url + path, { headers: { 'accept-encoding': 'gzip, br' } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await response.arrayBuffer();
  });
}
