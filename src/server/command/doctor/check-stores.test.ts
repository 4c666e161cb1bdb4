import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePixel } from '../../../../test/attacks/hostile-images.ts';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import { storedObjectKeys } from '../../../../test/forum/image-setups.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';

for (const engine of engines) {
  test(`counts files that the database does not know when it is asked to, and deletes none (${engine})`, async () => {
    await using forum = await Forum.start(engine);
    const ana = await forum.person();
    assert.ok((await forum.upload(ana, await onePixel(8, 8).png().toBuffer())).ok);
    const doctor = async (...args: string[]) =>
      (await runCommand(forum.dataSettings, 'doctor', ...args)).said;
    assert.match(await doctor('--images'), /^ok +images +the database knows all of them$/m);
    await forum.deps.images.write('x.full', Buffer.from('x'), 'image/png');
    const before = await storedObjectKeys(forum);
    assert.match(await doctor('--images'), /^advice +images +1 file is not .* x\.full\./m);
    assert.doesNotMatch(await doctor(), /^\w+ +images /m);
    assert.deepEqual(await storedObjectKeys(forum), before);
  });
}
