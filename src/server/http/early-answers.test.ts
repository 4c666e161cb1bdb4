import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { changeValues } from '../../../test/change-values.ts';
import { eventually } from '../../../test/eventually.ts';
import { Forum, type Person, uploadMetadata } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { rest } from './lingering-close.ts';

const piece = Buffer.alloc(64 * 1024, 'a');
const tenMb = 160 * piece.length;
/** Attempts per request: when an early answer resets the connection, about half of them fail. */
const tries = 2;

/** The response seen by a client that sends everything before it reads anything. */
interface Outcome {
  status: number;
  answer: string;
  /** Code of the error that ended the connection; undefined when the server ended it normally. */
  error: string | undefined;
}

describe('an answer before the end of the body', () => {
  let forum: Forum;
  let person: Person;
  /** The server's sockets. */
  const served = new Set<Socket>();
  before(async () => {
    forum = await Forum.start('sqlite', { MAX_IMAGE_MB: '1' });
    forum.app.server.on('connection', (socket) => {
      served.add(socket);
      socket.once('close', () => served.delete(socket));
    });
    person = await forum.person();
  });
  after(() => forum?.stop());

  function open(): Socket {
    const { hostname, port } = new URL(forum.url);
    return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  }

  const bearer = () => `Authorization: Bearer ${person.token}`;
  const head = (line: string, ...fields: string[]) =>
    [line, 'Host: foro.example', ...fields, '\r\n'].join('\r\n');
  const chunked = 'Transfer-Encoding: chunked';
  const json = 'Content-Type: application/json';

  /** Sends a head and 10 MB before it reads, as some clients do. */
  async function sendThenRead(text: string): Promise<Outcome> {
    const socket = open();
    let error: string | undefined;
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      error = code;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.pause();
    const write = (bytes: string | Buffer) =>
      new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    const isChunked = text.includes(chunked);
    await write(text);
    for (let sent = 0; sent < tenMb && !error; sent += piece.length) {
      if (isChunked) await write(`${piece.length.toString(16)}\r\n`);
      await write(piece);
      if (isChunked) await write('\r\n');
    }
    if (isChunked && !error) await write('0\r\n\r\n');
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.resume().end();
    await closed;
    const answer = Buffer.concat(received)
      .toString()
      .replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '');
    return { status: Number(answer.split(' ')[1] ?? 0), answer, error };
  }

  const length = `Content-Length: ${tenMb}`;
  const tus = ['Tus-Resumable: 1.0.0', 'Content-Type: application/offset+octet-stream'];
  const metadata = `Upload-Metadata: ${uploadMetadata({ filename: 'a.png', use: 'cover' })}`;
  const post = (url: string, ...fields: string[]) => head(`POST ${url} HTTP/1.1`, ...fields);
  const { channels, uploads } = apiRoutes;

  for (const [what, status, text] of [
    ['JSON that is too long', 413, () => post(channels, bearer(), json, length)],
    ['chunked JSON that is too long', 413, () => post(channels, bearer(), json, chunked)],
    [
      'JSON whose sender waits for 100 Continue',
      413,
      () => post(channels, bearer(), json, length, 'Expect: 100-continue'),
    ],
    ['JSON in HTTP/1.0', 413, () => head(`POST ${channels} HTTP/1.0`, bearer(), json, length)],
    [
      'JSON whose sender wants to close',
      413,
      () => post(channels, bearer(), json, length, 'Connection: close'),
    ],
    ['JSON without a session', 401, () => post(channels, json, length)],
    ['JSON with another expectation', 401, () => post(channels, json, length, 'Expect: x')],
    ['a type that is not taken', 415, () => post(channels, bearer(), length, 'Content-Type: a/b')],
    ['a body to an unknown path', 404, () => post('/nada', length)],
    ['a body to a page', 405, () => post('/', length)],
    ['an upload without a session', 401, () => post(uploads, ...tus, metadata, length)],
    [
      'an upload that says it is too large',
      413,
      () => post(uploads, bearer(), ...tus, metadata, `Upload-Length: ${tenMb}`, length),
    ],
    [
      'an upload that is longer than it says',
      413,
      () => post(uploads, bearer(), ...tus, metadata, 'Upload-Length: 1000', length),
    ],
    [
      'an upload of another use',
      400,
      () => post(uploads, bearer(), ...tus, 'Upload-Length: 1000', length),
    ],
    [
      'a part of an upload that does not exist',
      404,
      () => head(`PATCH ${apiRoutes.upload('nada')} HTTP/1.1`, bearer(), ...tus, length),
    ],
    ['a chunk of an invalid size', 400, () => post(channels, bearer(), json, chunked, '', 'x')],
  ] as [string, number, () => string][]) {
    test(`reaches a client that sends 10 MB before it reads: ${what}`, async () => {
      const outcomes: Record<string, number> = {};
      for (let i = 0; i < tries; i++) {
        const outcome = await sendThenRead(text());
        const key = `${outcome.status} ${outcome.error ?? 'in order'}`;
        outcomes[key] = (outcomes[key] ?? 0) + 1;
      }
      assert.deepEqual(outcomes, { [`${status} in order`]: tries });
    });
  }

  test('that closes the connection is the last, and bytes after the body are not parsed as a request', async () => {
    const author = await forum.person();
    const channel: Channel = await forum.channel(author);
    const body = JSON.stringify({ id: channel._id, comment: 'No' });
    const next = head(
      'PUT /api/channels/comment HTTP/1.1',
      `Authorization: Bearer ${author.token}`,
      json,
      `Content-Length: ${body.length}`,
    );
    assert.equal(apiRoutes.comment, '/api/channels/comment');
    const socket = open();
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(post(channels, bearer(), json, `Content-Length: ${10 * piece.length}`));
    await once(socket, 'data');
    for (let i = 0; i < 10; i++) socket.write(piece);
    socket.end(next + body);
    await once(socket, 'close');
    assert.equal(answer.match(/HTTP\/1.1 /g)?.length, 1);
    assert.match(answer, /^HTTP\/1.1 413 .*connection: close/is);
    assert.deepEqual(await forum.allComments(channel._id), []);
  });

  for (const [what, goOn] of [
    ['sends on and on', (socket: Socket) => sendOn(socket)],
    ['sends no more', () => {}],
  ] as const) {
    test(`ends the connection of a client that keeps it open and ${what}`, async () => {
      // Too short for 12 MB, or long enough for them.
      changeValues(rest, { ms: what === 'sends no more' ? 300 : 60_000 });
      const socket = open();
      socket.on('error', () => {});
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(post(channels, json, chunked));
      const [answer] = await once(socket, 'data');
      assert.match(String(answer), /^HTTP\/1.1 401 /);
      const other = [...served].find(({ remotePort }) => remotePort === socket.localPort);
      assert.ok(other);
      socket.write('ffffffffff\r\n');
      goOn(socket);
      if (!other.destroyed) await once(other, 'close');
      socket.destroy();
      await closed;
    });
  }

  function sendOn(socket: Socket): void {
    if (!socket.destroyed) socket.write(piece, () => setImmediate(sendOn, socket));
  }

  test('leaves the connection open when the whole body arrives', async () => {
    const socket = open();
    const body = 'x'.repeat(1_000_000);
    const whole = post(channels, json, `Content-Length: ${body.length}`) + body;
    for (let i = 0; i < 2; i++) {
      socket.write(whole);
      const [answer] = await once(socket, 'data');
      assert.match(String(answer), /^HTTP\/1.1 401 .*connection: keep-alive/is);
    }
    socket.destroy();
  });

  test('many early answers on one connection leave nothing on it', async () => {
    const socket = open();
    socket.setEncoding('utf8');
    let answers = '';
    socket.on('data', (text: string) => {
      answers += text;
    });
    const body = Buffer.alloc(100, 'a');
    const listeners = () => [...served].map((one) => one.listenerCount('close'));
    for (let count = 1; count <= 12; count++) {
      socket.write(head('POST /api/channels HTTP/1.1', json, `Content-Length: ${body.length}`));
      await eventually('it is answered', async () => answers.split('HTTP/1.1 401').length > count);
      socket.write(body);
    }
    await eventually('no listener is left', async () => Math.max(...listeners()) < 8);
    socket.destroy();
  });
});
