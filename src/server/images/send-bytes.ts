import { finished, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from '../http/address-key.ts';
import { TransferPlaces } from '../http/transfer-slots.ts';
import type { ByteRange, ImageStore } from './stores/image-store.ts';

/** Up to this size bytes are read at once, and what they are read from is let go of. */
const wholeBytes = 128 * 1024;

/**
 * Streams to readers, each of which holds a file or a connection to the bucket. A school behind one
 * address needs few: most images on pages are read whole, and fast streams end soon.
 */
const streams = new TransferPlaces({
  perKey: 64,
  total: 256,
  detail:
    'Se están descargando demasiadas imágenes a la vez desde tu red. Espera un momento y vuelve a intentarlo.',
  retryAfterSeconds: 5,
});

/**
 * Sends an object or a range of it.
 * @param object `bytes` is how many there are to send
 * @throws ApiError `too_many_requests` or `busy`, or what reading it throws
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  images: ImageStore,
  { key, range, bytes }: { key: string; range: ByteRange | undefined; bytes: number },
): Promise<FastifyReply> {
  // Fastify would read all of it and drop it.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  if (bytes <= wholeBytes) return reply.send(await images.readWhole(key, range));
  const { socket } = request.raw;
  const giveBack = streams.take(addressKey(request.ip), {
    movedBytes: () => socket.bytesWritten - socket.writableLength,
    waitsForClient: () => socket.writableLength > 0,
    drop: () => socket.destroy(),
  });
  finished(reply.raw, giveBack);
  return reply.send(await images.read(key, range));
}
