import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum, type Person, uploadMetadata } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

/** Starts an upload and sends none of its bytes. */
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
  return sending;
}

test('an account has four uploads under way; a fifth is refused until one ends, and those of others are not', async () => {
  await using forum = await Forum.start('sqlite');
  const image = await quarters(40, 16).png().toBuffer();
  const owner = await forum.person();
  const stalled = await Promise.all(Array.from({ length: 4 }, () => stall(forum, owner)));
  const isAccepted = async () => (await forum.upload(owner, image)).status === 200;
  await eventually('all four are counted', async () => !(await isAccepted()));
  const refused = await forum.upload(owner, image);
  assert.equal(refused.headers.get('retry-after'), '5');
  const { detail } = await expectProblem(refused, 429, 'too_many_requests');
  assert.match(detail, /Espera a que acabe una/);
  assert.equal((await forum.upload(await forum.person(), image)).status, 200);
  stalled[0]?.destroy();
  await eventually('another is accepted', isAccepted);
  for (const sending of stalled) sending.destroy();
});
