import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../test/eventually.ts';
import { ForumClient, uploadMetadata } from '../../../test/forum/forum-client.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';

const host = 'Host: foro.example\r\n';
const get = (url: string, more = '') => `GET ${url} HTTP/1.1\r\n${host}${more}\r\n`;
const send = (method: string, url: string, body: string, more = '') =>
  `${method} ${url} HTTP/1.1\r\n${host}Content-Length: ${body.length}\r\n${more}\r\n${body}`;

type When = 'before the rest is sent' | 'at once' | 'when the answer begins';

/** Sends a request, or half of it, and resets the connection. */
async function breakOff(url: string, bytes: string, when: When): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  const sent = when === 'before the rest is sent' ? bytes.slice(0, bytes.length / 2) : bytes;
  if (when === 'when the answer begins') socket.once('data', () => socket.resetAndDestroy());
  else socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()));
  // Reset the connection even if the server does not respond.
  socket.setTimeout(1000, () => socket.resetAndDestroy());
  socket.write(Buffer.from(sent, 'latin1'));
  await closed;
}

test('a client that disconnects at any point of a request does not end the process', async () => {
  await using folder = await temporaryFolder('broken-off');
  await using server = await ServerProcess.start({ DATA_DIR: folder.path, RATE_LIMITS: 'off' });
  const forum = new ForumClient(server.url);
  const owner = await forum.person();
  const channel = await forum.channel(owner);
  const png = await quarters(400, 160).png().toBuffer();
  const { fullPath } = (await (await forum.upload(owner, png)).json()) as { fullPath: string };
  const session = `Authorization: Bearer ${owner.token}\r\n`;
  const json = 'Content-Type: application/json\r\n';
  const tus = `${session}Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\n`;
  const metadata = uploadMetadata({ filename: 'a.png', use: 'cover', filetype: 'image/png' });
  const account = { name: 'Ana', email: 'ana@ejemplo.es', password: 'una cualquiera' };
  const wrong = Buffer.from('ana@ejemplo.es:no').toString('base64');

  const requests = [
    get(pageRoutes.home),
    get(pageRoutes.home, 'Accept-Encoding: br\r\n'),
    get('/nada'),
    get('//%ff'),
    get(pageRoutes.channel(channel._id)).repeat(30),
    get(apiRoutes.channels),
    get('/api/openapi.json'),
    get('/readyz'),
    get(assetRoutes.file(fullPath)),
    get(assetRoutes.file(fullPath), 'Range: bytes=0-9\r\n'),
    get(apiRoutes.channelLive(channel._id)),
    `${get(apiRoutes.channelLive(channel._id))}\x00garbage`,
    get(apiRoutes.channelLive(channel._id), 'Upgrade: websocket\r\nConnection: upgrade\r\n'),
    get('/', 'Expect: 100-continue\r\n'),
    send('POST', apiRoutes.signIn, '', `Authorization: Basic ${wrong}\r\n`),
    send('POST', apiRoutes.signUp, JSON.stringify(account), json),
    send(
      'PUT',
      apiRoutes.comment,
      JSON.stringify({ id: channel._id, comment: 'a' }),
      session + json,
    ),
    send(
      'POST',
      apiRoutes.uploads,
      png.toString('latin1'),
      `${tus}Upload-Length: ${png.length}\r\nUpload-Metadata: ${metadata}\r\n`,
    ),
    `POST ${apiRoutes.signUp} HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\nzz`,
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ];
  const moments: When[] = ['before the rest is sent', 'at once', 'when the answer begins'];
  for (const request of requests) {
    await Promise.all(
      moments.flatMap((when) =>
        Array.from({ length: 5 }, () => breakOff(server.url, request, when)),
      ),
    );
  }
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  // The server still processes images that it received completely, each in one of the account's four slots.
  await eventually('every broken-off upload releases its slot', async () => {
    const four = ['a', 'b', 'c', 'd'].map((name) =>
      forum.upload(owner, png, { filename: `${name}.png` }),
    );
    return (await Promise.all(four)).every(({ status }) => status === 200);
  });
  const logged = server.logged(/failed|uncaught|broken off/).map((line) => JSON.stringify(line));
  assert.deepEqual(logged, []);
});
