import { readFile } from 'node:fs/promises';
import sharp, { type Sharp, type WebpOptions } from 'sharp';
import { imageVariants, shareCard, variantExtension } from '../../shared/image-variants.ts';
import type { ImageUse } from '../../shared/images.ts';
import { ApiError, unavailableError } from '../http/api-error.ts';
import { FairSemaphore } from '../http/fair-semaphore.ts';
import { mostBytes } from './decoding-cost.ts';
import { type ImageSource, openImage } from './image-source.ts';

/**
 * Decoding is what costs memory: two images at once, or one that takes more than half of what is
 * allowed. The rest wait with their bytes on disk; how many may wait is bounded where their bytes
 * come in (upload-routes.ts).
 */
const decoding = new FairSemaphore(2, 50, unavailableError);

/** Neither side of what is kept is longer. */
const maxSide = 2000;
const maxSeconds = 20;
/** Behind transparency, where a format has none: the pages' own soft colour. */
const backdrop = '#f3ece1';

interface Format {
  contentType: string;
  extensions: string[];
  encode: (image: Sharp) => Sharp;
  /** Drawings and screenshots come in it: few colours, hard edges. */
  isForDrawings?: boolean;
}

/** What uploaded bytes may be, by sharp's name for it, and how each is written again. */
const formats: Record<string, Format> = {
  jpeg: {
    contentType: 'image/jpeg',
    extensions: ['jpg', 'jpeg'],
    encode: (image) => image.jpeg({ quality: 85, progressive: true }),
  },
  png: {
    contentType: 'image/png',
    extensions: ['png'],
    encode: (image) => image.png({ compressionLevel: 9 }),
    isForDrawings: true,
  },
  webp: {
    contentType: 'image/webp',
    extensions: ['webp'],
    encode: (image) => image.webp({ quality: 85 }),
  },
  gif: {
    contentType: 'image/gif',
    extensions: ['gif'],
    encode: (image) => image.gif(),
    isForDrawings: true,
  },
  heif: {
    contentType: 'image/avif',
    extensions: ['avif'],
    // As in the other formats; with colours at full size it takes a third more memory.
    encode: (image) => image.avif({ quality: 60, effort: 2, chromaSubsampling: '4:2:0' }),
  },
};

export interface MadeImage {
  contentType: string;
  /** File endings that fit the type, the usual one first. */
  extensions: string[];
  /** The whole image, at most 2000 pixels a side, in the format it came in. */
  full: { bytes: Buffer; width: number; height: number };
  /** File ending (`500.webp`, `card.jpg`) to bytes. Never larger than the source allows. */
  forms: Map<string, Buffer>;
  /** Width that the largest form is named by. */
  largestVariant: number;
}

/**
 * Makes everything that is kept of an image from an uploaded file, when its turn comes. All of it is
 * decoded, turned upright, brought to sRGB and written anew: no metadata and nothing hidden in the
 * file survives.
 * @param accountId whose image it is: accounts have turns
 * @throws ApiError `not_an_image`, `image_too_large`; or when the file cannot be read
 */
export async function makeImage(
  file: string,
  use: ImageUse,
  accountId: string,
): Promise<MadeImage> {
  const { cost } = await decoding.run(accountId, () =>
    read(file, (source) => Promise.resolve(source)),
  );
  const places = cost > mostBytes / 2 ? 2 : 1;
  return decoding.run(accountId, () => read(file, (source) => makeFrom(source, use)), places);
}

async function read<T>(file: string, work: (source: ImageSource) => Promise<T>): Promise<T> {
  const bytes = await readFile(file);
  try {
    return await work(await openImage(bytes));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Whatever a decoder says of hostile bytes means the same here.
    throw new ApiError('not_an_image', { cause: error });
  }
}

async function makeFrom({ image, metadata }: ImageSource, use: ImageUse): Promise<MadeImage> {
  const format = formats[metadata.format];
  if (!format) throw new ApiError('not_an_image');
  using pixels = await decode(
    image.autoOrient().toColourspace('srgb').resize(maxSide, maxSide, {
      fit: 'inside',
      withoutEnlargement: true,
    }),
  );
  const full = await format
    .encode(pixels.image())
    .timeout({ seconds: maxSeconds })
    .toBuffer({ resolveWithObject: true });
  const { forms, largestVariant } = await makeVariants(pixels, use, format);
  return {
    contentType: format.contentType,
    extensions: format.extensions,
    full: { bytes: full.data, width: full.info.width, height: full.info.height },
    forms,
    largestVariant,
  };
}

interface Pixels extends Disposable {
  width: number;
  height: number;
  image: () => Sharp;
}

/** Decodes once; everything else is made from these pixels. */
async function decode(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .timeout({ seconds: maxSeconds })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return {
    width,
    height,
    image: () => sharp(data, { raw: { width, height, channels } }),
    // Given back at once: to the garbage collector these megabytes look like a few bytes.
    [Symbol.dispose]: () => (data.buffer as ArrayBuffer).transfer(0),
  };
}

async function makeVariants(full: Pixels, use: ImageUse, { isForDrawings = false }: Format) {
  const { widths, aspectRatio } = imageVariants[use];
  const widest = Math.min(widths.at(-1) ?? 0, full.width, Math.floor(full.height * aspectRatio));
  using crop = await decode(
    full.image().resize(Math.max(1, widest), Math.max(1, Math.round(widest / aspectRatio)), {
      // Around what people look at, not around the middle.
      position: sharp.strategy.attention,
    }),
  );
  const forms = new Map<string, Buffer>();
  let largestVariant: number = widths[0];
  for (const width of widths) {
    const image = crop.image().resize({ width, withoutEnlargement: true });
    forms.set(`${width}.${variantExtension}`, await encodeVariant(image, isForDrawings));
    largestVariant = width;
    // The next would only be the same again.
    if (width >= crop.width) break;
  }
  if (use === 'cover') forms.set(shareCard.file, await makeShareCard(crop));
  return { forms, largestVariant };
}

/** With some loss; or without any, where that is even smaller, as it is for many drawings. */
async function encodeVariant(image: Sharp, isForDrawings: boolean): Promise<Buffer> {
  const encode = (options: WebpOptions) =>
    image.clone().webp(options).timeout({ seconds: maxSeconds }).toBuffer();
  const lossy = await encode({ quality: 80, smartSubsample: true });
  if (!isForDrawings) return lossy;
  const lossless = await encode({ lossless: true });
  return lossless.length < lossy.length ? lossless : lossy;
}

/** The cover across the card's width, on a blurred one that fills the rest. */
async function makeShareCard(cover: Pixels): Promise<Buffer> {
  const { width, height } = shareCard;
  const front = await cover.image().resize({ width, withoutEnlargement: true }).png().toBuffer();
  return cover
    .image()
    .flatten({ background: backdrop })
    .resize(width, height)
    .blur(24)
    .composite([{ input: front }])
    .jpeg({ quality: 80, progressive: true })
    .timeout({ seconds: maxSeconds })
    .toBuffer();
}
