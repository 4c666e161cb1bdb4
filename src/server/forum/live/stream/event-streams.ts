import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { forEachYielding } from '../../../database/bus/live-bus.ts';

/** Shorter than the idle timeouts of common proxies. */
const heartbeatMs = 20_000;
/** Delay before a browser reconnects after its stream breaks. */
const reconnectMs = 2000;
const heartbeat = Buffer.from(': heartbeat\n\n');

/**
 * Maximum unsent bytes of a client that does not read. Above this it is disconnected at the next event, and gets the
 * events it missed when it reconnects.
 */
export const maxUnsentBytes = 128 * 1024;

/** An open stream that receives encoded events. */
export interface Stream {
  send(event: Buffer): void;
  /** Ends the stream; its reader reconnects and gets the events it missed. */
  end(): void;
}

/**
 * All open streams of server-sent events. There may be thousands, mostly silent, so a single timer sends all
 * heartbeats.
 */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();
  #isClosed = false;
  readonly #heartbeatTimer = setInterval(() => {
    void forEachYielding(this.#open, (stream) => sendEvent(stream, heartbeat));
  }, heartbeatMs).unref();

  /**
   * Starts a stream as the response, with the headers set so far.
   * @param onClose called once, after this has returned
   */
  open(reply: FastifyReply, onClose: () => void): Stream {
    const stream = reply.hijack().raw;
    // Without chunked encoding, all streams can share the bytes of an event.
    stream.removeHeader('transfer-encoding');
    stream.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    // Otherwise the browser would see the response only with the first comment.
    stream.flushHeaders();
    stream.write(`retry: ${reconnectMs}\n\n`);
    this.#open.add(stream);
    // A disconnected client is handled by the `close` event.
    stream.on('error', () => {});
    const close = () => {
      this.#open.delete(stream);
      onClose();
    };
    // The client may have disconnected during the database query.
    if (stream.destroyed) setImmediate(close);
    else stream.once('close', close);
    // The server began to close during the database query.
    if (this.#isClosed) stream.end();
    return { send: (event) => sendEvent(stream, event), end: () => stream.end() };
  }

  /** Ends all streams; otherwise closing the server would wait for them forever. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#heartbeatTimer);
    for (const stream of this.#open) stream.end();
  }
}

/** Encodes one event. The data is JSON, which has no line breaks. */
export function formatEvent(event: string, data: unknown, id?: number): Buffer {
  return Buffer.from(
    `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  );
}

/** Sends an event, or disconnects a client that does not read. */
export function sendEvent(stream: ServerResponse, event: Buffer): void {
  if (stream.destroyed || stream.writableEnded) return;
  if (stream.writableLength > maxUnsentBytes) stream.destroy();
  else stream.write(event);
}
