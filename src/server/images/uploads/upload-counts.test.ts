import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { colouredImage } from '../../../../test/forum/image-setups.ts';
import { TusUpload } from '../../../../test/forum/tus-upload.ts';

test('an account has four uploads under way; a fifth is refused until one ends, and those of others are not', async () => {
  await using forum = await Forum.start('sqlite');
  const image = await colouredImage('red').png().toBuffer();
  const owner = await forum.person();
  const stalled = [];
  for (let i = 0; i < 4; i++) {
    const upload = await TusUpload.begin(forum.url, owner, 1000);
    stalled.push(upload.stall(forum.url, 0, Buffer.alloc(10), 1000));
  }
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
