import sharp from 'sharp';
import { memoryOf } from '../test/processes/process-memory.ts';
import { startForum } from './forum.ts';
import { format, type Section } from './section.ts';

const uploadCount = 100;
/** The limit of concurrent uploads per account. */
const atOnce = 4;

/** Measures a hundred photos uploaded by one account, four at a time. */
export async function uploads(): Promise<Section[]> {
  const { client, server, token, stop } = await startForum();
  const photos = await Promise.all([0, 1, 2, 3, 4].map(photo));
  const idleMb = memoryOf(server.pid).nowMb;
  const startMs = performance.now();
  let stored = 0;
  const uploadInTurn = async () => {
    for (let i = 0; i < uploadCount / atOnce; i++) {
      const photo = photos[i % photos.length] ?? new Uint8Array();
      const { ok } = await client.upload({ token }, photo, { filename: `foto-${i}.jpg` });
      if (ok) stored++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, uploadInTurn));
  const seconds = (performance.now() - startMs) / 1000;
  const { peakMb } = memoryOf(server.pid);
  await stop();
  return [
    {
      title: 'Uploads',
      columns: ['stored', 'photos/s', 'RSS before', 'peak RSS'],
      rows: [
        [
          `${stored} of ${uploadCount}`,
          (uploadCount / seconds).toFixed(1),
          format.megabytes(idleMb),
          format.megabytes(peakMb),
        ],
      ],
      notes: `${uploadCount} photos of 12 megapixels, ${format.kilobytes(photos[0]?.length ?? 0)} each, ${atOnce} at a time.`,
    },
  ];
}

/** Makes a 12-megapixel JPEG as noisy as a real photo. */
function photo(seed: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 100 + seed, sigma: 12 } as const;
  return sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'grey', noise } })
    .jpeg({ quality: 85 })
    .toBuffer();
}
