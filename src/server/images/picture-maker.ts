import { stat } from 'node:fs/promises';
import sharp, { type Sharp, type WebpOptions } from 'sharp';
import type { ImageUse } from '../../shared/images.ts';
import { formExtension, pictureForms, shareCard } from '../../shared/picture-forms.ts';

// Closes every way into the decoders but the five formats; no other bytes reach any parser.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});
// Pictures differ; what one decode leaves behind serves no other.
sharp.cache(false);

/** A photo of a good phone has 12 million; more than this is an attack on memory. */
const maxPixels = 24_000_000;
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
    encode: (image) => image.avif({ quality: 60, effort: 2 }),
  },
};

export interface MadePicture {
  contentType: string;
  /** File endings that fit the type, the usual one first. */
  extensions: string[];
  /** The whole picture, at most 2000 pixels a side, in the format it came in. */
  full: { bytes: Buffer; width: number; height: number };
  /** File ending (`500.webp`, `card.jpg`) to bytes. Never larger than the source allows. */
  forms: Map<string, Buffer>;
  /** Width that the largest form is named by. */
  largestForm: number;
}

/**
 * Makes everything that is kept of a picture from an uploaded file. All of it is decoded, turned
 * upright, brought to sRGB and written anew: no metadata and nothing hidden in the file survives.
 * @returns undefined when the file is not a whole image of the five formats within the limits
 */
export async function makePicture(file: string, use: ImageUse): Promise<MadePicture | undefined> {
  try {
    if ((await stat(file)).size === 0) return undefined;
    const source = sharp(file, { limitInputPixels: maxPixels, failOn: 'error' });
    const metadata = await source.metadata();
    const format = formats[metadata.format ?? ''];
    if (!format || (metadata.format === 'heif' && metadata.compression !== 'av1')) return undefined;

    using pixels = await decode(
      source.autoOrient().toColourspace('srgb').resize(maxSide, maxSide, {
        fit: 'inside',
        withoutEnlargement: true,
      }),
    );
    const full = await format
      .encode(pixels.image())
      .timeout({ seconds: maxSeconds })
      .toBuffer({ resolveWithObject: true });
    const { forms, largestForm } = await makeForms(pixels, use, format);
    return {
      contentType: format.contentType,
      extensions: format.extensions,
      full: { bytes: full.data, width: full.info.width, height: full.info.height },
      forms,
      largestForm,
    };
  } catch {
    // Whatever a decoder says of hostile bytes means the same here.
    return undefined;
  }
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

async function makeForms(full: Pixels, use: ImageUse, { isForDrawings = false }: Format) {
  const { widths, aspectRatio } = pictureForms[use];
  const widest = Math.min(widths.at(-1) ?? 0, full.width, Math.floor(full.height * aspectRatio));
  using crop = await decode(
    full.image().resize(Math.max(1, widest), Math.max(1, Math.round(widest / aspectRatio)), {
      // Around what people look at, not around the middle.
      position: sharp.strategy.attention,
    }),
  );
  const forms = new Map<string, Buffer>();
  let largestForm: number = widths[0];
  for (const width of widths) {
    const image = crop.image().resize({ width, withoutEnlargement: true });
    forms.set(`${width}.${formExtension}`, await encodeForm(image, isForDrawings));
    largestForm = width;
    // The next would only be the same again.
    if (width >= crop.width) break;
  }
  if (use === 'cover') forms.set(shareCard.file, await makeShareCard(crop));
  return { forms, largestForm };
}

/** With some loss; or without any, where that is even smaller, as it is for many drawings. */
async function encodeForm(image: Sharp, isForDrawings: boolean): Promise<Buffer> {
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
