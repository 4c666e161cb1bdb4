import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A real, black, one-bit PNG of any size: 256 million pixels take 31 kB. */
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

/** An animation of one-pixel frames. */
export function longGif(frames: number): Buffer {
  const head = Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff', 'latin1');
  const frame = Buffer.from(
    '\x21\xf9\x04\x00\x01\x00\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00',
    'latin1',
  );
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')]);
}

/** The same PNG with one bit of its pixel data's checksum turned over. */
export function withWrongChecksum(png: Buffer): Buffer {
  const broken = Buffer.from(png);
  const data = broken.indexOf('IDAT', 0, 'latin1');
  const crcAt = data + 4 + broken.readUInt32BE(data - 4);
  broken.writeUInt8(broken.readUInt8(crcAt) ^ 1, crcAt);
  return broken;
}

/** A JPEG that is HTML too: a comment segment holds a script. */
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

/** A picture with another colour in each quarter. */
export function quarters(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const vertical = y < height / 2 ? 'top' : 'bottom';
      const corner: Corner = `${vertical}${x < width / 2 ? 'Left' : 'Right'}`;
      pixels.set(corners[corner], (y * width + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
