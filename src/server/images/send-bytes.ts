import { finished, pipeline, Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from '../limits/address-key.ts';
import { startInTurn } from '../overload/start-in-turn.ts';
import { TransferSlots } from '../overload/transfer-slots.ts';
import { StoreUnavailable } from './stores/errors.ts';
import type { ByteRange, ImageStore } from './stores/image-store.ts';

/** Objects and ranges up to this size are read into memory, so that they hold no file or connection. */
const maxBufferedBytes = 128 * 1024;

/**
 * Limits downloads that hold an open file or a connection to the bucket. Few are needed, even for a
 * school behind one address: most images on pages are buffered, and fast downloads end soon.
 */
const streams = new TransferSlots({
  perKey: 64,
  total: 256,
  detail:
    'Se están descargando demasiadas imágenes a la vez desde tu red. Espera un momento y vuelve a intentarlo.',
  retryAfterSeconds: 5,
});

/**
 * Sends an object or a range of it.
 * @param object with the number of bytes to send
 * @throws ApiError `too_many_requests`, `busy`; ObjectNotFound, StoreUnavailable
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
  const { socket } = request.raw;
  const address = addressKey(request.ip);
  const release = streams.acquire(address, {
    movedBytes: () => socket.bytesWritten - socket.writableLength,
    waitsForClient: () => socket.writableLength > 0,
    drop: () => socket.destroy(),
  });
  finished(reply.raw, release);
  const paced = new Transform({
    transform: (chunk, _encoding, done) => startInTurn(address, () => done(null, chunk)),
    // A store that fails before anything was sent becomes a response of its own.
    destroy: (error, done) => done(error && new StoreUnavailable(error)),
  });
  return reply.send(pipeline(await images.read(key, range), paced, () => {}));
}
