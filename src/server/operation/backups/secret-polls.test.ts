import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import { polledChannel, vote } from '../../../../test/forum/polls.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { closePolls } from '../../notifications/pass/tell-polls.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { withSource } from './backup-source.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const hourMs = 3_600_000;

for (const engine of engines) {
  test(`two backups do not show how somebody voted between them, and an open secret poll begins anew after a restore (${engine})`, async () => {
    let aheadMs = 0;
    const replace = { now: () => Date.now() + aheadMs };
    await using forum = await Forum.start(engine, {}, replace);
    await using folder = await temporaryFolder('secret');
    const people = [
      await forum.person('Ana'),
      await forum.person('Bea'),
      await forum.person('Leo'),
    ] as const;
    const [ana, bea] = people;
    const { id: closed } = await polledChannel(forum, ana, { secret: true });
    for (const person of people) await vote(forum, person, closed, [1]);
    aheadMs = hourMs;
    await closePolls(forum.services);
    const { id: open } = await polledChannel(forum, ana, { secret: true });
    const { id: named } = await polledChannel(forum, ana);
    await vote(forum, ana, named, [2]);
    const rowsOf = async (name: string) => {
      const file = path.join(folder.path, name);
      await withSource(forum.services.config, (source) => makeBackup(source, file, async () => {}));
      const { tables } = await verifyBackup(file);
      return [tables.secret_voters, tables.secret_counts];
    };
    const before = await rowsOf('before.tar');
    for (const person of [ana, bea]) await vote(forum, person, open, [1]);
    const after = await rowsOf('after.tar');
    assert.deepEqual(after, before);
    assert.deepEqual(
      after.map((table) => table?.count),
      [3, 3],
    );

    const env = { DATA_DIR: path.join(folder.path, 'restored') };
    await restoreBackup(parseConfig(env), path.join(folder.path, 'after.tar'));
    await using restored = await Forum.start('sqlite', env, replace);
    const read = async (id: string) => (await restored.allComments(id))[0]?.poll;
    const poll = await read(open);
    assert.ok(poll?.restartedAt);
    assert.equal((await read(named))?.restartedAt, null);
    const result = (await read(closed))?.options.map(({ votes }) => votes);
    assert.deepEqual(result, [0, 3, 0]);
    for (const person of people) {
      const again = { ...person, ...(await restored.newSession(person)) };
      assert.equal((await vote(restored, again, open, [0])).status, 200);
    }
    aheadMs += hourMs;
    await closePolls(restored.services);
    assert.deepEqual(
      (await read(open))?.options.map(({ votes }) => votes),
      [3, 0, 0],
    );
    assert.deepEqual((await read(named))?.voters, 1);
  });
}
