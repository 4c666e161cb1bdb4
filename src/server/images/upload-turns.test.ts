import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { test } from 'node:test';
import { Forum, type Person, uploadMetadata } from '../../../test/forum.ts';
import { quarters } from '../../../test/hostile-pictures.ts';
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

test('uploads of which nothing comes hold up nobody', { timeout: 60_000 }, async (t) => {
  const forum = await Forum.start('sqlite');
  t.after(() => forum.stop());
  const owner = await forum.person();
  const stalled = await Promise.all(Array.from({ length: 64 }, () => stall(forum, owner)));
  const picture = await quarters(40, 16).png().toBuffer();
  assert.equal((await forum.upload(owner, picture)).status, 200);
  // None of them had been dropped for its slowness yet.
  assert.ok(stalled.every((sending) => !sending.destroyed));
  for (const sending of stalled) sending.destroy();
});
