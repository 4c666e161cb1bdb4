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
/**
 * Number of channels whose pages are read once each, and of other channels that are read first to warm up the server.
 */
const newPages = 600;
const warmUpPages = 800;
const newPageConnections = 8;
/** Shares compare with the processor time of a bare server, because machines differ three-fold. */
const budgets = { shareOfBare: 0.5, newPagesShareOfBare: 0.03, writingP99Ms: 25 };

const channelId = filled.channelId(0);
const paths = {
  'list page, HTML': pageRoutes.home,
  'channel page, HTML': pageRoutes.channel(channelId),
  'list, JSON': `${apiRoutes.channels}?limit=20&comments=0`,
  'channel, JSON': apiRoutes.channel(channelId),
};

/** Measures cached reads, with and without writers, and uncached reads. */
export async function reads(): Promise<Section[]> {
  const cachedRows: string[][] = [];
  const uncachedRows: string[][] = [];
  for (const [name, path] of Object.entries(paths)) {
    const forum = await startForum();
    const { server } = forum;
    const job = { connections, seconds, requests: [get(path)] };
    await load(server, { ...job, seconds: warmUpSeconds });
    const quiet = await load(server, job);
    const share = (await bareMicros(server.url + path)) / quiet.cpuMicros;
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
        ...['what', 'responses/s', 'CPU each', 'p99', 'of a bare server', 'budget'],
        ...['while writing, responses/s', 'p99', 'budget'],
      ],
      rows: cachedRows,
      notes:
        `${connections} connections, ${seconds} s after ${warmUpSeconds} s of warming up; then the ` +
        `same while ${commentsPerSecond} comments a second are written to fifty channels. The bare server ` +
        'is `node:http` alone with the same bytes and headers; its share is that of processor time. The last row: ' +
        `${newPages} pages of channels with twenty comments on average, each read once after ${warmUpPages} others, over ` +
        `${newPageConnections} connections, and compared with the bare server in the same way.`,
    },
    {
      title: 'Uncached reads',
      columns: ['what', 'first read after a comment, median', 'the same again, median'],
      rows: uncachedRows,
      notes: `One request at a time, ${uncachedRequests} comments.`,
    },
  ];
}

/** Times one request after each new comment, and then the same request again. */
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

/** Processor time of a bare server per response, with the same bytes and headers as the response of this URL. */
async function bareMicros(url: string): Promise<number> {
  const bare = await startBareServer(url);
  const job = { connections, seconds, requests: [get(url)] };
  await load(bare, { ...job, seconds: warmUpSeconds });
  const { cpuMicros } = await load(bare, job);
  await bare.stop();
  return cpuMicros;
}

/** Measures pages that are not cached: each is rendered and compressed for the first time. */
async function measureNewPages(): Promise<string[]> {
  const channels = warmUpPages + newPages;
  const forum = await startForum({ accounts: 100, channels, comments: 20 * channels, longest: 20 });
  const { server } = forum;
  const urls = Array.from(
    { length: channels },
    (_, index) => server.url + pageRoutes.channel(filled.channelId(index)),
  );
  await readAll(urls.slice(0, warmUpPages));
  const before = cpuMicros(server.pid);
  const startMs = performance.now();
  const times = await readAll(urls.slice(warmUpPages));
  const perSecond = newPages / ((performance.now() - startMs) / 1000);
  const cpu = (cpuMicros(server.pid) - before) / newPages;
  const share = (await bareMicros(urls[0] ?? '')) / cpu;
  await forum.stop();
  const least = budgets.newPagesShareOfBare;
  return [
    'channel pages nobody asked for before, HTML',
    format.count(perSecond),
    format.micros(cpu),
    format.ms(times.sort((a, b) => a - b)[Math.floor(0.99 * newPages)] ?? 0),
    `${(share * 100).toFixed(2)} %`,
    verdict(`>= ${(least * 100).toFixed(1)} %`, share >= least),
    ...Array(3).fill('–'),
  ];
}

/** Reads each URL once, compressed as for browsers. @returns the time of each in milliseconds */
async function readAll(urls: string[]): Promise<number[]> {
  const limit = pLimit(newPageConnections);
  return limit.map(urls, async (url) => {
    const startMs = performance.now();
    const response = await fetch(url, {
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
    });
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    await response.arrayBuffer();
    return performance.now() - startMs;
  });
}
