import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Writes a ZIP of entries that are stored as they are, but for those given as `deflated`. */
export function zipOf(
  entries: Record<string, string | Buffer | { deflated: Buffer; bytes: number }>,
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const isPacked = typeof content === 'object' && 'deflated' in content;
    const data = isPacked ? content.deflated : Buffer.from(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isPacked ? 8 : 0, 4);
    fields.writeUInt32LE(isPacked ? 0 : crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(isPacked ? content.bytes : data.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    const offset = Buffer.alloc(14);
    offset.writeUInt32LE(at, 10);
    const version = Buffer.from([20, 0]);
    directory.push(Buffer.from('PK\x01\x02'), version, fields, offset, Buffer.from(name));
    locals.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(locals.length, 4);
  end.writeUInt16LE(locals.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, central, Buffer.from('PK\x05\x06'), end]);
}

const chunkBytes = 1024 * 1024;

/** Four gigabytes of zeros, which take four megabytes. */
export function deflatedZeros(): { deflated: Buffer; bytes: number } {
  const chunk = deflateRawSync(Buffer.alloc(chunkBytes), { finishFlush: constants.Z_FULL_FLUSH });
  const chunks = Array<Buffer>(4095).fill(chunk);
  return {
    deflated: Buffer.concat([...chunks, Buffer.from([3, 0])]),
    bytes: chunks.length * chunkBytes,
  };
}

/** A document of Office. @param kind the content type of its main part, without `.main+xml` */
export function openXml(
  kind: string,
  more: Parameters<typeof zipOf>[0] = {},
  folder = 'word',
): Buffer {
  return zipOf({
    '[Content_Types].xml': `<?xml version="1.0"?><Types><Override PartName="/${folder}/a.xml" ContentType="application/vnd.${kind}.main+xml"/></Types>`,
    [`${folder}/a.xml`]: '<a/>',
    ...more,
  });
}

export const openDocument = (kind: string, more: Parameters<typeof zipOf>[0] = {}) =>
  zipOf({ mimetype: `application/vnd.oasis.opendocument.${kind}`, 'content.xml': '<a/>', ...more });

export const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n');

const mp3Frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);

/** Sound behind an ID3 tag of so many bytes. */
export function mp3(tagBytes = 0): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (tagBytes >> shift) & 127);
  const tag = Buffer.concat([
    Buffer.from('ID3\x04\0\0'),
    Buffer.from(size),
    Buffer.alloc(tagBytes),
  ]);
  return Buffer.concat([...(tagBytes > 0 ? [tag] : []), ...Array<Buffer>(4).fill(mp3Frame)]);
}

/** An MP4 of one track. @param handler `soun` or `vide` */
export function mp4(brand: string, handler: string): Buffer {
  const box = (type: string, body: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(8 + body.length);
    return Buffer.concat([size, Buffer.from(type), body]);
  };
  const handled = Buffer.from(`\0\0\0\0\0\0\0\0${handler}\0\0\0\0\0\0\0\0\0\0\0\0\0`);
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`)),
    box('moov', box('trak', box('mdia', box('hdlr', handled)))),
  ]);
}

/** The first page of a voice message. */
export const ogg = Buffer.concat([
  Buffer.from('OggS\0\x02'),
  Buffer.alloc(20),
  Buffer.from('\x01\x13OpusHead\x01\x01'),
  Buffer.alloc(40),
]);
