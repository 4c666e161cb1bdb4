import { readFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp, type WebpOptions } from 'sharp';
import { headBytes } from '../../shared/file-kind.ts';
import { fitWithin, readableSide } from '../../shared/image-size.ts';
import { imageVariants, shareCard } from '../../shared/image-variants.ts';
import type { ImageUse } from '../../shared/images.ts';
import { ImageRejected, NotAnImage } from './errors.ts';
import { type ImageSource, openImage } from './image-source.ts';
import { hasShareCard, variantName } from './stores/storage-keys.ts';

/** Background for transparent images in formats without transparency: the page's soft colour. */
const backdrop = '#f3ece1';

interface Format {
  contentType: string;
  extensions: string[];
  encode: (image: Sharp) => Sharp;
  /** Passed to `fitWithin`. Missing for formats with encoders that take up to 40 bytes of memory per pixel. */
  leastSide?: number;
  /** Whether the format is typical of drawings and screenshots, with few colours and hard edges. */
  isForDrawings?: boolean;
}

const jpeg: Format = {
  contentType: 'image/jpeg',
  extensions: ['jpg', 'jpeg'],
  encode: (image) => image.jpeg({ quality: 85, progressive: true }),
  leastSide: readableSide,
};

const png: Format = {
  contentType: 'image/png',
  extensions: ['png'],
  // Level 9 takes a minute for some two-colour images, to save a twentieth.
  encode: (image) => image.png({ compressionLevel: 6 }),
  leastSide: readableSide,
  isForDrawings: true,
};

/** Accepted formats by sharp's name, and how each is re-encoded. */
const formats: Record<string, Format> = {
  jpeg,
  png,
  webp: {
    contentType: 'image/webp',
    extensions: ['webp'],
    // Level 4, sharp's default, takes three times the memory and the time, to save a thirtieth.
    encode: (image) => image.webp({ quality: 85, effort: 2 }),
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
    // 4:4:4 would take a third more memory.
    encode: (image) => image.avif({ quality: 60, effort: 2, chromaSubsampling: '4:2:0' }),
  },
};

export interface MadeImage {
  contentType: string;
  /** File extensions that match the type, the usual one first. */
  extensions: string[];
  /** The full size, within the bounds of `fitWithin`. */
  full: { bytes: Buffer; width: number; height: number };
  /** Bytes by variant name (`500.webp`, `card.jpg`). Never enlarged. */
  variants: Map<string, Buffer>;
  /** Nominal width of the largest variant. */
  largestVariant: number;
}

/**
 * Makes the full size and the variants of an uploaded image. The server runs it in the decoder process (decoder.ts).
 * The pixels are decoded, rotated upright, converted to sRGB and re-encoded, so that no metadata or other content of
 * the file survives.
 * @throws NotAnImage, ImageTooLarge; an error when the file cannot be read
 */
export async function makeImage(file: string, use: ImageUse): Promise<MadeImage> {
  const bytes = await readFile(file);
  const head = Buffer.from(bytes.subarray(0, headBytes));
  try {
    return await makeFrom(await openImage(bytes), use);
  } catch (error) {
    // Any other error means that a decoder rejected the bytes or that the format is not accepted.
    throw error instanceof ImageRejected ? error : new NotAnImage(head, error);
  }
}

async function makeFrom(source: ImageSource, use: ImageUse): Promise<MadeImage> {
  const format = storedFormat(source.metadata);
  const { full, card, crop } = await makeFull(source, use, format);
  using pixels = crop;
  const { variants, largestVariant } = await makeVariants(pixels, use, format);
  if (card) variants.set(shareCard.file, card);
  return {
    contentType: format.contentType,
    extensions: format.extensions,
    full: { bytes: full.data, width: full.info.width, height: full.info.height },
    variants,
    largestVariant,
  };
}

/**
 * The format of the upload, or PNG or JPEG for a long screenshot, which other formats would not keep readable. A long
 * WebP or AVIF with an alpha channel keeps its format, because noise in four channels takes twice the memory.
 */
function storedFormat({ format: name, autoOrient, hasAlpha }: Metadata): Format {
  const format = formats[name];
  if (!format) throw new Error(`format ${name}`);
  const isLong = fitWithin(autoOrient).width < fitWithin(autoOrient, readableSide).width;
  if (!isLong) return format;
  if (format.isForDrawings) return png;
  return hasAlpha ? format : jpeg;
}

/** Makes the full size, the share card and the crop for the variants, then frees the pixels of the whole image. */
async function makeFull({ image, metadata, bytes }: ImageSource, use: ImageUse, format: Format) {
  const { width, height } = fitWithin(metadata.autoOrient, format.leastSide);
  using pixels = await decodeUpright(image, metadata.orientation ?? 1, { width, height });
  freeBytes(bytes);
  const full = await format.encode(pixels.image()).toBuffer({ resolveWithObject: true });
  const cropped = cropSize(pixels, use);
  const crop = await decode(
    pixels.image().resize(cropped.width, cropped.height, {
      // Crop around the most salient region, not the centre.
      position: sharp.strategy.attention,
    }),
  );
  return { full, card: hasShareCard(use) ? await makeShareCard(pixels, crop) : undefined, crop };
}

/** Transformations by EXIF orientation. Mirroring comes first. */
const turns: Record<number, (image: Sharp) => Sharp> = {
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.flop().rotate(270),
  6: (image) => image.rotate(90),
  7: (image) => image.flop().rotate(90),
  8: (image) => image.rotate(270),
};

/**
 * Reduces the image before rotating it, because rotation takes memory for all pixels. @param size of the upright
 * image
 */
async function decodeUpright(
  image: Sharp,
  orientation: number,
  { width, height }: { width: number; height: number },
): Promise<Pixels> {
  const [across, down] = orientation > 4 ? [height, width] : [width, height];
  const reduced = image.toColourspace('srgb').resize(across, down, { fit: 'fill' });
  const turn = turns[orientation];
  if (!turn) return decode(reduced);
  using pixels = await decode(reduced);
  return await decode(turn(pixels.image()));
}

interface Pixels extends Disposable {
  width: number;
  height: number;
  image: () => Sharp;
}

/** Decodes the image once; the full size and all variants are made from these pixels. */
async function decode(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return {
    width,
    height,
    image: () => sharp(data, { raw: { width, height, channels } }),
    [Symbol.dispose]: () => freeBytes(data),
  };
}

/** Frees the memory of a large buffer at once, because the garbage collector would not notice its size. */
export function freeBytes({ buffer }: Buffer): void {
  (buffer as ArrayBuffer).transfer(0);
}

/** The size of the largest crop in the shape of its use, at most that of its largest variant. */
function cropSize(full: Pixels, use: ImageUse): { width: number; height: number } {
  const { widths, aspectRatio } = imageVariants[use];
  if (aspectRatio === null) return fitWithin(full);
  const widest = Math.min(widths.at(-1) ?? 0, full.width, Math.floor(full.height * aspectRatio));
  return { width: Math.max(1, widest), height: Math.max(1, Math.round(widest / aspectRatio)) };
}

async function makeVariants(crop: Pixels, use: ImageUse, { isForDrawings = false }: Format) {
  const { widths } = imageVariants[use];
  const variants = new Map<string, Buffer>();
  let largestVariant: number = widths[0];
  for (const width of widths) {
    const image = () => crop.image().resize({ width, withoutEnlargement: true });
    variants.set(variantName(width), await encodeVariant(image, isForDrawings));
    largestVariant = width;
    // Larger variants would be the same image again.
    if (width >= crop.width) break;
  }
  return { variants, largestVariant };
}

/**
 * No drawing is larger as lossy WebP. For noise, lossless WebP would be larger and takes 40 bytes of memory per
 * pixel.
 */
const maxDrawingBytes = 500_000;

/** Lossy WebP, or for drawings lossless WebP if that is smaller. */
async function encodeVariant(image: () => Sharp, isForDrawings: boolean): Promise<Buffer> {
  const encode = (options: WebpOptions) => image().webp(options).toBuffer();
  const lossy = await encode({ quality: 80, effort: 2 });
  if (!isForDrawings || lossy.length > maxDrawingBytes) return lossy;
  const lossless = await encode({ lossless: true });
  return lossless.length < lossy.length ? lossless : lossy;
}

/** WhatsApp does not show larger images. */
const maxCardBytes = 300_000;

/** Makes the share card in the best quality that `maxCardBytes` allows. */
async function makeShareCard(full: Pixels, shown: Pixels): Promise<Buffer> {
  using card = await decode(await drawShareCard(full, shown));
  const encode = (quality: number) => card.image().jpeg({ quality, progressive: true }).toBuffer();
  let quality = 80;
  let bytes = await encode(quality);
  // At quality 5 the costliest image, of random pixels, takes 100 kB.
  while (bytes.length > maxCardBytes && quality > 5) {
    quality -= 15;
    bytes = await encode(quality);
  }
  return bytes;
}

/**
 * A crop of the whole image if it is wide and high enough and not a long screenshot; otherwise the image as pages show
 * it, on a blurred copy that fills the rest.
 */
async function drawShareCard(full: Pixels, shown: Pixels): Promise<Sharp> {
  const { width, height } = shareCard;
  const shape = full.width / full.height;
  if (full.width >= width && shape <= width / height && shape >= 0.5) {
    return full
      .image()
      .flatten({ background: backdrop })
      .resize(width, height, { position: sharp.strategy.attention });
  }
  const front = shown.image().resize(width, height, { fit: 'inside', withoutEnlargement: true });
  return shown
    .image()
    .flatten({ background: backdrop })
    .resize(width, height)
    .blur(24)
    .composite([{ input: await front.png().toBuffer() }]);
}
