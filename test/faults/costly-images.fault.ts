import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { costlyImages, onePixel, pngWithTexts } from '../attacks/hostile-images.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { serveSettings } from '../processes/program.ts';
import { ServerProcess } from '../processes/server-process.ts';

const mostGrowthMb = 250;

/** The costliest images that are taken in, and what is refused before it costs anything. */
async function images(): Promise<Record<string, Buffer>> {
  const noise = sharp({
    create: {
      width: 2000,
      height: 2000,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 10 },
    },
  }).ensureAlpha(0.5);
  const deep = onePixel(2700, 2000, 4).toColourspace('rgb16').withMetadata({ orientation: 6 });
  const taken = {
    'baseline JPEG, 24 Mpx': onePixel(6000, 4000).jpeg(),
    'progressive 4:4:4 JPEG, 24 Mpx': onePixel(6000, 4000).jpeg({
      progressive: true,
      chromaSubsampling: '4:4:4',
    }),
    'RGBA PNG of 16 bits, 24 Mpx': onePixel(6000, 4000, 4).toColourspace('rgb16').png(),
    'interlaced RGBA PNG of 16 bits, 14 Mpx': onePixel(3700, 3700, 4)
      .toColourspace('rgb16')
      .png({ progressive: true }),
    'noisy PNG': noise.clone().png(),
    'noisy WebP': noise.clone().webp(),
    'GIF, 24 Mpx': onePixel(6000, 4000, 4).gif(),
    'noisy AVIF': noise.clone().avif({ effort: 0 }),
    'AVIF of 8 bits, 8 Mpx': onePixel(3264, 2448).avif({ effort: 0 }),
    'AVIF of 12 bits, 4:4:4, with alpha, turned, 5 Mpx': deep.avif({
      effort: 0,
      bitdepth: 12,
      chromaSubsampling: '4:4:4',
    }),
  };
  const made: Record<string, Buffer> = {};
  for (const [what, image] of Object.entries(taken)) made[what] = await image.toBuffer();
  const texts = pngWithTexts(await onePixel(20, 20).png().toBuffer(), 900);
  return { ...made, ...(await costlyImages()), 'PNG with 6 GB of packed texts': texts };
}

test('three of the costliest images at once take less than 250 MB of memory', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-images-'));
  const server = await ServerProcess.start({
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    ...serveSettings,
  });
  try {
    const pid = server.log[0]?.pid;
    const memoryMb = async (field: 'VmRSS' | 'VmHWM') => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
    };
    const forum = new ForumClient(server.url);
    const owner = await forum.person();
    await forum.channel(owner);
    const idleMb = await memoryMb('VmRSS');
    t.diagnostic(`idle ${idleMb.toFixed(0)} MB`);
    for (const [what, bytes] of Object.entries(await images())) {
      // The peak begins anew.
      await writeFile(`/proc/${pid}/clear_refs`, '5');
      const statuses = await Promise.all(
        [1, 2, 3].map(async (n) => (await forum.upload(owner, bytes, { filename: `${n}` })).status),
      );
      const grownMb = (await memoryMb('VmHWM')) - idleMb;
      t.diagnostic(`${what}: ${statuses[0]}, +${grownMb.toFixed(0)} MB`);
      assert.ok(
        statuses.every((status) => status === 200 || status === 422),
        `${statuses}`,
      );
      assert.ok(grownMb < mostGrowthMb, `${what}: ${grownMb} MB`);
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
