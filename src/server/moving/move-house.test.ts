import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { createBucket, noBucket } from '../../../test/bucket.ts';
import { createPostgresDatabase, Forum, type Person } from '../../../test/forum.ts';
import { asTarget, dump, runMove } from '../../../test/mover.ts';
import type { Channel } from '../../shared/channels.ts';
import type { StoredFile } from '../../shared/images.ts';
import { apiRoutes, assetRoutes, pageRoutes } from '../../shared/routes.ts';

const texts = [
  'Corriente: ñ, ü, ¿y qué?',
  '👩‍👩‍👧‍👦 🇪🇸 y e\u0301 con su acento',
  'מימין לשמאל \u202e y vuelta',
  `comillas ' " \` \\ y\notra línea\ty $1 ?`,
  '\u{10ffff}\uffff',
];
const picture = (colour: string) =>
  sharp({ create: { width: 1300, height: 700, channels: 3, background: colour } })
    .png()
    .toBuffer();

/** A few people who know each other, in a forum that runs. */
async function settle(forum: Forum): Promise<{ person: Person; channel: Channel; cover: string }> {
  const person = await forum.person('José Ñúñez 🎸', `Mayúsculas-${Date.now()}@Ejemplo.es`);
  const upload = async (colour: string, use: string, filename: string) => {
    const answer = await forum.upload(person, await picture(colour), { filename, use });
    return (await answer.json()) as StoredFile;
  };
  const cover = await upload('red', 'cover', 'Año.png');
  const face = await upload('blue', 'avatar', 'cara.png');
  const body = { name: 'Canal ☕', description: 'Con portada', cover: cover.downloadURL };
  const channel = await forum.json<Channel>('POST', apiRoutes.channels, {
    token: person.token,
    body,
  });
  await forum.json('PUT', apiRoutes.updateImage, {
    token: person.token,
    body: { img: face.downloadURL },
  });
  for (const text of texts) await forum.comment(person, channel._id, text);
  return { person, channel, cover: channel.cover };
}

describe('a community that moves to PostgreSQL and a bucket, and back', { skip: noBucket }, () => {
  let forum: Forum;
  let home: Awaited<ReturnType<typeof settle>>;
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let bucket: Record<string, string>;
  let backDir: string;
  before(async () => {
    forum = await Forum.start('sqlite');
    home = await settle(forum);
    database = await createPostgresDatabase();
    bucket = await createBucket({ isPublic: true });
    backDir = path.join(await mkdtemp(path.join(tmpdir(), 'tertulia-back-')), 'datos');
  });
  after(async () => {
    await forum?.stop();
    await database?.drop();
    await rm(path.dirname(backDir), { recursive: true, force: true });
  });

  async function expectHome(moved: Forum) {
    assert.match(await (await moved.call('GET', pageRoutes.home)).text(), /Canal ☕/);
    const page = await (await moved.call('GET', pageRoutes.channel(home.channel._id))).text();
    assert.match(page, /👩‍👩‍👧‍👦/);
    const signedIn = await moved.signIn(home.person.email, home.person.password);
    assert.equal(signedIn.status, 200);
    // The token is of the time before.
    assert.equal(
      (await moved.comment(home.person, home.channel._id, 'Ya estamos.')).autor,
      home.person.name,
    );
    for (const url of [home.cover, assetRoutes.form(home.cover, '500.webp')]) {
      const bytes = async (of: Forum) =>
        Buffer.from(await (await fetch(new URL(url, of.url))).arrayBuffer());
      assert.ok((await bytes(moved)).equals(await bytes(forum)), url);
    }
  }

  test('there, while the server runs; nothing is changed where it was', async () => {
    const { dataDir } = forum.deps.config;
    const before = await dump(forum.deps.config);
    const { TO_S3_BUCKET = '', ...settings } = asTarget(bucket);
    const { code, said } = await runMove({ DATA_DIR: dataDir, ...settings }, [
      '--to-database',
      database.url,
      '--to-bucket',
      TO_S3_BUCKET,
    ]);
    assert.equal(code, 0, said);
    assert.match(said, /comments: 5 rows the same, SHA-256 [\da-f]{64}\n/);
    assert.match(said, /pictures: 2 in 10 files fetched and compared/);
    assert.doesNotMatch(said, /tertulia:tertulia|testing/, 'no passwords');
    assert.deepEqual(await dump(forum.deps.config), before);
    assert.deepEqual(await dump({ dataDir: '', databaseUrl: database.url }), before);
  });

  test('and back, with nothing changed on the way', async () => {
    const env = { DATABASE_URL: database.url, DATA_DIR: '/nowhere', ...bucket };
    const { code, said } = await runMove(env, ['--to-data-dir', backDir]);
    assert.equal(code, 0, said);
    const back = { dataDir: backDir, databaseUrl: undefined };
    assert.deepEqual(await dump(back), await dump(forum.deps.config));
    for await (const { key } of forum.deps.images.list()) {
      const [one, other] = await Promise.all(
        [forum.deps.config.dataDir, backDir].map((dir) => readFile(path.join(dir, 'images', key))),
      );
      assert.ok(one?.equals(other ?? Buffer.of()), key);
    }
  });

  test('people find everything as it was, at both', async () => {
    const there = await Forum.start('postgres', { DATABASE_URL: database.url, ...bucket });
    await expectHome(there).finally(() => there.stop());
    const back = await Forum.start('sqlite', { DATA_DIR: backDir });
    await expectHome(back).finally(() => back.stop());
  });

  test('what people have written there since is not written over by moving again', async () => {
    const before = await dump({ dataDir: '', databaseUrl: database.url });
    const env = { DATA_DIR: forum.deps.config.dataDir };
    const { code, said } = await runMove(env, ['--to-database', database.url]);
    assert.equal(code, 3, said);
    assert.match(said, /people have written there/);
    assert.deepEqual(await dump({ dataDir: '', databaseUrl: database.url }), before);
  });
});
