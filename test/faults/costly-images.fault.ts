import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { costlyImages, onePixel, pngWithTexts } from '../attacks/hostile-images.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { memoryOf } from '../processes/process-memory.ts';
import { serveSettings } from '../processes/program.ts';
import { ServerProcess } from '../processes/server-process.ts';

const mostGrowthMb = 250;

/** Creates the costliest accepted images, and images that are rejected because of their header. */
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
  const accepted = {
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
    'AVIF of 12 bits, 4:4:4, with alpha, rotated, 5 Mpx': deep.avif({
      effort: 0,
      bitdepth: 12,
      chromaSubsampling: '4:4:4',
    }),
  };
  const made: Record<string, Buffer> = {};
  for (const [what, image] of Object.entries(accepted)) made[what] = await image.toBuffer();
  const texts = pngWithTexts(await onePixel(20, 20).png().toBuffer(), 900);
  return { ...made, ...(await costlyImages()), 'PNG with 6 GB of compressed texts': texts };
}

test('a server decodes three of the costliest images at once in less than 250 MB of memory', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-images-'));
  const server = await ServerProcess.start({
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    ...serveSettings,
  });
  try {
    const forum = new ForumClient(server.url);
    const owner = await forum.person();
    await forum.channel(owner);
    const idleMb = memoryOf(server.pid).nowMb;
    t.diagnostic(`idle ${idleMb} MB`);
    for (const [what, bytes] of Object.entries(await images())) {
      // Writing 5 resets the peak.
      await writeFile(`/proc/${server.pid}/clear_refs`, '5');
      const statuses = await Promise.all(
        [1, 2, 3].map(async (n) => (await forum.upload(owner, bytes, { filename: `${n}` })).status),
      );
      const grownMb = memoryOf(server.pid).peakMb - idleMb;
      t.diagnostic(`${what}: ${statuses[0]}, +${grownMb} MB`);
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
