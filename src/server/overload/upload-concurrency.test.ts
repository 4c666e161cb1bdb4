import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum, type Person, uploadMetadata } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';

/** Starts an upload that sends hardly more bytes than the time limit of a body demands, until it is destroyed. */
async function stall(forum: Forum, owner: Person, bytes = 100_000): Promise<ClientRequest> {
  const sending = request(new URL(apiRoutes.uploads, forum.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(bytes),
      'upload-length': String(bytes),
      'upload-metadata': uploadMetadata({ filename: 'a.png', use: 'cover' }),
      expect: '100-continue',
    },
  });
  sending.on('error', () => {});
  sending.flushHeaders();
  await once(sending, 'continue');
  const timer = setInterval(() => sending.write(Buffer.alloc(1000)), 1000);
  return sending.once('close', () => clearInterval(timer));
}

/** Starts an upload that sends 700 bytes a second until it is closed. */
function drip(forum: Forum, owner: Person): Socket {
  const { hostname, port } = new URL(forum.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.write(
    [
      `POST ${apiRoutes.uploads} HTTP/1.1`,
      'host: foro.example',
      `authorization: Bearer ${owner.token}`,
      'tus-resumable: 1.0.0',
      'content-type: application/offset+octet-stream',
      'content-length: 100000',
      'upload-length: 100000',
      `upload-metadata: ${uploadMetadata({ filename: 'a.png', use: 'cover' })}`,
      '\r\n',
    ].join('\r\n'),
  );
  const timer = setInterval(() => socket.write(Buffer.alloc(70)), 100);
  return socket.resume().once('close', () => clearInterval(timer));
}

describe('upload concurrency', () => {
  let forum: Forum;
  let image: Buffer;
  before(async () => {
    forum = await Forum.start('sqlite');
    image = await quarters(40, 16).png().toBuffer();
  });
  after(() => forum.stop());

  test('stalled uploads of sixteen accounts do not block an upload of another', async () => {
    const owners = await Promise.all(Array.from({ length: 16 }, () => forum.person()));
    const stalled = await Promise.all(
      owners.flatMap((owner) => Array.from({ length: 4 }, () => stall(forum, owner))),
    );
    assert.equal((await forum.upload(await forum.person(), image)).status, 200);
    // None of them was dropped.
    assert.ok(stalled.every((sending) => !sending.destroyed));
    for (const sending of stalled) sending.destroy();
  });

  test('slow uploads of five accounts are cut to four each and do not block another account', async () => {
    const owners = await Promise.all(Array.from({ length: 5 }, () => forum.person()));
    const dripping = owners.flatMap((owner) =>
      Array.from({ length: 20 }, () => drip(forum, owner)),
    );
    try {
      const open = () => dripping.filter((socket) => !socket.closed).length;
      await eventually('each account has four open uploads', async () => open() <= 20);
      assert.equal((await forum.upload(await forum.person(), image)).status, 200);
    } finally {
      for (const socket of dripping) socket.destroy();
    }
  });

  test('a fifth upload of an account is rejected until it can displace a slow one', async () => {
    const owner = await forum.person();
    const begun = Array.from({ length: 4 }, () => stall(forum, owner, 3_000_000));
    const stalled = await Promise.all(begun);
    const sendMore = () => {
      for (const sending of stalled) sending.write(Buffer.alloc(20_000));
    };
    const timer = setInterval(sendMore, 50);
    try {
      const rejected = await forum.upload(owner, image);
      assert.equal(rejected.headers.get('retry-after'), '5');
      const { detail } = await expectProblem(rejected, 429, 'too_many_requests');
      assert.match(detail, /Espera a que acabe una/);
      clearInterval(timer);
      const isAccepted = async () => (await forum.upload(owner, image)).status === 200;
      await eventually('a slow upload is displaced', isAccepted);
      assert.equal(stalled.filter(({ destroyed }) => destroyed).length, 1);
    } finally {
      clearInterval(timer);
      for (const sending of stalled) sending.destroy();
    }
  });
});
