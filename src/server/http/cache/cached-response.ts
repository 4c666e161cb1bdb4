import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply } from 'fastify';
import { namesEntityTag } from '../entity-tags.ts';

type Encoding = 'zstd' | 'br' | 'gzip';

/** In order of preference. zstd takes a third of Brotli's time for a few more bytes, but not all browsers support it. */
const encodings: Encoding[] = ['zstd', 'br', 'gzip'];

/** Smaller responses fit into one packet uncompressed. */
const worthCompressingBytes = 1000;

/** A response that is the same for every caller, with its entity tags and compressed encodings. */
export class CachedResponse {
  readonly bytes: Buffer;
  /** The content type, cache control and content security policy. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #hash: string;
  readonly #compressed = new Map<Encoding, Buffer>();

  constructor(content: string | Buffer, headers: Record<string, string>) {
    this.bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.headers = headers;
    this.#hash = hash('sha256', this.bytes, 'base64url').slice(0, 22);
  }

  /** A strong entity tag differs whenever the bytes do, so each encoding has its own. */
  etag(encoding: Encoding | undefined): string {
    return encoding ? `"${this.#hash}-${encoding}"` : `"${this.#hash}"`;
  }

  compressed(encoding: Encoding): Buffer {
    const compressed = this.#compressed.get(encoding) ?? compressors[encoding](this.bytes);
    this.#compressed.set(encoding, compressed);
    return compressed;
  }
}

/** Synchronous, because handing a page to another thread takes as long as compressing it. */
const compressors: Record<Encoding, (bytes: Buffer) => Buffer> = {
  zstd: (bytes) => zstdCompressSync(bytes, { pledgedSrcSize: bytes.length }),
  // Quality 4 takes half the time of 5 for a tenth more bytes. A higher quality rarely pays: most pages
  // change before the next request.
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        // The smallest window that spans the response takes the least time and memory.
        [constants.BROTLI_PARAM_LGWIN]: Math.min(32 - Math.clz32(bytes.length + 16), 22),
      },
    }),
  gzip: (bytes) => gzipSync(bytes),
};

/** Sends a response in the best encoding that the client accepts, or 304 when the client has it. */
export function sendCachedResponse(reply: FastifyReply, response: CachedResponse): FastifyReply {
  const { headers } = reply.request;
  const accepted = headers['accept-encoding'];
  const isLong = response.bytes.length >= worthCompressingBytes;
  const encoding = (accepted && isLong && negotiate(accepted, encodings)) || undefined;
  const etag = response.etag(encoding);
  const vary = reply.getHeader('vary');
  reply
    .headers(response.headers)
    .header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding')
    .header('etag', etag);
  if (namesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
  if (!encoding) return reply.send(response.bytes);
  return reply.header('content-encoding', encoding).send(response.compressed(encoding));
}
