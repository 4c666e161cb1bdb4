import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';
import pLimit from 'p-limit';

export type Encoding = 'br' | 'gzip';

/** A response in an encoding. */
export interface Compressed {
  bytes: Buffer;
  etag: string;
}

/** How an encoding is made: the first time quickly, and small when it is asked for again. */
interface Compressor<Options> {
  sync: (bytes: Buffer, options: Options) => Buffer;
  async: (bytes: Buffer, options: Options) => Promise<Buffer>;
  quick: (bytes: Buffer) => Options;
  small: (bytes: Buffer) => Options;
}

const brotli: Compressor<BrotliOptions> = {
  sync: brotliCompressSync,
  async: promisify(brotliCompress),
  // A fifth of the time of the quality below, and a quarter more bytes.
  quick: (bytes) => brotliOptions(1, bytes),
  // Within a few per cent of the best size, in a tenth of the time.
  small: (bytes) => brotliOptions(5, bytes),
};
const gzipped: Compressor<ZlibOptions> = {
  sync: gzipSync,
  async: promisify(gzip),
  quick: () => ({ level: 1 }),
  small: () => ({}),
};
const compressors = { br: brotli, gzip: gzipped };

/** Larger responses are compressed in another thread, which itself takes some processor time. */
const mostBytesAtOnce = 128 * 1024;

/** One at a time: requests are waiting for everything else. */
const improvements = pLimit(1);

/** Smaller responses fit into one packet uncompressed. */
const worthCompressingBytes = 1000;

/** A response that is the same for every caller, with its entity tags and compressed encodings. */
export class CachedResponse {
  readonly bytes: Buffer;
  /** Content type, cache control and content security policy. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #hash: string;
  readonly #compressed = new Map<Encoding, Promise<Compressed>>();
  readonly #improved = new Set<Encoding>();

  constructor(content: string | Buffer, headers: Record<string, string>) {
    this.bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.headers = headers;
    this.#hash = hash('sha256', this.bytes, 'base64url').slice(0, 22);
  }

  get isWorthCompressing(): boolean {
    return this.bytes.length >= worthCompressingBytes;
  }

  /**
   * Those that a response with this content can have. A strong entity tag differs whenever the bytes
   * do, so each encoding has its own, and the quick one another than the small one.
   */
  etags(encoding: Encoding | undefined): [string, ...string[]] {
    if (!encoding) return [`"${this.#hash}"`];
    return [`"${this.#hash}-${encoding}"`, `"${this.#hash}-${encoding}-1"`];
  }

  /** The result of `compress`, and later a smaller one; undefined before the first call. */
  compressed(encoding: Encoding): Promise<Compressed> | undefined {
    const compressed = this.#compressed.get(encoding);
    if (compressed) void this.#improve(encoding);
    return compressed;
  }

  /** Compresses quickly, once per encoding. */
  compress(encoding: Encoding): Promise<Compressed> {
    const compressed = this.compressed(encoding) ?? this.#compressQuickly(encoding);
    this.#compressed.set(encoding, compressed);
    return compressed;
  }

  async #compressQuickly(encoding: Encoding): Promise<Compressed> {
    const { sync, async, quick } = compressors[encoding];
    const compress = this.bytes.length > mostBytesAtOnce ? async : sync;
    const [, etag = ''] = this.etags(encoding);
    return { bytes: await compress(this.bytes, quick(this.bytes)), etag };
  }

  /** Most responses are replaced before anybody asks again; the others are worth the time. */
  async #improve(encoding: Encoding): Promise<void> {
    if (this.#improved.has(encoding)) return;
    this.#improved.add(encoding);
    const { async, small } = compressors[encoding];
    const [etag] = this.etags(encoding);
    try {
      const bytes = await improvements(() => async(this.bytes, small(this.bytes)));
      this.#compressed.set(encoding, Promise.resolve({ bytes, etag }));
    } catch {
      // Short of memory: the quick one stays.
    }
  }
}

function brotliOptions(quality: number, { length }: Buffer): BrotliOptions {
  // The smallest window that spans the response takes the least memory.
  const windowBits = 32 - Math.clz32(length + 16);
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(
        Math.max(windowBits, constants.BROTLI_MIN_WINDOW_BITS),
        constants.BROTLI_DEFAULT_WINDOW,
      ),
    },
  };
}
