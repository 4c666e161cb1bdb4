import { PassThrough, pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoreUnavailable } from './stores/errors.ts';
import type { ByteRange, ImageStore } from './stores/image-store.ts';

/** Objects and ranges up to this size are read into memory, so that they hold no file or connection. */
const maxBufferedBytes = 128 * 1024;

/**
 * Sends an object or a range of it.
 * @param object with the number of bytes to send
 * @throws ObjectNotFound, StoreUnavailable
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  images: ImageStore,
  { key, range, bytes }: { key: string; range: ByteRange | undefined; bytes: number },
): Promise<FastifyReply> {
  // For HEAD Fastify would read the whole stream and discard it.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  if (bytes <= maxBufferedBytes) return reply.send(await images.readWhole(key, range));
  // A store that fails before anything was sent becomes a response of its own.
  const sent = new PassThrough({
    destroy: (error, done) => done(error && new StoreUnavailable(error)),
  });
  return reply.send(pipeline(await images.read(key, range), sent, () => {}));
}
