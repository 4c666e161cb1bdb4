import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { commentId } from '../../../shared/comment-id.ts';
import { eventId, type LiveMissed, type LiveOpened, liveEvents } from '../../../shared/live.ts';
import { forEachYielding } from '../bus/live-bus.ts';
import type { ChannelFollower } from './follow-channel.ts';
import type { Position } from './missed-changes.ts';

/** Shorter than the idle timeouts of common proxies. */
const heartbeatMs = 20_000;
/** Delay before a browser reconnects after its stream breaks. */
const reconnectMs = 2000;
const heartbeat = Buffer.from(': heartbeat\n\n');

/** A live stream of a channel, which writes what it receives as server-sent events. */
interface EventStream extends ChannelFollower {
  isOpen(): boolean;
  /** The first event: what follows has happened after this position. */
  opened(at: Position): void;
  /** The reader was in a history that the site, restored since, does not have. */
  restored(at: Position): void;
}

/**
 * All open streams of server-sent events. There may be thousands, mostly silent, so one timer sends the
 * heartbeats of all of them.
 */
export class EventStreams {
  readonly #generation: string;
  readonly #open = new Set<ServerResponse>();
  /** Last encoding of each event, because most readers are at the same position. */
  readonly #encoded = new WeakMap<object, { id: string; bytes: Buffer }>();
  #isClosed = false;
  readonly #heartbeatTimer = setInterval(() => {
    void forEachYielding(this.#open, (stream) => {
      if (isReady(stream)) sendEvent(stream, heartbeat);
    });
  }, heartbeatMs).unref();

  /** @param generation of the site (site-generation.ts) */
  constructor(generation: string) {
    this.#generation = generation;
  }

  /**
   * Starts a stream of a channel as the response, with the headers set so far.
   * @param onReady called when the socket can be written to again (see `isReady`)
   */
  open(
    reply: FastifyReply,
    channelId: string,
    { onReady, onClose }: { onReady: () => void; onClose: () => void },
  ): EventStream {
    const stream = reply.hijack().raw;
    // Without chunked encoding, all readers can share the bytes of an event.
    stream.removeHeader('transfer-encoding');
    stream.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    // Flush, because the browser would otherwise see the response only with the first comment.
    stream.flushHeaders();
    stream.write(`retry: ${reconnectMs}\n\n`);
    this.#open.add(stream);
    // A disconnected client is handled by the `close` event.
    stream.on('error', () => {});
    stream.on('drain', onReady);
    const close = () => {
      this.#open.delete(stream);
      onClose();
    };
    // The client may have disconnected during the database query.
    if (stream.destroyed) queueMicrotask(close);
    else stream.once('close', close);
    // The server began to close during the database query.
    if (this.#isClosed) stream.end();
    const send = (event: string, data: object, { number, changeNumber }: Position) => {
      const id = eventId(this.#generation, commentId(channelId, number), changeNumber);
      sendEvent(stream, this.#encode(event, data, id));
    };
    const { opened, missed, comment, counts } = liveEvents;
    return {
      isOpen: () => !stream.destroyed,
      isReady: () => isReady(stream),
      opened: (at) =>
        send(opened, { generation: this.#generation, nowMs: Date.now() } satisfies LiveOpened, at),
      restored: (at) => send(missed, { restored: true, changes: true } satisfies LiveMissed, at),
      missed: (at, changes) => send(missed, { restored: false, changes } satisfies LiveMissed, at),
      comment: (data, at) => send(comment, data, at),
      change: ({ event, data }, at) => send(liveEvents[event], data, at),
      counts: (data, at) => send(counts, data, at),
      // The browser reconnects and receives the comments that it has not seen.
      failed: (err) => {
        reply.log.warn({ err }, 'live stream failed');
        stream.end();
      },
    };
  }

  /** @param data belongs to one event, whose encoding readers share */
  #encode(event: string, data: object, id: string): Buffer {
    const known = this.#encoded.get(data);
    if (known?.id === id) return known.bytes;
    const bytes = formatEvent(event, data, id);
    this.#encoded.set(data, { id, bytes });
    return bytes;
  }

  /** Ends all streams; otherwise closing the server would wait for them forever. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#heartbeatTimer);
    for (const stream of this.#open) stream.end();
  }
}

/** Encodes one event. The data is JSON, which has no line breaks. */
export function formatEvent(event: string, data: unknown, id?: string): Buffer {
  return Buffer.from(
    `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  );
}

/**
 * Whether the client has read what was sent before. Comments are not buffered for slow clients;
 * they are read from the database later.
 */
export function isReady({ destroyed, writableEnded, writableNeedDrain }: ServerResponse): boolean {
  return !destroyed && !writableEnded && !writableNeedDrain;
}

/** Sends an event. Check `isReady` first. */
export function sendEvent(stream: ServerResponse, event: Buffer): void {
  if (!stream.destroyed && !stream.writableEnded) stream.write(event);
}
