import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePixel } from '../../../../test/attacks/hostile-images.ts';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import { storedObjectKeys } from '../../../../test/forum/image-setups.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';

for (const engine of engines) {
  test(`counts files that the database does not know, and missing ones of images in use, when it is asked to, and deletes none (${engine})`, async () => {
    await using forum = await Forum.start(engine);
    const ana = await forum.person();
    assert.ok((await forum.upload(ana, await onePixel(8, 8).png().toBuffer())).ok);
    const doctor = async (...args: string[]) =>
      (await runCommand(forum.dataSettings, 'doctor', ...args)).said;
    const well = /^ok +images .*: none is missing, and the database knows all of them$/m;
    assert.match(await doctor('--images'), well);
    const [key = ''] = await storedObjectKeys(forum);
    const bytes = await forum.services.images.readWhole(key);
    await forum.services.images.remove(key);
    assert.match(await doctor('--images'), well, 'nothing uses the image yet');
    const { url } = await forum.services.db
      .selectFrom('images')
      .select('url')
      .executeTakeFirstOrThrow();
    await forum.services.db.updateTable('accounts').set({ img: url }).execute();
    const found = await runCommand(forum.dataSettings, 'doctor', '--images');
    const lost = new RegExp(
      `^not ok +images +1 file of an image in use .* for example ${key}\\.`,
      'm',
    );
    assert.match(found.said, lost);
    assert.equal(found.code, 1);
    await forum.services.images.write(key, bytes, 'image/png');
    await forum.services.images.write('x.full', Buffer.from('x'), 'image/png');
    const before = await storedObjectKeys(forum);
    assert.match(await doctor('--images'), /^ok +images .*; 1 file is not .* x\.full\./m);
    assert.deepEqual(await storedObjectKeys(forum), before);
  });
}
