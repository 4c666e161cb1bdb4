import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unavailableError } from '../http/api-error.ts';
import { addressKey } from '../limits/address-key.ts';
import { FairSemaphore } from './fair-semaphore.ts';
import { TransferSlots } from './transfer-slots.ts';

/** Building a response takes milliseconds of CPU time and several MB, so two are built at once. */
const slots = new FairSemaphore(2, 1000, unavailableError);
/** Costly responses use only one of the two slots. */
const costlySlots = new FairSemaphore(1, 1000, unavailableError);

/** Larger responses are counted while they are sent: a client that does not read holds their memory. */
const largeResponseBytes = 128 * 1024;

/** Large responses being sent, each counted once for any number of clients: at most 4 MB, rarely over 1 MB. */
const unread = new TransferSlots({
  perKey: 6,
  total: 12,
  detail:
    'Desde tu conexión se están leyendo demasiadas respuestas largas a la vez. Espera un momento y vuelve a intentarlo.',
  retryAfterSeconds: 2,
});
/** Requests that have a slot. */
const holders = new WeakSet<FastifyRequest>();
const sending = new Map<Buffer, Sending>();

interface Sending {
  sockets: Set<Socket>;
  release: () => void;
}

/**
 * Runs `make`, which builds or compresses a response, when the caller's address has a slot. Addresses take
 * slots in rotation. Nothing is built for a client that has left.
 * @param isCostly costly responses are built one at a time
 * @throws ApiError `unavailable` when too many calls of that address wait, or when the client has left
 */
export async function withResponseSlot<T>(
  request: FastifyRequest,
  make: () => Promise<T> | T,
  { isCostly = false } = {},
): Promise<T> {
  // Waiting for a second slot while all are taken would never end.
  if (holders.has(request)) return make();
  const work = async () => {
    holders.add(request);
    try {
      return await make();
    } finally {
      holders.delete(request);
    }
  };
  const key = addressKey(request.ip);
  const isNeeded = () => !request.raw.socket.destroyed;
  const makeInTurn = () => slots.run(key, work, { isNeeded });
  return isCostly ? costlySlots.run(key, makeInTurn, { isNeeded }) : makeInTurn();
}

/**
 * Counts a large response from before it is sent until all of its clients have received it.
 * @throws ApiError as TransferSlots does
 */
export async function sendInBounds(reply: FastifyReply, bytes: Buffer): Promise<void> {
  const { request } = reply;
  if (bytes.length <= largeResponseBytes || request.method === 'HEAD') return;
  // Wait for a slot, because copying 4 MB for each of many clients at once would delay others.
  await withResponseSlot(request, () => countSending(request, reply, bytes));
}

function countSending(
  { raw: { socket }, ip }: FastifyRequest,
  { raw }: FastifyReply,
  bytes: Buffer,
) {
  const known = sending.get(bytes);
  const sockets = known?.sockets ?? new Set();
  const current = known ?? {
    sockets,
    release: unread.acquire(addressKey(ip), {
      movedBytes: () => sum(sockets, (one) => one.bytesWritten - one.writableLength),
      waitsForClient: () => sum(sockets, (one) => one.writableLength) > 0,
      drop: () => {
        for (const one of sockets) one.destroy();
      },
    }),
  };
  sending.set(bytes, current);
  sockets.add(socket);
  finished(raw, () => {
    sockets.delete(socket);
    if (sockets.size > 0) return;
    sending.delete(bytes);
    current.release();
  });
}

function sum(sockets: Set<Socket>, numberOf: (socket: Socket) => number): number {
  return [...sockets].reduce((total, socket) => total + numberOf(socket), 0);
}
