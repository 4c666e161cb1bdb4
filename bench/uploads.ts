import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { apiRoutes } from '../src/shared/routes.ts';
import type { DemoData } from './demo-data.ts';
import { pick } from './pick.ts';
import { memoryOf } from './process-figures.ts';
import { inWords, type Section } from './section.ts';
import { startServer, temporaryFolder } from './server.ts';

const uploadCount = 100;
const sampleMs = 20;

/** Memory of the server while a hundred photos arrive at once. */
export async function uploads(data: DemoData): Promise<Section[]> {
  const { folder, remove } = await temporaryFolder(data.folder);
  const server = await startServer(folder);
  const url = `http://127.0.0.1:${server.port}`;
  const token = pick(data.tokens, 0);
  const photos = await Promise.all(Array.from({ length: 5 }, (_, i) => photo(i)));
  await upload(url, token, pick(photos, 0), 'warm-up.jpg');
  await pause(1000);

  const idle = memoryOf(server.pid).rss;
  let peak = idle;
  const watching = setInterval(() => {
    peak = Math.max(peak, memoryOf(server.pid).rss);
  }, sampleMs);
  const startedMs = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: uploadCount }, (_, i) =>
      upload(url, token, pick(photos, i), `foto-${i}.jpg`),
    ),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(watching);
  await server.stop();
  await remove();

  const kept = statuses.filter((status) => status === 201).length;
  return [
    {
      title: 'Uploads',
      columns: ['what', 'figure'],
      rows: [
        ['photos kept', `${kept} of ${uploadCount}`],
        ['photos a second', (uploadCount / seconds).toFixed(1)],
        ['memory before, RSS', inWords.megabytes(idle)],
        ['most memory, RSS', inWords.megabytes(peak)],
      ],
      notes:
        `${uploadCount} photos of 12 megapixels, ${inWords.megabytes(pick(photos, 0).length)} each, ` +
        'sent at the same moment.',
    },
  ];
}

/** Twelve megapixels with the grain of a real one. */
function photo(seed: number): Promise<Buffer> {
  return sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 100 + seed, sigma: 12 },
    },
  })
    .jpeg({ quality: 85 })
    .toBuffer();
}

async function upload(url: string, token: string, bytes: Buffer, name: string): Promise<number> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const response = await fetch(url + apiRoutes.uploads, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${base64(name)},use ${base64('cover')}`,
    },
    body: new Uint8Array(bytes),
  });
  await response.arrayBuffer();
  return response.status;
}
