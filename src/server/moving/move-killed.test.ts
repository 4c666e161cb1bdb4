import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createBucket, noBucket } from '../../../test/bucket.ts';
import { createPostgresDatabase, type Engine, engines, Forum } from '../../../test/forum.ts';
import { fillCommunity } from '../../../test/large-community.ts';
import { asTarget, dump, runMove } from '../../../test/mover.ts';
import { apiRoutes } from '../../shared/routes.ts';
import { parseConfig } from '../config.ts';
import { openImageStore } from '../images/open-image-store.ts';

const size = { channels: 60, comments: 6000, pictures: 60, pictureBytes: 20_000 };
/** Of PostgreSQL, where SQLite's order is that of bytes. */
const locale = 'es-ES';
/** Before the tables are made, among rows, between rows and pictures, among pictures. */
const deaths = [/^database/, /^channels/, /^comments: 5000 /, /^comments: \d+ rows the/, /: 50 of/];

/** The source's settings, and where the other engine goes on. */
function settingsOf({ deps }: Forum): Record<string, string> {
  const { dataDir, databaseUrl } = deps.config;
  return { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
}

for (const engine of engines) {
  const other: Engine = engine === 'sqlite' ? 'postgres' : 'sqlite';
  describe(`a move from ${engine} to ${other}`, () => {
    let forum: Forum;
    let own: Awaited<ReturnType<typeof createPostgresDatabase>> | undefined;
    let folder: string;
    let database: Awaited<ReturnType<typeof createPostgresDatabase>> | undefined;
    before(async () => {
      own = engine === 'postgres' ? await createPostgresDatabase({ locale }) : undefined;
      forum = await Forum.start(engine, own ? { DATABASE_URL: own.url } : {});
      await fillCommunity(forum.deps, size);
    });
    after(async () => {
      await forum?.stop();
      await own?.drop();
    });

    async function withTarget(
      use: (
        args: string[],
        place: { dataDir: string; databaseUrl: string | undefined },
      ) => Promise<void>,
    ) {
      folder = await mkdtemp(path.join(tmpdir(), 'tertulia-moved-'));
      database = other === 'postgres' ? await createPostgresDatabase({ locale }) : undefined;
      try {
        const toDatabase = database ? ['--to-database', database.url] : [];
        await use(['--to-data-dir', folder, ...toDatabase], {
          dataDir: folder,
          databaseUrl: database?.url,
        });
      } finally {
        await database?.drop();
        await rm(folder, { recursive: true, force: true });
      }
    }

    async function expectSamePictures() {
      for await (const { key } of forum.deps.images.list()) {
        const [one, two] = await Promise.all(
          [forum.deps.config.dataDir, folder].map((dir) => readFile(path.join(dir, 'images', key))),
        );
        assert.ok(one?.equals(two ?? Buffer.of()), key);
      }
    }

    test('goes on wherever it was killed, and ends right', async () => {
      await withTarget(async (args, place) => {
        for (const death of deaths) {
          const { code, said } = await runMove(settingsOf(forum), args, (line, process) => {
            if (death.test(line)) process.kill('SIGKILL');
          });
          assert.equal(code, undefined, `${death} in ${said}`);
        }
        const { code, said } = await runMove(settingsOf(forum), args);
        assert.equal(code, 0, said);
        assert.match(said, /comments: 0 rows written\n/, 'what was there was left alone');
        assert.match(said, /comments: 6000 rows the same/);
        assert.deepEqual(await dump(place), await dump(forum.deps.config));
        await expectSamePictures();
      });
    });

    test('carries what came while it ran, and what went, when it runs again', async () => {
      const [one, two] = [await forum.person(), await forum.person()];
      const channel = await forum.channel(one);
      await withTarget(async (args, place) => {
        const meanwhile: Promise<unknown>[] = [];
        const first = await runMove(settingsOf(forum), args, (line) => {
          if (!/^(database|channels: \d+ rows written$|comments: 5000)/.test(line)) return;
          meanwhile.push(forum.comment(one, channel._id, `mientras tanto: ${line}`));
          meanwhile.push(forum.person('Alguien más'));
        });
        assert.equal(first.code, 0, first.said);
        assert.equal((await Promise.all(meanwhile)).length, 6);
        await forum.call('POST', apiRoutes.signOut, { token: two.token });
        await fillCommunity(forum.deps, { ...size, channels: 1, comments: 1, pictures: 1 });

        const second = await runMove(settingsOf(forum), args);
        assert.equal(second.code, 0, second.said);
        assert.match(second.said, /sessions: 1 gone at the source, removed/);
        assert.match(second.said, / 4 files sent\n/);
        assert.deepEqual(await dump(place), await dump(forum.deps.config));
        await expectSamePictures();
      });
    });
  });
}

test('a move to a bucket goes on where it was killed', { skip: noBucket }, async () => {
  const forum = await Forum.start('sqlite');
  try {
    await fillCommunity(forum.deps, { ...size, channels: 1, comments: 1 });
    const bucket = await createBucket();
    const env = { ...settingsOf(forum), ...asTarget(bucket) };
    const killed = await runMove(env, [], (line, process) => {
      if (/: 50 of/.test(line)) process.kill('SIGKILL');
    });
    assert.equal(killed.code, undefined, killed.said);
    const { code, said } = await runMove(env, []);
    assert.equal(code, 0, said);
    const [, sent] = /(\d+) files sent\npictures: 60 in 240 files fetched/.exec(said) ?? [];
    assert.ok(Number(sent) > 0 && Number(sent) <= 40, said);

    const moved = await openImageStore(parseConfig(bucket));
    for await (const { key } of forum.deps.images.list()) {
      const [one, two] = [await forum.deps.images.read(key), await moved.read(key)];
      assert.ok((await buffer(one)).equals(await buffer(two)), key);
    }
  } finally {
    await forum.stop();
  }
});
