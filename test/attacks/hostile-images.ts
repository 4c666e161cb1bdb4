import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Creates a black one-bit PNG of any size: 256 million pixels take 31 kB. */
export function hugePng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((1 + Math.ceil(side / 8)) * side);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Creates an animation of one-pixel frames. */
export function longGif(frames: number): Buffer {
  const head = Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff', 'latin1');
  const frame = Buffer.from(
    '\x21\xf9\x04\x00\x01\x00\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00',
    'latin1',
  );
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')]);
}

/** Animations of two frames of 8 x 8 pixels, by format. The first frame has the colour `corners.topLeft`. */
export async function animations(): Promise<Record<'gif' | 'webp' | 'png' | 'avif', Buffer>> {
  const frames = await Promise.all(
    [corners.topLeft, corners.bottomLeft].map(([r, g, b]) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background: { r, g, b } } })
        .png()
        .toBuffer(),
    ),
  );
  const [first, second] = frames;
  const moving = sharp(frames, { join: { animated: true } });
  return {
    gif: await moving.clone().gif().toBuffer(),
    webp: await moving.clone().webp({ lossless: true }).toBuffer(),
    png: movingPng(first, second),
    // sharp cannot write animated AVIF.
    avif: readFileSync(new URL('./moving.avif', import.meta.url)),
  };
}

function movingPng(first = Buffer.alloc(0), second = Buffer.alloc(0)): Buffer {
  const headEnd = 33;
  const dataOf = (png: Buffer) => {
    const at = png.indexOf('IDAT');
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  };
  /** Data of a chunk, preceded by its sequence number within the animation. */
  const numbered = (number: number, rest: Buffer) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(number);
    return Buffer.concat([bytes, rest]);
  };
  // Width, height, offsets, a delay of half a second, and how the frames replace each other.
  const control = Buffer.from('00000008000000080000000000000000000100020000', 'hex');
  return Buffer.concat([
    first.subarray(0, headEnd),
    chunk('acTL', Buffer.from('0000000200000000', 'hex')),
    chunk('fcTL', numbered(0, control)),
    chunk('IDAT', dataOf(first)),
    chunk('fcTL', numbered(1, control)),
    chunk('fdAT', numbered(2, dataOf(second))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Flips one bit of the checksum of the PNG's pixel data. */
export function withWrongChecksum(png: Buffer): Buffer {
  const broken = Buffer.from(png);
  const data = broken.indexOf('IDAT', 0, 'latin1');
  const crcAt = data + 4 + broken.readUInt32BE(data - 4);
  broken.writeUInt8(broken.readUInt8(crcAt) ^ 1, crcAt);
  return broken;
}

/** Creates an image of one colour, which takes few bytes at any size. */
export function onePixel(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const background = { r: 30, g: 90, b: 200, alpha: 0.5 };
  return sharp({ create: { width, height, channels, background }, limitInputPixels: false });
}

/** Creates small files of at most 24 million pixels that take hundreds of megabytes to decode. */
export async function costlyImages(): Promise<Record<string, Buffer>> {
  const [width, height] = [6000, 4000];
  const deep = onePixel(width, height, 4).toColourspace('rgb16').withMetadata({ orientation: 6 });
  const images = {
    'AVIF of 12 bits, 4:4:4, with alpha, turned': deep
      .clone()
      .avif({ effort: 0, bitdepth: 12, chromaSubsampling: '4:4:4' }),
    'AVIF of 8 bits': onePixel(width, height).avif({ effort: 0 }),
    'interlaced RGBA PNG of 16 bits': deep.clone().png({ progressive: true }),
    'PNG a million pixels wide': onePixel(1_000_000, 24).png(),
  };
  const made: Record<string, Buffer> = {};
  for (const [what, image] of Object.entries(images)) made[what] = await image.toBuffer();
  const texts = pngWithTexts(await onePixel(20, 20).png().toBuffer(), 900);
  return { ...made, 'PNG with 6 GB of compressed texts': texts };
}

/** Adds compressed text chunks before the PNG's pixels, each 7 MB in 7 kB. */
function pngWithTexts(png: Buffer, texts: number): Buffer {
  const packed = deflateSync(Buffer.alloc(7_000_000, 'a'));
  const text = chunk('zTXt', Buffer.concat([Buffer.from('key\0\0', 'latin1'), packed]));
  const headEnd = 33;
  return Buffer.concat([
    png.subarray(0, headEnd),
    ...Array<Buffer>(texts).fill(text),
    png.subarray(headEnd),
  ]);
}

/** Replaces the size in the AVIF's header with 100 by 100 pixels. */
export function withSmallerHeader(avif: Buffer): Buffer {
  const lying = Buffer.from(avif);
  const sizeAt = lying.indexOf('ispe') + 8;
  lying.writeUInt32BE(100, sizeAt);
  lying.writeUInt32BE(100, sizeAt + 4);
  return lying;
}

/** Adds a comment segment to a JPEG. With a script in it, the file is also HTML. */
export function withJpegComment(jpeg: Buffer, text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(text) + 2);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xfe]),
    length,
    Buffer.from(text),
    jpeg.subarray(2),
  ]);
}

export const corners = {
  topLeft: [200, 0, 0],
  topRight: [0, 160, 0],
  bottomLeft: [0, 0, 200],
  bottomRight: [200, 200, 0],
} as const;
export type Corner = keyof typeof corners;

/** Creates an image with a different colour in each quarter. */
export function quarters(width: number, height: number): Sharp {
  const rowOf = (left: Corner, right: Corner) => {
    const row = Buffer.alloc(width * 3);
    for (let x = 0; x < width; x++) row.set(corners[x < width / 2 ? left : right], x * 3);
    return row;
  };
  const [top, bottom] = [rowOf('topLeft', 'topRight'), rowOf('bottomLeft', 'bottomRight')];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) (y < height / 2 ? top : bottom).copy(pixels, y * width * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
