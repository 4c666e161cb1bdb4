import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import yazl from 'yazl';
import { hashPassword } from '../src/server/accounts/passwords/passwords.ts';
import { fillChannels } from '../test/forum/fill-forum.ts';
import { zipfTexts } from '../test/forum/zipf-texts.ts';
import { childrenOf, memoryOf } from '../test/processes/process-memory.ts';
import { openNewSite, untilIndexed } from './new-site.ts';
import { format, type Section, verdict } from './section.ts';
import { startServer } from './server.ts';

const messages = Number(process.env.IMPORT_MESSAGES ?? 100_000);
const pictures = Number(process.env.IMPORT_PICTURES ?? Math.round(messages * 0.03));
const people = 40;
const budget = { minutes: 10, megabytes: 250 };
const command = path.resolve(import.meta.dirname, '../bin/tertulia');

/** Measures a chat with pictures that is brought by the command while the server runs, until all of it is found. */
export async function bringing(): Promise<Section[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-bench-'));
  const file = path.join(dataDir, 'Chat de WhatsApp con Vecinos.zip');
  await writeChat(file);
  await fillSite(dataDir);
  const server = await startServer({ DATA_DIR: dataDir });
  await untilIndexed({ dataDir, databaseUrl: undefined });
  await run(dataDir, [file]);
  const startMs = performance.now();
  const { peakMb, decoderMb } = await run(dataDir, [file, '--plan', `${file}.plan.json`]);
  const broughtSeconds = (performance.now() - startMs) / 1000;
  await untilIndexed({ dataDir, databaseUrl: undefined });
  const minutes = (performance.now() - startMs) / 60_000;
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
  const columns = ['brought', 'with search', 'budget', 'RSS of the command', 'budget', 'decoder'];
  return [
    {
      title: 'A chat that moves in',
      columns,
      rows: [
        [
          `${Math.round(broughtSeconds)} s`,
          `${minutes.toFixed(1)} min`,
          verdict(`<= ${budget.minutes} min`, minutes <= budget.minutes),
          format.megabytes(peakMb),
          verdict(`<= ${format.megabytes(budget.megabytes)}`, peakMb <= budget.megabytes),
          format.megabytes(decoderMb),
        ],
      ],
      notes: `${format.count(messages)} messages of ${people} people with ${format.count(pictures)} small pictures, on SQLite, by the command beside a server.`,
    },
  ];
}

/** Runs `tertulia import`. @returns the highest memory of it and of the process that decodes its pictures */
async function run(
  dataDir: string,
  args: string[],
): Promise<{ peakMb: number; decoderMb: number }> {
  const env = { PATH: process.env.PATH, TERTULIA_ENV_FILE: '/dev/null', DATA_DIR: dataDir };
  const child = spawn(command, ['import', ...args], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const peaks = { peakMb: 0, decoderMb: 0 };
  const timer = setInterval(() => {
    const pid = child.pid ?? 0;
    try {
      // The figures of a process that has just ended are none.
      peaks.peakMb = Math.max(peaks.peakMb, memoryOf(pid).peakMb || 0);
      for (const one of childrenOf(pid))
        peaks.decoderMb = Math.max(peaks.decoderMb, memoryOf(one).peakMb || 0);
    } catch {
      // It has ended.
    }
  }, 100);
  const [code] = await once(child, 'close');
  clearInterval(timer);
  if (code !== 0) throw new Error(`tertulia import ended with ${code}`);
  return peaks;
}

/** An admin in a community of members. */
async function fillSite(dataDir: string): Promise<void> {
  const db = await openNewSite({ dataDir, databaseUrl: undefined });
  const filling = { accounts: 8, channels: 1, comments: 0, longest: 0 };
  await fillChannels(db, filling, {
    passwordHash: await hashPassword('una clave'),
    nowMs: Date.now(),
  });
  await db.updateTable('accounts').set({ role: 'admin' }).execute();
  const settings = JSON.stringify({ readers: 'members', contact: 'Marga', zone: 'Europe/Madrid' });
  await db
    .insertInto('site_settings')
    .values({ id: 1, revision: 1, saved_at_ms: Date.now(), settings, reviews_first_posts: 0 })
    .execute();
  await db.destroy();
}

async function writeChat(file: string): Promise<void> {
  const { text } = zipfTexts(1, 20_000);
  const zip = new yazl.ZipFile();
  const lines: string[] = [];
  const firstMs = Date.UTC(2019, 0, 20);
  for (let index = 0; index < messages; index++) {
    const at = new Date(firstMs + index * 25 * 60_000);
    const [day, month, year] = [at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCFullYear() % 100];
    const time = `${at.getUTCHours()}:${String(at.getUTCMinutes()).padStart(2, '0')}`;
    const hasPicture = index % Math.round(messages / pictures) === 0;
    const body = hasPicture ? `IMG-${index}.jpg (archivo adjunto)` : text(80);
    lines.push(`${day}/${month}/${year}, ${time} - Persona número ${index % people}: ${body}`);
    if (hasPicture) zip.addBuffer(await picture(index), `IMG-${index}.jpg`, { compress: false });
  }
  zip.addBuffer(Buffer.from(lines.join('\n')), 'Chat de WhatsApp con Vecinos.txt');
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

/** A small JPEG, each of another brightness and noise. */
function picture(index: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 40 + (index % 170), sigma: 12 } as const;
  return sharp({ create: { width: 480, height: 360, channels: 3, background: 'grey', noise } })
    .jpeg({ quality: 80 })
    .toBuffer();
}
