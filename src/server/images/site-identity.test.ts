import assert from 'node:assert/strict';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { onePixel } from '../../../test/attacks/hostile-images.ts';
import { FaultyBucket } from '../../../test/bucket/faulty-bucket.ts';
import {
  createMigratedDatabase,
  createPostgresDatabase,
  Forum,
} from '../../../test/forum/forum.ts';
import { imageSetups, storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { operate } from '../../../test/forum/operator.ts';
import { refusedStart, runCommand } from '../../../test/processes/run-command.ts';
import type { StoredFile } from '../../shared/images.ts';
import { parseConfig } from '../config/config.ts';
import { openDatabase } from '../database/database.ts';
import { readMigrations } from '../database/migrations/migrate.ts';
import { openDeps } from '../deps.ts';
import { runHousekeeping } from '../operations/housekeeping.ts';
import { OtherSite } from './site-identity.ts';
import { identityKey } from './stores/storage-keys.ts';
import { sweepImages } from './sweep-images.ts';

const later = () => Date.now() + 25 * 3_600_000;

async function upload(forum: Forum): Promise<StoredFile> {
  const png = await onePixel(8, 8).png().toBuffer();
  return (await (await forum.upload(await forum.person(), png)).json()) as StoredFile;
}
const identityInDatabase = async ({ deps }: Forum) =>
  (await deps.db.selectFrom('site_identity').selectAll().executeTakeFirst())?.identity;
const identityInStore = async ({ deps }: Forum) =>
  String(await deps.images.readWhole(identityKey)).trim();
async function expectSame(forum: Forum): Promise<string> {
  const identity = await identityInDatabase(forum);
  assert.match(identity ?? '', /^[\da-f]{32}$/);
  assert.equal(await identityInStore(forum), identity);
  return identity ?? '';
}

for (const setup of imageSetups) {
  describe(`the identity of a site (${setup.title})`, () => {
    const opened: (() => Promise<unknown>)[] = [];
    let env: Record<string, string>;
    /** Creates the settings of a new site of this setup, on PostgreSQL with tables unless told otherwise. */
    async function newSite(create = createMigratedDatabase): Promise<Record<string, string>> {
      const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-identity-'));
      opened.push(() => rm(folder, { recursive: true, force: true }));
      const database = setup.engine === 'postgres' ? await create() : undefined;
      if (database) opened.push(database.drop);
      return {
        ...(await setup.env()),
        DATA_DIR: path.join(folder, 'data'),
        ...(database ? { DATABASE_URL: database.url } : {}),
      };
    }
    /** Settings with the database of one site and the image store of another. */
    async function mixed(
      database: Record<string, string>,
      store: Record<string, string>,
    ): Promise<Record<string, string>> {
      if (database.DATABASE_URL) return { ...store, DATABASE_URL: database.DATABASE_URL };
      if (store.S3_BUCKET) return { ...store, DATA_DIR: database.DATA_DIR ?? '' };
      const images = (env: Record<string, string>) => path.join(env.DATA_DIR ?? '', 'images');
      await rename(images(database), `${images(database)}-before`).catch(() => {});
      await cp(images(store), images(database), { recursive: true });
      return database;
    }
    const withForum = async <T>(
      env: Record<string, string>,
      work: (forum: Forum) => Promise<T>,
    ): Promise<T> => {
      await using forum = await Forum.start(setup.engine, env);
      return await work(forum);
    };
    const expectRefused = (env: Record<string, string>, message: RegExp) =>
      assert.rejects(
        Forum.start(setup.engine, env).then((forum) => forum.stop()),
        (error) => error instanceof OtherSite && message.test(error.message),
      );
    beforeEach(async () => {
      env = await newSite();
    });
    afterEach(async () => {
      for (const close of opened.splice(0).reverse()) await close();
    });

    test('is the same in the database and the image store from the first start on, and does not count as an image', async () => {
      const first = await withForum(env, async (forum) => {
        assert.deepEqual(await storedObjectKeys(forum), []);
        return expectSame(forum);
      });
      assert.equal(await withForum(env, expectSame), first);
    });

    test('prevents a start with the database of another site, with and without images', async () => {
      const other = await newSite();
      await withForum(other, upload);
      const files = await withForum(env, async (forum) => {
        await upload(forum);
        return storedObjectKeys(forum);
      });
      await expectRefused(await mixed(other, env), /not of the same site .*adopt-images/);
      const third = await newSite();
      await withForum(third, (forum) => forum.person());
      await expectRefused(await mixed(third, env), /not of the same site/);
      await withForum(env, async (forum) => {
        await sweepImages(forum.deps);
        assert.deepEqual(await storedObjectKeys(forum), files);
      });
    });

    test('stops a sweep when the image store is of another site by then', async () => {
      await withForum(env, async (forum) => {
        await upload(forum);
        const files = await storedObjectKeys(forum);
        await forum.deps.images.write(identityKey, Buffer.from('otra'), 'text/plain');
        await assert.rejects(sweepImages({ ...forum.deps, now: later }), OtherSite);
        assert.deepEqual(await storedObjectKeys(forum), files);
        assert.equal((await forum.deps.db.selectFrom('images').selectAll().execute()).length, 1);
      });
    });

    test('is copied to the one that lacks it, and created where both lack it, if the images fit', async () => {
      const former = await withForum(env, async (forum) => {
        await upload(forum);
        await forum.deps.images.remove(identityKey);
        return identityInDatabase(forum);
      });
      await withForum(env, async (forum) => {
        assert.equal(await expectSame(forum), former);
        await forum.deps.db.deleteFrom('site_identity').execute();
      });
      await withForum(env, async (forum) => {
        assert.equal(await expectSame(forum), former);
        await forum.deps.images.remove(identityKey);
        await forum.deps.db.deleteFrom('site_identity').execute();
      });
      assert.notEqual(await withForum(env, expectSame), former);
    });

    test('is not copied where the images are lost, until the operator allows it', async () => {
      await withForum(env, async (forum) => {
        await upload(forum);
        for (const key of await storedObjectKeys(forum)) await forum.deps.images.remove(key);
        await forum.deps.images.remove(identityKey);
      });
      await expectRefused(env, /refers to images, although there are none in .*adopt-images/);
      const { code, said } = await runCommand(env, 'admin', 'adopt-images');
      assert.equal(code, 0, said);
      await withForum(env, async (forum) => {
        await expectSame(forum);
        assert.match(await operate(forum, 'audit'), /adopt-images/);
      });
    });

    test('makes backups fail where it differs, and is reported by the doctor', async () => {
      await withForum(env, async (forum) => {
        await upload(forum);
        await forum.deps.images.write(identityKey, Buffer.from('otra'), 'text/plain');
      });
      const backedUp = await runCommand(env, 'backup');
      assert.equal(backedUp.code, 4, backedUp.said);
      assert.match(backedUp.said, /not of the same site/);
      const { code, said } = await runCommand(env, 'doctor');
      assert.equal(code, 1);
      assert.match(said, /^fix +images +The settings name .* not of the same site/m);
      const started = await refusedStart(env);
      assert.equal(started.code, 4, started.said);
      assert.match(started.said, /^The settings name .* tertulia admin adopt-images/m);
    });

    // With SQLite and an image folder, both are in the data folder.
    if (setup.engine !== 'sqlite') {
      test('prevents a start of an empty database beside the store of a site without images', async () => {
        const other = await newSite();
        await withForum(env, async (forum) => {
          const identity = await expectSame(forum);
          const shared = await mixed(other, env);
          await expectRefused(
            shared,
            /no accounts, although .* identity of a site in .* remove images\/site-identity/,
          );
          assert.equal(await expectSame(forum), identity);
        });
        await withForum(env, expectSame);
      });

      test('is not created for an empty database beside images, which stays without tables', async () => {
        const files = await withForum(env, async (forum) => {
          await upload(forum);
          return storedObjectKeys(forum);
        });
        const empty = await mixed(await newSite(createPostgresDatabase), env);
        await expectRefused(empty, /no accounts, although there are images .*tertulia restore/);
        const { code, said } = await refusedStart(empty);
        assert.equal(code, 4, said);
        assert.doesNotMatch(said, /^ +at /m);
        assert.match((await runCommand(empty, 'doctor')).said, /^fix +images /m);
        if (empty.DATABASE_URL) {
          const db = openDatabase({ databaseUrl: empty.DATABASE_URL, dataDir: '' });
          assert.deepEqual(await readMigrations(db).finally(() => db.destroy()), []);
        }
        await withForum(env, async (forum) => {
          await sweepImages(forum.deps);
          assert.deepEqual(await storedObjectKeys(forum), files);
        });
      });
    }
  });
}

test('processes that start at once on a new PostgreSQL agree on one identity', async () => {
  await using forum = await Forum.start('postgres');
  const { db, config, images } = forum.deps;
  for (let round = 0; round < 5; round++) {
    await db.deleteFrom('site_identity').execute();
    await images.remove(identityKey);
    const started = await Promise.all(Array.from({ length: 4 }, () => openDeps(config)));
    await expectSame(forum);
    for (const deps of started) await deps.close();
  }
});

test('a server starts while its bucket fails, and the first sweep gives it the identity', async () => {
  const bucket = await FaultyBucket.start();
  bucket.behaviour = 'error';
  try {
    await using forum = await Forum.start('sqlite', { ...bucket.env, LOG_LEVEL: 'silent' });
    assert.equal((await forum.call('GET', '/')).status, 200);
    assert.equal(await identityInDatabase(forum), undefined);
    bucket.behaviour = 'normal';
    await runHousekeeping(forum.deps, forum.app.log);
    await expectSame(forum);
  } finally {
    bucket.stop();
  }
});

test('a start with a failing bucket prints the failure once, with the message of the store', async () => {
  await using forum = await Forum.start('sqlite');
  const { config } = forum.deps;
  const bucket = await FaultyBucket.start();
  bucket.behaviour = 'error';
  try {
    const printed: string[] = [];
    const other = parseConfig({ ...bucket.env, DATA_DIR: path.join(config.dataDir, 'other') });
    const deps = await openDeps(other, {}, (line) => printed.push(line));
    await deps.close();
    assert.equal(printed.length, 1, printed.join('\n'));
    assert.match(
      printed[0] ?? '',
      /not known yet\. The bucket does not work: InternalError.*S3_\*/,
    );
  } finally {
    bucket.stop();
  }
});

test('a server on a read-only PostgreSQL starts without an identity, and serves', async () => {
  await using first = await Forum.start('postgres');
  await first.person();
  await first.deps.db.deleteFrom('site_identity').execute();
  const url = new URL(first.dataSettings.DATABASE_URL ?? '');
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  await using forum = await Forum.start('postgres', {
    ...first.dataSettings,
    DATABASE_URL: url.href,
    LOG_LEVEL: 'silent',
  });
  assert.equal((await forum.call('GET', '/')).status, 200);
  assert.equal(await identityInDatabase(forum), undefined);
});
