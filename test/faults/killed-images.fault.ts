import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '../../src/server/database/engine.ts';
import type { Database } from '../../src/server/database/tables.ts';
import { countStrays } from '../../src/server/images/count-strays.ts';
import { openImageStore } from '../../src/server/images/stores/open-image-store.ts';
import { objectKeysOf } from '../../src/server/images/stores/storage-keys.ts';
import { parseConfig } from '../../src/server/system/settings/config.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { FaultyBucket } from '../bucket/faulty-bucket.ts';
import { eventually } from '../eventually.ts';
import { createPostgresDatabase, engines } from '../forum/forum.ts';
import { ForumClient, type Person } from '../forum/forum-client.ts';
import { TusUpload } from '../forum/tus-upload.ts';
import { ServerProcess, startHourOld, startsWithinMs } from '../processes/server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const dies = pathToFileURL(path.join(import.meta.dirname, '../processes/die-before-response.ts'));
/** Number of stored objects of each image that this test uploads. */
const objectsEach = 4;

const png = (width: number) => quarters(width, 400).png().toBuffer();

for (const engine of engines) {
  test(`a server that is killed at any step of storing, using and erasing images leaves no object without a row and no image without objects (${engine})`, async () => {
    await using cleanUp = new AsyncDisposableStack();
    const folder = cleanUp.use(await temporaryFolder('killed'));
    const bucket = await FaultyBucket.start();
    cleanUp.defer(() => bucket.stop());
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    cleanUp.defer(() => database?.drop());
    const env = {
      ...bucket.env,
      DATA_DIR: folder.path,
      RATE_LIMITS: 'off',
      ...(database && { DATABASE_URL: database.url }),
    };
    const config = parseConfig(env);
    const store = await openImageStore(config);
    const inDatabase = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
      const db = openDatabase(config);
      return work(db).finally(() => db.destroy());
    };
    const expectNothingLost = (step: string) =>
      inDatabase(async (db) => {
        assert.equal((await countStrays(db, store)).count, 0, step);
        const keys = (await db.selectFrom('images').selectAll().execute()).flatMap(objectKeysOf);
        const lost = keys.filter((key) => !bucket.objects.has(`images/${key}`));
        assert.deepEqual(lost, [], step);
      });
    /** Runs work on a server that is killed at the given one of its requests to the bucket. */
    const killAt = async (
      action: string,
      count: number,
      work?: (forum: ForumClient) => Promise<unknown>,
    ) => {
      await using server = new ServerProcess(env, startHourOld);
      let left = count;
      bucket.onRequest = (request) => {
        if (request.startsWith(action) && --left === 0) server.kill('SIGKILL');
      };
      await untilKilled(server, work);
      bucket.onRequest = undefined;
      await expectNothingLost(`${action} ${count}`);
    };
    /** Backdates all rows that the server removes after a day. */
    const letADayPass = () =>
      inDatabase(async (db) => {
        await db.updateTable('unconfirmed_objects').set({ created_at_ms: 1 }).execute();
        await db.updateTable('images').set({ used_at_ms: 1 }).execute();
      });
    const countLeft = () =>
      inDatabase(async (db) => {
        const pending = await db.selectFrom('unconfirmed_objects').select('image_id').execute();
        const orphaned = await db.selectFrom('orphaned_objects').select('image_id').execute();
        return pending.length + orphaned.length;
      });

    const { author, channelId, url } = await setUp(env);
    for (let step = 1; step <= objectsEach; step++) {
      const each = await png(1000 + step);
      await killAt('PUT images/', step, (forum) =>
        forum.upload(author, each, { use: 'comment', filename: `${step}.png` }),
      );
    }
    assert.equal(await countLeft(), objectsEach);

    const dying = { ...env, NODE_OPTIONS: `--import=${dies}` };
    const bytes = await png(1500);
    const steps = {
      upload: async (forum: ForumClient) => {
        const upload = await TusUpload.begin(forum.url, author, bytes.length);
        await upload.send(forum.url, 0, bytes);
      },
      use: (forum: ForumClient) =>
        forum.comment(author, channelId, 'Otra', { images: [{ url, alt: '' }] }),
    };
    for (const [step, work] of Object.entries(steps)) {
      await using server = new ServerProcess(dying);
      await untilKilled(server, work);
      await expectNothingLost(step);
    }

    await letADayPass();
    // A starting server that may erase removes unused images and leftover objects.
    for (let step = 1; step <= objectsEach + 1; step++) {
      await killAt('DELETE images/', step);
    }
    await using server = await ServerProcess.start(env, startHourOld);
    await eventually('all is removed', async () => (await countLeft()) === 0, 60_000);
    await expectNothingLost('the end');
    const keys = [...bucket.objects.keys()].filter((key) => key.startsWith('images/'));
    assert.equal(keys.length, objectsEach, 'those of the comment');
    assert.equal((await new ForumClient(server.url).call('GET', url)).status, 200);
    assert.equal((await server.stop()).code, 0);
  });
}

/**
 * Waits until the server is killed. Repeats work until then, because a busy server may refuse it.
 * @throws when it ends otherwise, or is not killed in time; the cause is the last failure of the work
 */
async function untilKilled(
  server: ServerProcess,
  work?: (forum: ForumClient) => Promise<unknown>,
): Promise<void> {
  let hasEnded = false;
  const ended = server.ended.finally(() => {
    hasEnded = true;
  });
  if (work) {
    await eventually('it listens', async () => hasEnded || server.url !== '', startsWithinMs);
  }
  const forum = new ForumClient(server.url);
  let failure: unknown;
  const isKilled = async () => {
    if (hasEnded) return true;
    await work?.(forum).catch((error: unknown) => {
      failure = error;
    });
    return hasEnded;
  };
  await eventually('it is killed', isKilled).catch((error: Error) => {
    error.cause = failure;
    throw error;
  });
  const { code, said } = await ended;
  assert.equal(code, null, said);
}

/** Stores a comment with an image on a server that it starts and stops. */
async function setUp(env: Record<string, string>) {
  await using server = await ServerProcess.start(env);
  const forum = new ForumClient(server.url);
  const author: Person = await forum.person();
  const { _id: channelId } = await forum.channel(author);
  const options = { use: 'comment', filename: 'usada.png' };
  const uploaded = await forum.upload(author, await png(1000), options);
  assert.equal(uploaded.status, 200);
  const { downloadURL: url } = (await uploaded.json()) as StoredFile;
  await forum.json('PUT', apiRoutes.comment, {
    token: author.token,
    body: { id: channelId, comment: 'Una foto', images: [{ url, alt: '' }] },
  });
  assert.equal((await server.stop()).code, 0);
  return { author, channelId, url };
}
