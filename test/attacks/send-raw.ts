import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawResponse {
  /** 0 when the connection was closed without a response. */
  status: number;
  head: string;
  body: string;
}

/**
 * Sends bytes on a new connection and reads until it closes. The request should have
 * `Connection: close`; a connection without traffic is closed after `idleMs`.
 */
export async function sendRaw(
  url: string,
  bytes: string | Buffer,
  idleMs = 60_000,
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  // The server may reset a connection whose bytes it has not read completely.
  socket.on('error', () => {});
  socket.setTimeout(idleMs, () => socket.destroy());
  const closed = once(socket, 'close');
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await closed;
  const [head = '', ...body] = Buffer.concat(received).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1] ?? 0), head, body: body.join('\r\n\r\n') };
}
