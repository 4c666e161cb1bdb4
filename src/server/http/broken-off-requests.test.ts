import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../test/eventually.ts';
import { Forum, uploadMetadata } from '../../../test/forum/forum.ts';
import { noisyImage } from '../../../test/forum/tus-upload.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';

const host = 'Host: foro.example\r\n';
const get = (url: string, more = '') => `GET ${url} HTTP/1.1\r\n${host}${more}\r\n`;
const send = (method: string, url: string, body: string, more = '') =>
  `${method} ${url} HTTP/1.1\r\n${host}Content-Length: ${body.length}\r\n${more}\r\n${body}`;

type When = 'before the rest is sent' | 'at once' | 'when the answer begins';
const moments: When[] = ['before the rest is sent', 'at once', 'when the answer begins'];

/** Sends a request, or half of it, and resets the connection. */
async function breakOff(url: string, bytes: string, when: When): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  const sent = when === 'before the rest is sent' ? bytes.slice(0, bytes.length / 2) : bytes;
  if (when === 'when the answer begins') socket.once('readable', () => socket.resetAndDestroy());
  else socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()));
  // Reset the connection even if the server does not respond.
  socket.setTimeout(1000, () => socket.resetAndDestroy());
  socket.write(Buffer.from(sent, 'latin1'));
  await closed;
}

// An error that nothing handles ends the process, and so this test.
test('a client that disconnects at any point of a request leaves no error and holds nothing', async () => {
  const logged: string[] = [];
  const log = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      logged.push(line);
      done();
    },
  });
  await using forum = await Forum.start('sqlite', { METRICS: 'on' }, {}, log);
  const owner = await forum.person();
  const channel = await forum.channel(owner);
  const png = await quarters(400, 160).png().toBuffer();
  const pathOf = async (image: Buffer) =>
    ((await (await forum.upload(owner, image)).json()) as { fullPath: string }).fullPath;
  const file = assetRoutes.file(await pathOf(png));
  const largeFile = assetRoutes.file(await pathOf(await noisyImage(900)));
  const live = get(apiRoutes.channelLive(channel._id));
  const session = `Authorization: Bearer ${owner.token}\r\n`;
  const json = 'Content-Type: application/json\r\n';
  const tus = `${session}Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\n`;
  const metadata = uploadMetadata({ filename: 'a.png', use: 'cover', filetype: 'image/png' });
  const account = { name: 'Ana', email: 'ana@ejemplo.es', password: 'una cualquiera' };
  const comment = { id: channel._id, comment: 'a' };

  const requests = [
    get(pageRoutes.home, 'Accept-Encoding: br\r\n'),
    get('//%ff'),
    get(pageRoutes.channel(channel._id)).repeat(30),
    get('/readyz'),
    get(file, 'Range: bytes=0-9\r\n'),
    // The first response is still unread when the connection is reset.
    get(largeFile) + live.repeat(3),
    live,
    `${live}\x00garbage`,
    get(apiRoutes.channelLive(channel._id), 'Upgrade: websocket\r\nConnection: upgrade\r\n'),
    get('/', 'Expect: 100-continue\r\n'),
    send('POST', apiRoutes.signUp, JSON.stringify(account), json),
    send('PUT', apiRoutes.comment, JSON.stringify(comment), session + json),
    send(
      'POST',
      apiRoutes.uploads,
      png.toString('latin1'),
      `${tus}Upload-Length: ${png.length}\r\nUpload-Metadata: ${metadata}\r\n`,
    ),
    `POST ${apiRoutes.signUp} HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\nzz`,
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ];
  // All at once, because a connection without an answer takes a second.
  const many = moments.flatMap((when) => [when, when, when]);
  const broken = requests.flatMap((request) =>
    many.map((when) => breakOff(forum.url, request, when)),
  );
  await Promise.all(broken);
  assert.equal((await forum.call('GET', '/healthz')).status, 200);
  await eventually('no stream is open', async () =>
    /^tertulia_live_readers 0$/m.test((await forum.metrics?.render()) ?? ''),
  );
  // The server still processes images that it received completely, each in one of the account's four slots.
  await eventually('every broken-off upload releases its slot', async () => {
    const four = ['a', 'b', 'c', 'd'].map((name) =>
      forum.upload(owner, png, { filename: `${name}.png` }),
    );
    return (await Promise.all(four)).every(({ status }) => status === 200);
  });
  assert.deepEqual(logged, []);
});
