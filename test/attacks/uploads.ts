import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { TusUpload } from '../forum/tus-upload.ts';
import { costlyImages, onePixel } from './hostile-images.ts';
import { type Attack, countStatuses, read, type Target } from './target.ts';

const megabyte = 1024 * 1024;

/** Uploads each image three times at once. */
async function inThrees(
  { client, person }: Target,
  images: Buffer[],
  expected: number,
): Promise<string> {
  const outcomes = [];
  for (const image of images) {
    const three = [1, 2, 3].map(() => read(client.upload(person, image)));
    outcomes.push(...(await Promise.all(three)));
  }
  return countStatuses(outcomes, expected);
}

/** Uploads small files whose decoding takes more memory than the server permits. */
export const costlyUploads: Attack = async (target) =>
  inThrees(target, Object.values(await costlyImages()), 422);

/** Uploads images of 48 megapixels: baseline and progressive JPEGs, a 16-bit PNG and a WebP. */
export const largeUploads: Attack = async (target) => {
  const images = [
    onePixel(8064, 6048).jpeg(),
    onePixel(8064, 6048).jpeg({ progressive: true }),
    onePixel(8064, 6048).toColourspace('rgb16').png(),
    onePixel(8064, 6048).webp({ effort: 0 }),
  ];
  const files: Buffer[] = [];
  // One by one, so that encoding them does not delay the health check.
  for (const image of images) files.push(await image.toBuffer());
  return inThrees(target, files, 200);
};

/** Uploads an image of 9 MB 40 times at once, from ten accounts. */
export const uploadsAtOnce: Attack = async ({ client }) => {
  const owners = await Promise.all(Array.from({ length: 10 }, () => client.person()));
  const image = await sharp({
    create: { width: 1700, height: 1700, channels: 3, background: 'grey' },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const sent = owners.flatMap((owner) =>
    Array.from({ length: 4 }, (_, n) => client.upload(owner, image, { filename: `${n}.png` })),
  );
  return countStatuses(await Promise.all(sent.map(read)), 200);
};

/** Abandons uploads after most of their bytes. */
export const unfinishedUploads: Attack = async ({ client, person }) => {
  const part = Buffer.alloc(9 * megabyte, 'a');
  const outcomes = [];
  for (let i = 0; i < 20; i++) {
    const upload = await TusUpload.begin(client.url, person, 10 * megabyte).catch(() => undefined);
    if (upload) outcomes.push(await read(upload.send(client.url, 0, part)));
  }
  return `${outcomes.length} could be begun: ${countStatuses(outcomes, 204)}`;
};

/** Sends an upload's bytes very slowly in hundreds of requests of one account. */
export const slowUploads: Attack = async ({ client, person }) => {
  const upload = await TusUpload.begin(client.url, person, 10 * megabyte);
  const stalled = Array.from({ length: 300 }, () =>
    upload.stall(client.url, 0, Buffer.alloc(1000, 'a'), megabyte),
  );
  for (let second = 0; second < 10; second++) {
    await delay(1000);
    for (const one of stalled) if (!one.destroyed) one.write(Buffer.alloc(700, 'a'));
  }
  const open = stalled.filter((one) => !one.destroyed).length;
  for (const one of stalled) one.destroy();
  return `${open} open at the end`;
};
