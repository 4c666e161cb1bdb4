import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';

export type Encoding = 'zstd' | 'br' | 'gzip';

const compressors = {
  zstd: {
    atOnce: (bytes: Buffer) => zstdCompressSync(bytes, zstdOptions(bytes)),
    inThread: (bytes: Buffer) => promisify(zstdCompress)(bytes, zstdOptions(bytes)),
  },
  br: {
    atOnce: (bytes: Buffer) => brotliCompressSync(bytes, brotliOptions(bytes)),
    inThread: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions(bytes)),
  },
  gzip: { atOnce: (bytes: Buffer) => gzipSync(bytes), inThread: promisify<Buffer, Buffer>(gzip) },
};

/** Larger responses are compressed in another thread, whose overhead smaller ones do not repay. */
const mostBytesAtOnce = 128 * 1024;

/** Smaller responses fit into one packet uncompressed. */
const worthCompressingBytes = 1000;

/** A response that is the same for every caller, with its entity tags and compressed encodings. */
export class CachedResponse {
  readonly bytes: Buffer;
  /** The content type, cache control and content security policy. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #hash: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(content: string | Buffer, headers: Record<string, string>) {
    this.bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.headers = headers;
    this.#hash = hash('sha256', this.bytes, 'base64url').slice(0, 22);
  }

  get isWorthCompressing(): boolean {
    return this.bytes.length >= worthCompressingBytes;
  }

  /** A strong entity tag differs whenever the bytes do, so each encoding has its own. */
  etag(encoding: Encoding | undefined): string {
    return encoding ? `"${this.#hash}-${encoding}"` : `"${this.#hash}"`;
  }

  compress(encoding: Encoding): Promise<Buffer> {
    const compressed = this.#compressed.get(encoding) ?? this.#compress(encoding);
    this.#compressed.set(encoding, compressed);
    // A failure, such as too little memory, is not cached, so that the next request tries again.
    compressed.catch(() => this.#compressed.delete(encoding));
    return compressed;
  }

  async #compress(encoding: Encoding): Promise<Buffer> {
    const { atOnce, inThread } = compressors[encoding];
    return this.bytes.length > mostBytesAtOnce ? inThread(this.bytes) : atOnce(this.bytes);
  }
}

/** Takes a third of Brotli's time for some more bytes. Not all browsers know it. */
function zstdOptions({ length }: Buffer): ZstdOptions {
  return { params: { [constants.ZSTD_c_compressionLevel]: 3 }, pledgedSrcSize: length };
}

function brotliOptions({ length }: Buffer): BrotliOptions {
  // The smallest window that spans the response takes the least memory.
  const windowBits = 32 - Math.clz32(length + 16);
  return {
    params: {
      // Quality 4 takes half the time of 5 for a tenth more bytes: most pages change before the next request.
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(
        Math.max(windowBits, constants.BROTLI_MIN_WINDOW_BITS),
        constants.BROTLI_DEFAULT_WINDOW,
      ),
    },
  };
}
