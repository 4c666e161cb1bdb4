import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum, type Person, uploadMetadata } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/routes.ts';

/** Begins an upload of which only a few bytes ever come. @returns once they were received */
async function stall(forum: Forum, owner: Person): Promise<ClientRequest> {
  const sending = request(new URL(apiRoutes.uploads, forum.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': '100000',
      'upload-length': '100000',
      'upload-metadata': uploadMetadata({ filename: 'a.png', use: 'cover' }),
      expect: '100-continue',
    },
  });
  sending.on('error', () => {});
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.write('PNG');
  return sending;
}

/** Begins an upload that brings 700 bytes a second, for as long as it may. */
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

describe('uploads', { timeout: 60_000 }, () => {
  let forum: Forum;
  let image: Buffer;
  before(async () => {
    forum = await Forum.start('sqlite');
    image = await quarters(40, 16).png().toBuffer();
  });
  after(() => forum.stop());

  test('of which nothing comes hold up nobody', async () => {
    const owners = await Promise.all(Array.from({ length: 16 }, () => forum.person()));
    const stalled = await Promise.all(
      owners.flatMap((owner) => Array.from({ length: 4 }, () => stall(forum, owner))),
    );
    assert.equal((await forum.upload(await forum.person(), image)).status, 200);
    // None of them had been dropped for its slowness yet.
    assert.ok(stalled.every((sending) => !sending.destroyed));
    for (const sending of stalled) sending.destroy();
  });

  test('of five accounts, a hundred slow ones each, leave room for those of others', async () => {
    const owners = await Promise.all(Array.from({ length: 5 }, () => forum.person()));
    const dripping = owners.flatMap((owner) =>
      Array.from({ length: 100 }, () => drip(forum, owner)),
    );
    try {
      const open = () => dripping.filter((socket) => !socket.closed).length;
      await eventually('each account is left with four', async () => open() <= 20, 30_000);
      assert.equal((await forum.upload(await forum.person(), image)).status, 200);
    } finally {
      for (const socket of dripping) socket.destroy();
    }
  });

  test('beyond four at once are refused to an account, until one of its own is slow', async () => {
    const owner = await forum.person();
    const stalled = await Promise.all(Array.from({ length: 4 }, () => stall(forum, owner)));
    try {
      const refused = await forum.upload(owner, image);
      assert.equal(refused.headers.get('retry-after'), '5');
      const { detail } = await expectProblem(refused, 429, 'too_many_requests');
      assert.match(detail, /Espera a que acabe una/);
      const asked = async () => (await forum.upload(owner, image)).status === 200;
      await eventually('a slow one gives way', asked);
      assert.equal(stalled.filter(({ destroyed }) => destroyed).length, 1);
    } finally {
      for (const sending of stalled) sending.destroy();
    }
  });
});
