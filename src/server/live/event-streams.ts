import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { forEachYielding } from './yield-between.ts';

/** Shorter than the idle time-outs of common proxies. */
const heartbeatMs = 20_000;
/** How soon a reader whose stream broke off comes back. */
const reconnectMs = 2000;
const heartbeat = Buffer.from(': heartbeat\n\n');

/**
 * All open streams of server-sent events. Thousands may be, and most are silent: one clock serves
 * all, and a stream keeps as little as it can.
 */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();
  #isClosed = false;
  readonly #clock = setInterval(() => {
    void forEachYielding(this.#open, (stream) => {
      if (isReady(stream)) sendEvent(stream, heartbeat);
    });
  }, heartbeatMs).unref();

  /**
   * Turns the answer into a stream, with the headers that it has by now.
   * @param onReady the reader takes in again what is sent, after it did not (`isReady`)
   */
  open(
    reply: FastifyReply,
    { onReady, onClose }: { onReady: () => void; onClose: () => void },
  ): ServerResponse {
    const stream = reply.hijack().raw;
    // Not in chunks: each event is one write, of bytes that all readers share.
    stream.removeHeader('transfer-encoding');
    stream.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    // Alone, so that the many pieces it was put together from are let go. It also opens the stream
    // at the reader's; otherwise that would wait for the first comment.
    stream.flushHeaders();
    stream.write(`retry: ${reconnectMs}\n\n`);
    this.#open.add(stream);
    stream.on('error', ignore);
    stream.on('drain', onReady);
    const close = () => {
      this.#open.delete(stream);
      onClose();
    };
    // Gone already, while the database was asked.
    if (stream.destroyed) queueMicrotask(close);
    else stream.once('close', close);
    // It was asked for just before the end.
    if (this.#isClosed) stream.end();
    return stream;
  }

  /** Streams have no end of their own; closing the server would wait for them forever. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#clock);
    for (const stream of this.#open) stream.end();
  }
}

/** One event as it travels. The data goes as JSON, which has no line breaks. */
export function formatEvent(event: string, data: unknown, id?: string): Buffer {
  return Buffer.from(
    `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  );
}

/**
 * Whether the reader has taken in what was sent before. What comes meanwhile is not to be kept for
 * each reader: it is in the database.
 */
export function isReady({ destroyed, writableEnded, writableNeedDrain }: ServerResponse): boolean {
  return !destroyed && !writableEnded && !writableNeedDrain;
}

/** Sends an event; to be asked before: `isReady`. */
export function sendEvent(stream: ServerResponse, event: Buffer): void {
  if (!stream.destroyed && !stream.writableEnded) stream.write(event);
}

/** A reader who is gone is noticed when its connection closes. */
function ignore(): void {}
