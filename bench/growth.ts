// `npm run bench:growth`: how answers slow down as a forum grows a hundredfold, on both databases.
// `npm run bench:growth -- 10000` stops at so many channels.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { type Filling, filled } from '../test/fill-forum.ts';
import { createPostgresDatabase } from '../test/forum.ts';
import { OwnPostgres } from '../test/own-postgres.ts';
import { makeFullForum } from './full-forum.ts';
import { callsOf, medianMs } from './growth-calls.ts';
import { startServer } from './server-process.ts';

const times = 200;

/** What was measured at one size: milliseconds by call, and the disk a comment takes. */
interface Measured {
  filling: Filling;
  bytesPerComment: number;
  medians: Map<string, number>;
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
  const tables: string[] = [];
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const measured: Measured[] = [];
    for (const filling of fillings) {
      console.log(`${engine}: ${filling.channels} channels…`);
      measured.push(await measure(engine, filling));
    }
    tables.push(`## ${engine}\n\n${tableOf(measured)}`);
  }
  const text = `${introduction(load)}\n\n${tables.join('\n\n')}\n`;
  await writeFile(path.join(import.meta.dirname, 'growth.md'), text);
  console.log(text);
}

async function measure(engine: 'SQLite' | 'PostgreSQL', filling: Filling): Promise<Measured> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-growth-'));
  // Durable, other than in the tests: that is a part of what writing takes.
  const postgres = engine === 'PostgreSQL' ? await OwnPostgres.start('fsync=on') : undefined;
  try {
    if (postgres) process.env.TEST_POSTGRES_URL = postgres.serverUrl;
    const databaseUrl = postgres && (await createPostgresDatabase()).url;
    const bytesPerComment = await makeFullForum({ databaseUrl, dataDir }, filling);
    const server = await startServer({
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    });
    try {
      const medians = new Map<string, number>();
      for (const call of await callsOf(server.url, filling)) {
        medians.set(call.name, await medianMs(call, times));
      }
      return { filling, bytesPerComment, medians };
    } finally {
      await server.stop();
    }
  } finally {
    await postgres?.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function tableOf(measured: Measured[]): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  const names = [...(measured[0]?.medians.keys() ?? [])];
  return [
    row([
      'median, ms',
      ...measured.map(({ filling: { channels, comments } }) => {
        return `${number(channels)} channels, ${number(comments)} comments`;
      }),
      'most / fewest',
    ]),
    row(['---', ...measured.map(() => '--:'), '--:']),
    ...names.map((name) => {
      const values = measured.map(({ medians }) => medians.get(name) ?? Number.NaN);
      const ratio = (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
      return row([name, ...values.map(number), number(ratio)]);
    }),
    row([
      'bytes on disk for a comment',
      ...measured.map(({ bytesPerComment }) => number(Math.round(bytesPerComment))),
      '',
    ]),
  ].join('\n');
}

function introduction(load: string): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const cores = `${availableParallelism()} × ${cpus()[0]?.model.trim()}`;
  return `# How answers slow down as a forum grows

Made by \`npm run bench:growth\`: a forum filled straight through its database, then the server as a
process of its own, asked ${times} times one call after the other. As many accounts as channels, ten times
as many comments, a tenth of them in one channel, each a text of ${Buffer.byteLength(filled.text)} bytes. No list or page is asked for
twice, so that the database answers and not a cache. Signing in is mostly the password's hash.

Machine: ${cores}, ${gigabytes} GB; Node ${process.versions.node}; load ${load} at the start, client and server (and PostgreSQL) on it together.`;
}

if (import.meta.main) await growth(...process.argv.slice(2, 3).map(Number));
