import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

export interface Call {
  method: string;
  /** Percent-encoded path with the query. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

export interface Answer {
  status: number;
  body: string;
  headers: IncomingHttpHeaders;
}

/** Sends bytes in several writes. @returns the responses received until `handled` settles */
export async function sendRaw(
  url: string,
  bytes: Buffer,
  writes: number,
  handled: () => Promise<unknown>,
): Promise<Answer[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay();
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  // The server may close the connection.
  socket.on('error', () => {});
  const each = Math.max(1, Math.ceil(bytes.length / writes));
  for (let at = 0; at < bytes.length; at += each) {
    await new Promise((written) => socket.write(bytes.subarray(at, at + each), written));
  }
  await handled().finally(() => socket.destroy());
  const answers = received.split(/(?=HTTP\/1\.1 \d{3} )/).filter((part) => part !== '');
  return answers.map((answer) => {
    const [head = '', ...body] = answer.split('\r\n\r\n');
    const lines = head.split('\r\n').slice(1);
    const headers: Answer['headers'] = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const text = body.join('\r\n\r\n');
    const isWhole = Buffer.byteLength(text) === Number(headers['content-length']);
    return {
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
      headers,
      body: isWhole ? text : '',
    };
  });
}

/** @returns the response, without the body of a stream; undefined when the server closed the connection */
export async function sendCall(url: string, call: Call): Promise<Answer | undefined> {
  const { method, path, headers, body } = call;
  const sent = request(url, { method, path, headers, agent: false });
  try {
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const type = response.headers['content-type'] ?? '';
    let text = '';
    if (!type.startsWith('text/event-stream')) {
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
    }
    return { status: response.statusCode ?? 0, headers: response.headers, body: text };
  } catch (error) {
    // The server may close the connection of a body that is too large.
    if (
      error instanceof Error &&
      'code' in error &&
      /^(ECONNRESET|EPIPE)$/.test(String(error.code))
    ) {
      return undefined;
    }
    throw error;
  } finally {
    sent.destroy();
  }
}
