import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { costlyImages, onePixel } from '../attacks/hostile-images.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { childrenOf, memoryOf } from '../processes/process-memory.ts';
import { serveSettings } from '../processes/program.ts';
import { ServerProcess } from '../processes/server-process.ts';

/** The decoder ends above 300 MB, for which it looks every 10 ms, and later where the processors are busy (376 MB were seen). */
const most = { decoderMb: 400, serverGrowthMb: 100 };

/** The width at which images of this height are stored, with noise that compresses well enough to be uploaded. */
function noisyStripes(): Sharp {
  const [width, height, channels] = [720, 16_383, 4] as const;
  const bytes = randomBytes(width * height * channels).map((byte) => (byte & 1) * 255);
  return sharp(bytes, { raw: { width, height, channels } });
}

/** Creates the images of each format that take the most memory of those that are accepted. */
async function acceptedImages(): Promise<Record<string, Buffer>> {
  const deep = onePixel(2700, 2000, 4).toColourspace('rgb16').withMetadata({ orientation: 6 });
  const accepted = {
    'progressive 4:2:0 JPEG, 50 Mpx': onePixel(8192, 6144).jpeg({ progressive: true }),
    'progressive 4:4:4 JPEG, 24 Mpx': onePixel(6000, 4000).jpeg({
      progressive: true,
      chromaSubsampling: '4:4:4',
    }),
    'RGB PNG of 16 bits, 48 Mpx': onePixel(8000, 6000).toColourspace('rgb16').png(),
    'RGBA PNG of 16 bits, 37 Mpx': onePixel(7000, 5300, 4).toColourspace('rgb16').png(),
    'interlaced RGBA PNG of 16 bits, 15 Mpx': onePixel(5000, 3000, 4)
      .toColourspace('rgb16')
      .png({ progressive: true }),
    'wide and noisy PNG': noisyStripes().rotate(90).png({ compressionLevel: 6 }),
    'high and noisy JPEG': noisyStripes().removeAlpha().jpeg({ quality: 40 }),
    'high and noisy WebP': noisyStripes().removeAlpha().webp({ quality: 20, effort: 0 }),
    'high and noisy GIF': noisyStripes().gif({ effort: 1, dither: 0, colours: 4 }),
    'GIF, 24 Mpx': onePixel(6000, 4000, 4).gif(),
    'AVIF of 8 bits, 8 Mpx': onePixel(3264, 2448).avif({ effort: 0 }),
    'AVIF of 12 bits, 4:4:4, with alpha, rotated, 5 Mpx': deep.avif({
      effort: 0,
      bitdepth: 12,
      chromaSubsampling: '4:4:4',
    }),
  };
  const made: Record<string, Buffer> = {};
  for (const [what, image] of Object.entries(accepted)) made[what] = await image.toBuffer();
  return made;
}

test('three of the costliest images at once take less than 400 MB of memory in the decoder process, and less than 100 MB in the server', {
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
    const accepted = await acceptedImages();
    for (const [what, bytes] of Object.entries({ ...accepted, ...(await costlyImages()) })) {
      // Writing 5 resets the peak.
      for (const pid of [server.pid, ...childrenOf(server.pid)])
        await writeFile(`/proc/${pid}/clear_refs`, '5');
      const decoderPeaks: number[] = [];
      // A decoder that ends itself is gone when its image is refused.
      const watch = setInterval(() => {
        const peaks = childrenOf(server.pid).map((pid) => memoryOf(pid).peakMb);
        // One that has just ended has no memory.
        decoderPeaks.push(...peaks.filter((mb) => mb > 0));
      }, 5);
      const statuses = await Promise.all(
        [1, 2, 3].map(async (n) => (await forum.upload(owner, bytes, { filename: `${n}` })).status),
      ).finally(() => clearInterval(watch));
      const grownMb = memoryOf(server.pid).peakMb - idleMb;
      const decoderMb = Math.max(...decoderPeaks);
      t.diagnostic(`${what}: ${statuses}, server +${grownMb} MB, decoder ${decoderMb} MB`);
      // Their decoders end when they take too much.
      const expected = what in accepted ? 200 : 422;
      assert.ok(
        statuses.every((status) => status === expected),
        `${what}: ${statuses}`,
      );
      assert.ok(decoderPeaks.length > 0, `no decoder for ${what}`);
      assert.ok(grownMb < most.serverGrowthMb, `${what}: ${grownMb} MB`);
      assert.ok(decoderMb < most.decoderMb, `${what}: ${decoderMb} MB`);
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
