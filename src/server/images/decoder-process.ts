// Decodes uploaded images and draws the site's SVG, one task at a time. The server starts it (decoder.ts).
import sharp, { type Sharp } from 'sharp';
import type { Answer, DrawnFormat, Task } from './decoder.ts';
import { ImageRejected } from './errors.ts';
import { freeBytes, makeImage } from './image-processing.ts';

/** Memory of this process beyond which it ends. Without an image it takes 100 MB. */
const maxMemoryBytes = 300_000_000;
const watchEveryMs = 10;

// More libvips threads take more memory and no less time.
sharp.concurrency(1);
// Blocks all decoders except those of the five accepted formats.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});
const svgDecoder = { operation: ['VipsForeignLoadSvg'] };

// A server that is told to stop answers its requests first. This process ends when the server disconnects or is
// killed.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
process.once('disconnect', () => process.exit());

// Images are decoded in other threads, while this one watches how much memory that takes.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.kill(process.pid, 'SIGKILL');
}, watchEveryMs).unref();

process.on('message', async (task: Task) => {
  try {
    if ('svg' in task) answer({ result: await draw(task.svg, task.format) });
    else {
      const made = await makeImage(task.file, task.use);
      answer({ result: made });
      for (const bytes of [made.full.bytes, ...made.variants.values()]) freeBytes(bytes);
    }
  } catch (error) {
    if (!(error instanceof ImageRejected)) return answer({ error });
    const { code, detail, cause } = error;
    answer({ rejected: [code, { cause, ...(detail !== undefined && { detail }) }] });
  }
});

const answer = (message: Answer) => void process.send?.(message);

const drawnAs: Record<DrawnFormat, (image: Sharp) => Sharp> = {
  png: (image) => image.png({ compressionLevel: 6 }),
  // Half the resolution for colours would blur the edges of shapes.
  jpeg: (image) => image.jpeg({ quality: 85, chromaSubsampling: '4:4:4' }),
};

async function draw(svg: string, format: DrawnFormat): Promise<Buffer> {
  // No upload is decoded at the same time, so none reaches the SVG decoder.
  sharp.unblock(svgDecoder);
  try {
    const image = sharp(Buffer.from(svg), { density: 144 }).removeAlpha();
    return await drawnAs[format](image).toBuffer();
  } finally {
    sharp.block(svgDecoder);
  }
}
