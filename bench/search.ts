import pg from 'pg';
import { apiRoutes } from '../src/shared/api-routes.ts';
import { pageRoutes } from '../src/shared/routes.ts';
import { filled } from '../test/forum/fill-forum.ts';
import { createPostgresDatabase } from '../test/forum/forum.ts';
import { OwnPostgres } from '../test/postgres/own-postgres.ts';
import { load, put } from './load.ts';
import { indexBytes, type SearchForum, serve, startSearchForum, textOf } from './search-forum.ts';
import { anyQuery, neverMeet, type SearchKind, searchKinds } from './search-requests.ts';
import { format, type Section, verdict } from './section.ts';
import { cpuMicros, cpuMicrosOfAll } from './server.ts';
import { TimedClient } from './timed-client.ts';

/** SEARCH_COMMENTS=1000000 measures the size that the documentation promises, in about ten minutes. */
const comments = Number(process.env.SEARCH_COMMENTS ?? 100_000);
const samples = { count: 200, warmUps: 20 };
const highestHeldMs = 30;
const writing = { connections: 8, seconds: 10, warmUpSeconds: 2, texts: 2000 };
const highestWriteRatio = 2.5;
const leastWrites = 3000;
const mostIndexBytes = 160;
/** Pages of channels, and the rate of searches by one client at the same time. */
const others = { pages: 1000, searchesPerSecond: 8, mostTimes: 2 };
/** Interval of the timer with which the server measures event-loop delay. */
const timerMs = 10;

/** Measures searches, the cost that the index adds to a write, and its size. */
export async function search(): Promise<Section[]> {
  const sqlite = await measure('SQLite', undefined);
  // Unlike the tests, this uses fsync, because it also measures writes.
  const postgres = await OwnPostgres.start('fsync=on');
  try {
    process.env.TEST_POSTGRES_URL = postgres.serverUrl;
    const { url } = await createPostgresDatabase();
    return [...sqlite, ...(await measure('PostgreSQL', url))];
  } finally {
    await postgres.remove();
  }
}

async function measure(engine: string, databaseUrl: string | undefined): Promise<Section[]> {
  const forum = await startSearchForum(comments, databaseUrl);
  try {
    const bytes = await indexBytes(forum);
    const searches = await measureSearches(engine, forum);
    const pages = await measureOthers(engine, forum);
    return [searches, pages, sizeSection(engine, forum, bytes), await measureWrites(engine, forum)];
  } finally {
    await forum.remove();
  }
}

async function measureSearches(engine: string, forum: SearchForum): Promise<Section> {
  const rows: string[][] = [];
  const all: Timed = { timesMs: [], heldMs: 0, cpuMicros: 0 };
  const client = new TimedClient();
  for (const kind of await searchKinds(forum, samples.count + samples.warmUps)) {
    const timed = await timeKind(forum, client, kind);
    rows.push(rowOf(kind.name, timed, kind.budget));
    if (!kind.isOrdinary) continue;
    all.timesMs.push(...timed.timesMs);
    all.heldMs = Math.max(all.heldMs, timed.heldMs);
    all.cpuMicros += timed.cpuMicros;
  }
  client.stop();
  return {
    title: `Search, ${engine}`,
    columns: ['', 'p50', 'p99', 'slowest', 'CPU each', 'event loop held', 'budget'],
    rows: [rowOf('all but the last', all, anyQuery), ...rows],
    notes:
      `${format.count(comments)} comments of 112 characters in 10,000 channels, words by Zipf's law; ` +
      `${samples.count} searches of each kind over HTTP, one at a time, none of them twice. The event ` +
      `loop must not be held longer than ${highestHeldMs} ms on SQLite.`,
  };
}

interface Timed {
  timesMs: number[];
  /** Longest time for which the event loop was blocked. */
  heldMs: number;
  /** Processor time of the server and PostgreSQL for all samples. */
  cpuMicros: number;
}

async function timeKind(
  { client, serverPid, metricsUrl, databaseUrl }: SearchForum,
  timedClient: TimedClient,
  { urls }: SearchKind,
): Promise<Timed> {
  const cpu = async () => cpuMicros(serverPid) + (await postgresMicros(databaseUrl));
  const base = client.url;
  await timedClient.time({ base, paths: urls.slice(0, samples.warmUps) });
  await longestHeldMs(metricsUrl);
  const before = await cpu();
  const timesMs = await timedClient.time({ base, paths: urls.slice(samples.warmUps) });
  const used = (await cpu()) - before;
  return { timesMs, heldMs: await longestHeldMs(metricsUrl), cpuMicros: used };
}

/** Longest delay of the event loop since the last call, in milliseconds. */
async function longestHeldMs(metricsUrl: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1];
  return Math.max(0, Number(seconds) * 1000 - timerMs);
}

function rowOf(
  name: string,
  { timesMs, heldMs, cpuMicros }: Timed,
  { p50Ms, p99Ms }: SearchKind['budget'],
): string[] {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const quantile = (part: number) => sorted[Math.floor(part * sorted.length)] ?? Number.NaN;
  const [p50, p99] = [quantile(0.5), quantile(0.99)];
  const budget = `${p50Ms === undefined ? '' : `${p50Ms} / `}${p99Ms} ms`;
  const isMet = p50 <= (p50Ms ?? Number.POSITIVE_INFINITY) && p99 <= p99Ms;
  return [
    name,
    format.ms(p50),
    format.ms(p99),
    format.ms(sorted.at(-1) ?? Number.NaN),
    format.ms(cpuMicros / 1000 / timesMs.length),
    format.ms(heldMs),
    verdict(budget, isMet),
  ];
}

/** Times pages of channels, alone and while one client sends eight costly searches per second. */
async function measureOthers(engine: string, forum: SearchForum): Promise<Section> {
  const base = forum.client.url;
  const timedClient = new TimedClient();
  // Alternate channels in each run, because a page is cached once it was sent.
  const pages = (first: number) =>
    Array.from({ length: others.pages }, (_, index) =>
      pageRoutes.channel(filled.channelId(first + 2 * index)),
    );
  const alone = await timedClient.time({ base, paths: pages(0) });
  const kinds = await searchKinds(forum, samples.count);
  const { urls = [] } = kinds.find(({ name }) => name === neverMeet) ?? {};
  let sent = 0;
  const timer = setInterval(() => {
    const url = urls[sent++ % urls.length] ?? '';
    // A refused search counts as an answer.
    fetch(base + url).then((response) => response.arrayBuffer(), console.error);
  }, 1000 / others.searchesPerSecond);
  const beside = await timedClient.time({ base, paths: pages(1) });
  clearInterval(timer);
  timedClient.stop();
  const quantile = (timesMs: number[], part: number) =>
    timesMs.toSorted((a, b) => a - b)[Math.floor(part * timesMs.length)] ?? Number.NaN;
  const row = (name: string, timesMs: number[]) => [
    name,
    format.ms(quantile(timesMs, 0.5)),
    format.ms(quantile(timesMs, 0.99)),
  ];
  const isMet = quantile(beside, 0.5) <= others.mostTimes * quantile(alone, 0.5);
  return {
    title: `Pages of others during searches, ${engine}`,
    columns: ['', 'p50', 'p99', 'budget of p50'],
    rows: [
      [...row('alone', alone), ''],
      [...row('during searches', beside), verdict(`<= ${others.mostTimes} times`, isMet)],
    ],
    notes: `${others.pages} pages of channels that are not cached; ${sent} searches for ${neverMeet} meanwhile, ${others.searchesPerSecond} a second.`,
  };
}

function sizeSection(engine: string, forum: SearchForum, bytes: Record<string, number>): Section {
  const each = (value: number) => (value / comments).toFixed(1);
  const total = Object.values(bytes).reduce((sum, value) => sum + value, 0);
  const isMet = forum.databaseUrl !== undefined || total / comments <= mostIndexBytes;
  const budget = forum.databaseUrl ? 'none' : verdict(`<= ${mostIndexBytes}`, isMet);
  return {
    title: `Size of the search index, ${engine}`,
    columns: ['bytes for each comment', '', 'budget'],
    rows: [
      ['all', each(total), budget],
      ...Object.entries(bytes).map(([name, value]) => [name, each(value), '']),
    ],
    notes: `The server indexed the ${format.count(comments)} comments in ${Math.round(forum.indexSeconds)} s, while it was running.`,
  };
}

async function measureWrites(engine: string, forum: SearchForum): Promise<Section> {
  await forum.stopServer();
  const hook = new URL('without-search-index.ts', import.meta.url).href;
  const without = await write(forum, { NODE_OPTIONS: `--import ${hook}` });
  const indexed = await write(forum, {});
  const ratio = indexed.cpuMicros / without.cpuMicros;
  const row = (name: string, { perSecond, cpuMicros, p50Ms, p99Ms }: typeof indexed) => [
    name,
    format.count(perSecond),
    format.micros(cpuMicros),
    format.ms(p50Ms),
    format.ms(p99Ms),
  ];
  const isFast = forum.databaseUrl !== undefined || indexed.perSecond >= leastWrites;
  const rate = forum.databaseUrl ? '' : verdict(`>= ${format.count(leastWrites)}/s`, isFast);
  const cost = verdict(`<= ${highestWriteRatio}`, ratio <= highestWriteRatio);
  return {
    title: `Writing with the search index, ${engine}`,
    columns: ['', 'comments/s', 'CPU each', 'p50', 'p99', 'budget'],
    rows: [
      [...row('without the index', without), ''],
      [...row('with it', indexed), rate],
      ['ratio', '', ratio.toFixed(2), '', '', cost],
    ],
    notes: `${writing.connections} writers for ${writing.seconds} s over HTTP, into the same forum; processor time of the server and of PostgreSQL.`,
  };
}

async function write(forum: SearchForum, env: Record<string, string>) {
  const { server, token } = await serve(forum, env);
  const requests = Array.from({ length: writing.texts }, (_, index) =>
    put(apiRoutes.comment, token, {
      id: filled.channelId(Math.floor(10_000 * forum.texts.random() ** 3)),
      comment: textOf(index, forum.texts),
    }),
  );
  const job = { connections: writing.connections, requests };
  await load(server, { ...job, seconds: writing.warmUpSeconds });
  const before = await postgresMicros(forum.databaseUrl);
  const measured = await load(server, { ...job, seconds: writing.seconds });
  const micros = (await postgresMicros(forum.databaseUrl)) - before;
  await server.stop();
  const written = measured.perSecond * writing.seconds;
  return { ...measured, cpuMicros: measured.cpuMicros + micros / written };
}

/** Processor time that PostgreSQL has used so far. */
async function postgresMicros(databaseUrl: string | undefined): Promise<number> {
  if (!databaseUrl) return 0;
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ file: string }>(
    "select pg_read_file('postmaster.pid') file",
  );
  const micros = cpuMicrosOfAll(Number.parseInt(rows[0]?.file ?? '', 10));
  await client.end();
  return micros;
}
