// `npm run bench -- growth`: how answers slow down as a forum grows a hundredfold, on both databases.
// `npm run bench -- growth 10000` stops at so many channels.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { type Filling, filled } from '../test/forum/fill-forum.ts';
import { createPostgresDatabase } from '../test/forum/forum.ts';
import { OwnPostgres } from '../test/postgres/own-postgres.ts';
import { makeFullForum } from './full-forum.ts';
import { type Call, callsOf, enough, mediansMs } from './growth-calls.ts';
import { startServer } from './server-process.ts';

/** A forum of some size, served by a process of its own. */
interface Subject {
  filling: Filling;
  bytesPerComment: number;
  calls: Call[];
  stop: () => Promise<void>;
}

/** Measures, and writes what it found to growth.md. @param largest the most channels */
export async function growth(largest = 100_000): Promise<void> {
  const sizes = [1000, 10_000, 100_000].filter((channels) => channels <= largest);
  const fillings = sizes.map((channels) => ({
    accounts: channels,
    channels,
    comments: 10 * channels,
    longest: channels,
  }));
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const tables = [
    `## SQLite\n\n${await compare(fillings, undefined)}`,
    // Durable, other than in the tests: that is a part of what writing takes.
    `## PostgreSQL\n\n${await withPostgres((postgres) => compare(fillings, postgres))}`,
  ];
  const text = `${introduction(load)}\n\n${tables.join('\n\n')}\n`;
  await writeFile(path.join(import.meta.dirname, 'growth.md'), text);
  console.log(text);
}

async function withPostgres<T>(work: (postgres: OwnPostgres) => Promise<T>): Promise<T> {
  const postgres = await OwnPostgres.start('fsync=on');
  process.env.TEST_POSTGRES_URL = postgres.serverUrl;
  return work(postgres).finally(() => postgres.remove());
}

/** @returns a table of what the same calls take in forums of these sizes */
async function compare(fillings: Filling[], postgres: OwnPostgres | undefined): Promise<string> {
  const subjects: Subject[] = [];
  try {
    for (const filling of fillings) {
      console.log(`${postgres ? 'PostgreSQL' : 'SQLite'}: filling ${filling.channels} channels…`);
      subjects.push(await openSubject(filling, postgres !== undefined));
    }
    const medians = new Map<string, number[]>();
    for (const [index, { name }] of (subjects[0]?.calls ?? []).entries()) {
      console.log(name);
      medians.set(name, await mediansMs(subjects.flatMap(({ calls }) => calls[index] ?? [])));
    }
    return tableOf(subjects, medians);
  } finally {
    for (const subject of subjects) await subject.stop();
  }
}

async function openSubject(filling: Filling, onPostgres: boolean): Promise<Subject> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-growth-'));
  const databaseUrl = onPostgres ? (await createPostgresDatabase()).url : undefined;
  const bytesPerComment = await makeFullForum({ databaseUrl, dataDir }, filling);
  const server = await startServer({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { filling, bytesPerComment, calls: await callsOf(server.url, filling), stop };
}

function tableOf(subjects: Subject[], medians: Map<string, number[]>): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const number = (value = Number.NaN) =>
    value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  return [
    row([
      'median, ms',
      ...subjects.map(({ filling: { channels, comments } }) => {
        return `${number(channels)} channels, ${number(comments)} comments`;
      }),
      'most / fewest',
    ]),
    row(['---', ...subjects.map(() => '--:'), '--:']),
    ...[...medians].map(([name, values]) => {
      const ratio = (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
      return row([name, ...values.map(number), number(ratio)]);
    }),
    row([
      'bytes on disk for a comment',
      ...subjects.map(({ bytesPerComment }) => number(Math.round(bytesPerComment))),
      '',
    ]),
  ].join('\n');
}

function introduction(load: string): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const cores = `${availableParallelism()} × ${cpus()[0]?.model.trim()}`;
  return `# How answers slow down as a forum grows

Made by \`npm run bench -- growth\`: a forum filled straight through its database, then the server as a
process of its own for each size, asked up to ${enough.calls} times, one call after the other and each
size in turn, so that whatever else the machine does is borne by all alike. As many accounts as channels, ten times
as many comments, a tenth of them in one channel, each a text of ${Buffer.byteLength(filled.text)} bytes. No list or page is asked for
twice, so that the database answers and not a cache. Signing in is mostly the password's hash.

Machine: ${cores}, ${gigabytes} GB; Node ${process.versions.node}; load ${load} at the start, client and server (and PostgreSQL) on it together.`;
}
