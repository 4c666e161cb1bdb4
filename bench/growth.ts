import { apiRoutes } from '../src/shared/api-routes.ts';
import { commentId } from '../src/shared/comment-id.ts';
import { pageRoutes } from '../src/shared/routes.ts';
import { type Filling, filled } from '../test/forum/fill-forum.ts';
import { createPostgresDatabase } from '../test/forum/forum.ts';
import { OwnPostgres } from '../test/postgres/own-postgres.ts';
import { type BenchForum, signIn, startForum } from './forum.ts';
import { format, median, type Section, verdict } from './section.ts';

const sizes = [1000, 10_000, 100_000];
const samples = { count: 200, warmUps: 10, ms: 15_000 };
const highestRatio = 1.3;

const fillings: Filling[] = sizes.map((channels) => ({
  accounts: channels,
  channels,
  comments: 10 * channels,
  longest: channels,
}));

/** Compares the same requests in a forum and in a forum a hundred times as large. */
export async function growth(): Promise<Section[]> {
  const sqlite = await compareSizes('SQLite', async () => undefined);
  // Unlike the tests, this uses fsync, because it also measures writes.
  const postgres = await OwnPostgres.start('fsync=on');
  try {
    process.env.TEST_POSTGRES_URL = postgres.serverUrl;
    const newDatabase = async () => (await createPostgresDatabase()).url;
    return [sqlite, await compareSizes('PostgreSQL', newDatabase)];
  } finally {
    await postgres.remove();
  }
}

async function compareSizes(
  engine: string,
  newDatabase: () => Promise<string | undefined>,
): Promise<Section> {
  const forums: BenchForum[] = [];
  try {
    for (const filling of fillings) forums.push(await startForum(filling, await newDatabase()));
    const requests = forums.map((forum, index) => requestsOf(forum, fillings[index] as Filling));
    const rows: string[][] = [];
    for (const name of Object.keys(requests[0] ?? {})) {
      const mediansMs = await timeInTurn(requests.map((of) => of[name] as TimedRequest));
      const ratio = (mediansMs.at(-1) ?? Number.NaN) / (mediansMs[0] ?? Number.NaN);
      const budget = verdict(`<= ${highestRatio}`, ratio <= highestRatio);
      rows.push([name, ...mediansMs.map(format.ms), ratio.toFixed(1), budget]);
    }
    const bytes = forums.map(({ bytesPerComment }) => format.count(bytesPerComment));
    return {
      title: `Growth, ${engine}`,
      columns: [
        'median',
        ...sizes.map((size) => `${format.count(size)} channels`),
        'ratio',
        'budget',
      ],
      rows: [...rows, ['bytes on disk for each comment', ...bytes, '', '']],
      notes:
        'As many accounts as channels and ten times as many comments, a tenth of them in one ' +
        `channel; ${samples.count} requests of each kind, one at a time. No URL repeats, so no ` +
        'response comes from a cache. Signing in is mostly the hash of the password.',
    };
  } finally {
    for (const forum of forums) await forum.stop();
  }
}

/** @param index of the sample; requests with different indexes have different cached responses */
type TimedRequest = (index: number) => Promise<Response>;

function requestsOf(forum: BenchForum, filling: Filling): Record<string, TimedRequest> {
  const { client, token } = forum;
  const get = (path: string) => client.call('GET', path, { token });
  const comment = (id: string) =>
    client.call('PUT', apiRoutes.comment, { token, body: { id, comment: filled.text } });
  const long = filled.channelId(0);
  // 61 shares no factor with any size, so this is a permutation of all channels.
  const spread = (index: number) => (index * 61) % filling.channels;
  const highestCount = Math.max(
    ...Array.from({ length: 100 }, (_, index) => filled.commentCount(filling, index + 1)),
  );
  const cursor = (count: number, channel: number) => `after=${count}_${filled.channelId(channel)}`;
  const top = (index: number) => cursor(highestCount, filling.channels - 1 - index);
  const deep = (index: number) => cursor(1, spread(index));
  const list = `${apiRoutes.channels}?limit=20&comments=0`;
  const longAfter = (number: number) =>
    get(`${pageRoutes.channel(long)}?after=${commentId(long, number)}`);
  return {
    'list, first page': (index) => get(`${list}&${top(index)}`),
    'list, last pages': (index) => get(`${list}&${deep(index)}`),
    'list of 100 with comments': (index) => get(`${apiRoutes.channels}?${top(index)}`),
    'home page, first page': (index) => get(`${pageRoutes.home}?${top(index)}`),
    'home page, last pages': (index) => get(`${pageRoutes.home}?${deep(index)}`),
    'a channel': (index) => get(apiRoutes.channel(filled.channelId(spread(index)))),
    'the longest channel, middle': (index) => longAfter(filling.longest / 2 - index),
    'the longest channel, end': (index) => longAfter(filling.longest - 50 - index),
    'sign in': (index) => signIn(client, spread(index)),
    'own account': () => get(apiRoutes.me),
    'comment in a channel': (index) => comment(filled.channelId(spread(index))),
    'comment in the longest channel': () => comment(long),
  };
}

/** Alternates between the forums, so that other load on the machine affects all of them. @returns medians in ms */
async function timeInTurn(requests: TimedRequest[]): Promise<number[]> {
  const timesMs = requests.map((): number[] => []);
  const endMs = performance.now() + samples.ms;
  for (let i = 0; i < samples.count + samples.warmUps && performance.now() < endMs; i++) {
    for (const [forum, request] of requests.entries()) {
      const startMs = performance.now();
      const response = await request(i);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
      if (i >= samples.warmUps) timesMs[forum]?.push(performance.now() - startMs);
    }
  }
  return timesMs.map(median);
}
