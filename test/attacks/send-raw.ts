import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawResponse {
  /** 0 when the connection was closed without an answer. */
  status: number;
  head: string;
  body: string;
}

/**
 * Sends these bytes on a connection of their own. They should end it (`Connection: close`); one that
 * stays open without traffic is closed after 3 seconds.
 */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  // The server may reset a connection whose bytes it did not read to the end.
  socket.on('error', () => {});
  socket.setTimeout(3000, () => socket.destroy());
  const closed = once(socket, 'close');
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await closed;
  const [head = '', ...body] = Buffer.concat(received).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1] ?? 0), head, body: body.join('\r\n\r\n') };
}
