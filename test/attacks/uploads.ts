import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { TusUpload } from '../tus-upload.ts';
import { type Attack, read } from './target.ts';

const megabyte = 1024 * 1024;
const large = { width: 6000, height: 4000, channels: 4, background: '#1a63c880' } as const;

/** 24 megapixels of 12 bits with alpha, to be turned, in some kilobytes. */
const dearAvif = () =>
  sharp({ create: large })
    .toColourspace('rgb16')
    .withMetadata({ orientation: 6 })
    .avif({ bitdepth: 12, chromaSubsampling: '4:4:4', effort: 0 })
    .toBuffer();
/** 24 megapixels of 16 bits with alpha, interlaced, in a megabyte. */
const dearPng = () =>
  sharp({ create: large }).toColourspace('rgb16').png({ progressive: true }).toBuffer();

/** Small files that are large pictures, three of each at once. */
export const dearPictures: Attack = async ({ client, person }) => {
  for (const make of [dearAvif, dearPng]) {
    const picture = await make();
    await Promise.all([1, 2, 3].map(() => read(client.upload(person, picture))));
  }
};

/** Uploads that are begun, get most of their bytes and are left. */
export const unfinishedUploads: Attack = async ({ client, person }) => {
  const part = Buffer.alloc(9 * megabyte, 'a');
  for (let i = 0; i < 20; i++) {
    const upload = await TusUpload.begin(client.url, person, 10 * megabyte).catch(() => undefined);
    if (upload) await read(upload.send(client.url, 0, part));
  }
};

/** Hundreds of uploads of one account that send next to nothing, and slowly. */
export const slowUploads: Attack = async ({ client, person }) => {
  const upload = await TusUpload.begin(client.url, person, 10 * megabyte);
  const stalled = Array.from({ length: 300 }, () =>
    upload.stall(client.url, 0, Buffer.alloc(1000, 'a'), megabyte),
  );
  for (let second = 0; second < 10; second++) {
    await delay(1000);
    for (const one of stalled) if (!one.destroyed) one.write(Buffer.alloc(700, 'a'));
  }
  for (const one of stalled) one.destroy();
};
