import { PassThrough, pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoreUnavailable } from './stores/errors.ts';
import type { ByteRange, ImageStore } from './stores/image-store.ts';

/** Objects and ranges up to this size are read into memory, so that no file or connection stays open for them. */
const maxBufferedBytes = 128 * 1024;

/**
 * Sends an object or a range of it.
 * @param object its key, range and number of bytes to send
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
  // If the store fails before anything was sent, the client gets an error response.
  const sent = new PassThrough({
    destroy: (error, done) => done(error && new StoreUnavailable(error)),
  });
  return reply.send(pipeline(await images.read(key, range), sent, () => {}));
}
