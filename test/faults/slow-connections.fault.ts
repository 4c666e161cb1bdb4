import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { eventually } from '../eventually.ts';
import { Forum, type Person, uploadMetadata } from '../forum/forum.ts';

const droppedWithinMs = 15_000;
const readersWithinMs = 1000;

describe('slow clients', () => {
  let forum: Forum;
  let person: Person;
  /** The server's sockets by the caller's port. */
  const served = new Map<number | undefined, Socket>();
  before(async () => {
    forum = await Forum.start('sqlite');
    forum.app.server.on('connection', (socket) => served.set(socket.remotePort, socket));
    person = await forum.person();
  });
  after(() => forum.stop());

  /** Sends a text and then one byte a second. @returns milliseconds until the server closed the connection */
  async function drip(text: string): Promise<number> {
    const socket = open(text);
    const startMs = Date.now();
    const timer = setInterval(() => socket.write('x'), 1000);
    socket.resume();
    await closed(socket);
    clearInterval(timer);
    return Date.now() - startMs;
  }

  const address = () => ({ host: '127.0.0.1', port: Number(new URL(forum.url).port) });

  function open(text: string): Socket {
    const socket = connect(address());
    socket.on('error', () => {});
    socket.write(text);
    return socket;
  }
  function openUnread(text: string): Socket {
    return open(text).pause();
  }
  /** Waits on the server's side, since a client that does not read does not see the end. */
  async function disconnected(socket: Socket): Promise<void> {
    await once(socket, 'connect');
    await eventually('the server has accepted the connection', async () =>
      served.has(socket.localPort),
    );
    const other = served.get(socket.localPort);
    if (other && !other.destroyed) await closed(other);
    socket.destroy();
  }
  const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

  const body = (method: string, url: string, headers: Record<string, string>) =>
    [
      `${method} ${url} HTTP/1.1`,
      'host: foro.example',
      'content-length: 100000',
      `authorization: Bearer ${person.token}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n');
  const json = { 'content-type': 'application/json' };
  const upload = {
    'tus-resumable': '1.0.0',
    'upload-length': '100000',
    'content-type': 'application/offset+octet-stream',
    'upload-metadata': uploadMetadata({ filename: 'a.png', use: 'cover' }),
  };

  const attacks: [what: string, many: number, text: () => string][] = [
    ['slow headers', 800, () => 'GET / HTTP/1.1\r\nx: '],
    ['slow bodies', 300, () => body('POST', apiRoutes.channels, json)],
    ['slow bodies to an unknown path', 300, () => body('POST', '/nada', json)],
    [
      'slow bodies after their answer',
      300,
      () => body('POST', apiRoutes.channels, json).replace(/authorization.*\r\n/, ''),
    ],
    ['slow uploads', 300, () => body('POST', apiRoutes.uploads, upload)],
  ];
  for (const [what, many, text] of attacks) {
    test(`are disconnected within 15 s and delay no reader (${many} ${what})`, async (t) => {
      let underAttack = true;
      const attack = Promise.all(Array.from({ length: many }, () => drip(text()))).finally(() => {
        underAttack = false;
      });
      const image = await quarters(40, 16).png().toBuffer();
      const waitsMs: number[] = [];
      while (underAttack) {
        const startMs = Date.now();
        assert.equal((await forum.call('GET', pageRoutes.home)).status, 200);
        waitsMs.push(Date.now() - startMs);
        await delay(100);
        // Measure the readers once, at the height of the attack.
        if (waitsMs.length === 20) {
          const sentMs = Date.now();
          assert.equal((await forum.upload(person, image)).status, 200);
          t.diagnostic(`an upload meanwhile: ${Date.now() - sentMs} ms`);
        }
      }
      const heldMs = await attack;
      const longest = Math.max(...heldMs);
      const wait = Math.max(...waitsMs);
      t.diagnostic(`held for ${longest} ms at most; reading took ${wait} ms at most`);
      assert.ok(longest < droppedWithinMs, `${longest} ms`);
      assert.ok(wait < readersWithinMs, `${wait} ms`);
    });
  }

  test('are refused after 3,000 connections from one address, while other addresses are served', async (t) => {
    const held: Socket[] = [];
    while (held.length < 3000) {
      // Open few enough at once for the listen backlog.
      const some = Array.from({ length: 375 }, () => open(''));
      await Promise.all(some.map((socket) => once(socket, 'connect')));
      held.push(...some);
    }
    const startMs = Date.now();
    await closed(open('').resume());
    t.diagnostic(`the next one was closed after ${Date.now() - startMs} ms`);
    const elsewhere = connect({ ...address(), localAddress: '127.0.0.2' });
    elsewhere.write('GET /healthz HTTP/1.1\r\nhost: foro.example\r\n\r\n');
    const [response] = await once(elsewhere, 'data');
    assert.match(String(response), /^HTTP\/1.1 200 /);
    for (const socket of [...held, elsewhere]) socket.destroy();
    await eventually('new connections are accepted', async () => {
      const response = await forum.call('GET', '/healthz').catch(() => undefined);
      return response?.status === 200;
    });
  });

  test('are disconnected within 15 s when they do not read a large response', async (t) => {
    const channel = await forum.channel(person);
    for (let i = 0; i < 100; i++) await forum.comment(person, channel._id, '🦖'.repeat(10_000));
    const get = (url: string) => `GET ${url} HTTP/1.1\r\nhost: foro.example\r\n\r\n`;
    const comments = `${apiRoutes.channelComments(channel._id)}?limit=100`;
    // Repeated, so that the responses exceed the socket buffers.
    const list = get(comments).repeat(20);
    const before = process.memoryUsage().rss;
    const startMs = Date.now();
    const heldMs = await Promise.all(
      Array.from({ length: 50 }, async () => {
        await disconnected(openUnread(list));
        return Date.now() - startMs;
      }),
    );
    const grownMb = Math.round((process.memoryUsage().rss - before) / 1024 / 1024);
    t.diagnostic(`held for ${Math.max(...heldMs)} ms at most; memory grew by ${grownMb} MB`);
    assert.ok(Math.max(...heldMs) < droppedWithinMs);
  });

  test('are disconnected when they do not read a live stream', async (t) => {
    const channel = await forum.channel(person);
    const live = `GET ${apiRoutes.channelLive(channel._id)} HTTP/1.1\r\nhost: foro.example\r\n\r\n`;
    const dropped = Promise.all(Array.from({ length: 20 }, () => disconnected(openUnread(live))));
    let done = false;
    void dropped.then(() => {
      done = true;
    });
    let written = 0;
    const startMs = Date.now();
    while (!done && Date.now() - startMs < 120_000) {
      await forum.comment(person, channel._id, '🦖'.repeat(10_000));
      written++;
    }
    assert.ok(done, 'the streams stayed open');
    t.diagnostic(`disconnected after ${written} comments of 40 kB, ${Date.now() - startMs} ms`);
  });

  test('are disconnected within 15 s when they stop reading a live stream with few bytes left to send', async (t) => {
    const channel = await forum.channel(person);
    const live = `GET ${apiRoutes.channelLive(channel._id)} HTTP/1.1\r\nhost: foro.example\r\n\r\n`;
    const socket = openUnread(live);
    const dropped = disconnected(socket);
    const unsent = () => served.get(socket.localPort)?.writableLength ?? 0;
    while (unsent() === 0) await forum.comment(person, channel._id, '🦖'.repeat(10_000));
    const startMs = Date.now();
    await dropped;
    t.diagnostic(`held for ${Date.now() - startMs} ms`);
    assert.ok(Date.now() - startMs < droppedWithinMs);
  });

  test('can upload slowly as long as they make steady progress', async (t) => {
    const image = await quarters(600, 600).png().toBuffer();
    const bytes = Buffer.concat([image, Buffer.alloc(Math.max(0, 30_000 - image.length))]);
    const socket = open(
      body('POST', apiRoutes.uploads, { ...upload, 'upload-length': String(bytes.length) }).replace(
        'content-length: 100000',
        `content-length: ${bytes.length}`,
      ),
    );
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    const startMs = Date.now();
    for (let at = 0; at < bytes.length; at += 1000) {
      socket.write(bytes.subarray(at, at + 1000));
      await delay(1000);
    }
    while (received === '' && !socket.destroyed) await delay(50);
    t.diagnostic(`response after ${Date.now() - startMs} ms: ${received.slice(0, 40)}`);
    assert.match(received, /^HTTP\/1.1 200 /);
    socket.destroy();
  });
});
