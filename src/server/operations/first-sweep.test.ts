import assert from 'node:assert/strict';
import { mkdtempDisposable, readdir, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock, test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { Forum } from '../../../test/forum/forum.ts';
import { askForDeletion } from '../../../test/forum/leave-traces.ts';
import { startHousekeeping } from './housekeeping.ts';

const stray = `${crypto.randomUUID()}.full`;

/** Stores an old object without a row in the image store of a site that has an account. */
async function leaveStray(forum: Forum): Promise<string> {
  await forum.person();
  await forum.deps.images.write(stray, Buffer.from('x'), 'image/webp');
  const folder = path.join(forum.deps.config.dataDir, 'images');
  await utimes(path.join(folder, stray), new Date(0), new Date(0));
  return folder;
}

test('a server makes its backup at once, before the first sweep', async () => {
  await using data = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-first-'));
  const env = { DATA_DIR: data.path, BACKUP_KEEP: '1' };
  await using forum = await Forum.start('sqlite', env);
  const folder = await leaveStray(forum);
  // The backup process reads the settings of this process.
  const before = { ...process.env };
  Object.assign(process.env, env);
  const made = Promise.withResolvers<void>();
  const info = (_: unknown, message = '') => message.startsWith('backup made') && made.resolve();
  const error = ({ err }: { err: unknown }) => made.reject(err);
  // The minute until the first sweep never passes, however long the backup takes.
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  try {
    startHousekeeping(forum.deps, Object.assign(Object.create(forum.app.log), { info, error }));
    await made.promise;
    assert.ok((await readdir(folder)).includes(stray));
  } finally {
    mock.timers.reset();
    process.env = before;
  }
});

test('a server sweeps a minute after its start', async () => {
  await using forum = await Forum.start('sqlite');
  await leaveStray(forum);
  const removed = Promise.withResolvers<string>();
  Object.assign(forum.deps.images, { remove: async (key: string) => removed.resolve(key) });
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  try {
    startHousekeeping(forum.deps, forum.app.log);
    mock.timers.tick(60_000);
    assert.equal(await removed.promise, stray);
  } finally {
    mock.timers.reset();
  }
});

test('a server that erases an account when a sweep is due sweeps afterwards', async () => {
  let aheadMs = 0;
  await using forum = await Forum.start('sqlite', {}, { now: () => Date.now() + aheadMs });
  await leaveStray(forum);
  const ana = await forum.person();
  const stored = await forum.upload(ana, await quarters(200, 160).png().toBuffer());
  assert.ok(stored.ok);
  await askForDeletion(forum, ana, 'erase');
  aheadMs = 15 * 86_400_000;
  const erasing = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const swept = Promise.withResolvers<void>();
  const remove = async (key: string) => {
    if (key === stray) swept.resolve();
    erasing.resolve();
    await goOn.promise;
  };
  Object.assign(forum.deps.images, { remove });
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  try {
    startHousekeeping(forum.deps, forum.app.log);
    await erasing.promise;
    mock.timers.tick(60_000);
    await new Promise(setImmediate);
    goOn.resolve();
    await swept.promise;
  } finally {
    mock.timers.reset();
  }
});
