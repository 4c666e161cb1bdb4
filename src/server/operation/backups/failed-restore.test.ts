import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { FaultyBucket } from '../../../../test/bucket/faulty-bucket.ts';
import { createPostgresDatabase, engines, Forum } from '../../../../test/forum/forum.ts';
import { outcomeOf, runTertulia } from '../../../../test/processes/program.ts';
import { UnfitTarget } from '../../database/unfit-target.ts';
import { StoreUnavailable } from '../../images/stores/errors.ts';
import { objectKeysOf } from '../../images/stores/storage-keys.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

let folder: string;
/** Two backups of one site, each with an image that the other lacks. */
let files: [string, string];
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tertulia-failed-restore-'));
  files = [path.join(folder, 'one.tar'), path.join(folder, 'two.tar')];
  await using forum = await Forum.start('sqlite');
  const author = await forum.person();
  for (const file of files) {
    await forum.services.db.deleteFrom('images').execute();
    assert.ok((await forum.upload(author, await quarters(1000, 400).png().toBuffer())).ok);
    await makeBackup(forum.services, file, async () => {});
  }
});
after(() => rm(folder, { recursive: true, force: true }));

/** An empty database beside a bucket. */
async function emptyTarget(engine: (typeof engines)[number], bucket: FaultyBucket) {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  const env = {
    ...bucket.env,
    DATA_DIR: await mkdtemp(path.join(folder, 'target-')),
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  const config = parseConfig(env);
  return { env, config, [Symbol.asyncDispose]: async () => database?.drop() };
}

/** Asserts that the bucket has every image that the rows refer to. */
async function assertWhole(env: Record<string, string>, bucket: FaultyBucket) {
  await using forum = await Forum.start(env.DATABASE_URL ? 'postgres' : 'sqlite', env);
  const { db } = forum.services;
  const keys = (await db.selectFrom('images').selectAll().execute()).flatMap(objectKeysOf);
  assert.equal(keys.length, 4);
  for (const key of keys) assert.ok(bucket.objects.get(`images/${key}`)?.length);
}

for (const engine of engines) {
  test(`a restore that fails because of the bucket deletes nothing, and says what it leaves (${engine})`, async () => {
    const bucket = await FaultyBucket.start();
    try {
      await using target = await emptyTarget(engine, bucket);
      let writes = 0;
      bucket.onRequest = (action) => {
        if (!action.startsWith('PUT images/')) return;
        writes++;
        bucket.behaviour = writes > 2 ? 'error' : 'normal';
      };
      const failed = await outcomeOf(runTertulia(target.env, 'restore', files[0]));
      assert.equal(failed.code, 1);
      assert.match(failed.said, /^The restore failed, and 2 image files are left in the bucket/m);
      assert.match(failed.said, /delete them all, and restore again/);
      assert.match(failed.said, /^The bucket does not work/m);
      bucket.onRequest = undefined;
      bucket.behaviour = 'normal';
      assert.equal(bucket.objects.size, 2);
      const again = await outcomeOf(runTertulia(target.env, 'restore', files[0]));
      assert.match(again.said, /The image store has images, .* If a restore that failed/);
      assert.equal(bucket.objects.size, 2);
      bucket.objects.clear();
      await restoreBackup(target.config, files[engine === 'sqlite' ? 0 : 1]);
      await assertWhole(target.env, bucket);
      // The bucket now has the images of a site.
      await using other = await emptyTarget(engine, bucket);
      await assert.rejects(restoreBackup(other.config, files[0]), UnfitTarget);
      await assertWhole(target.env, bucket);
    } finally {
      bucket.stop();
    }
  });
}

test('a restore whose bucket cannot be listed changes nothing', async () => {
  const bucket = await FaultyBucket.start();
  try {
    await using target = await emptyTarget('sqlite', bucket);
    bucket.behaviour = 'error';
    await assert.rejects(restoreBackup(target.config, files[0]), StoreUnavailable);
    assert.equal(bucket.objects.size, 0);
  } finally {
    bucket.stop();
  }
});
