import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { createPostgresDatabase, Forum } from '../../../test/forum/forum.ts';
import { imageSetups } from '../../../test/forum/image-setups.ts';
import type { Channel } from '../../shared/channels.ts';
import type { StoredFile } from '../../shared/images.ts';
import { apiRoutes } from '../../shared/routes.ts';
import { type Config, parseConfig } from '../config.ts';
import { DataDirInUse } from '../database/locks/data-dir-lock.ts';
import { imageIdOf } from '../images/stores/storage-keys.ts';
import { readArchive } from './archive-reader.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { ListWriter } from './list-writer.ts';
import { makeBackup } from './make-backup.ts';
import { withSource } from './open-source.ts';
import { NotEmpty, restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const awkward = 'ñ 😀 \u2028 "comillas" \\ línea\nnueva \u202e al revés';

/** A forum with a person, a cover, a channel on it, and comments. */
async function fill(forum: Forum): Promise<{ channel: Channel; cover: string }> {
  const author = await forum.person();
  const uploaded = await forum.upload(author, await quarters(1000, 400).png().toBuffer());
  const { downloadURL: cover } = (await uploaded.json()) as StoredFile;
  const channel = await forum.json<Channel>('POST', apiRoutes.channels, {
    token: author.token,
    body: { name: 'Cine', description: awkward, cover },
  });
  for (const text of ['uno', awkward, 'tres']) await forum.comment(author, channel._id, text);
  return { channel, cover };
}

const noLock = async () => {};
const backUp = (config: Config, file: string) =>
  withSource(config, (source) => makeBackup(source, file, noLock));

interface Picture {
  key: string;
  bytes: Buffer;
}

/** A backup that agrees with itself, of the same rows and other pictures. */
async function repack(from: string, to: string, change: (pictures: Picture[]) => void) {
  const pictures: Picture[] = [];
  const archive = await ArchiveWriter.create(to);
  for await (const { name, bytes } of readArchive(from)) {
    if (name.startsWith('images/')) pictures.push({ key: name.slice('images/'.length), bytes });
    else if (name.startsWith('rows/')) await archive.add(name, bytes);
    else if (name === 'manifest.json') {
      change(pictures);
      const list = new ListWriter(archive, 'pictures');
      for (const { key, bytes } of pictures) {
        await archive.add(`images/${key}`, bytes);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        await list.add({ key, bytes: bytes.length, sha256 });
      }
      const manifest = { ...JSON.parse(bytes.toString()), pictures: await list.end() };
      await archive.add(name, Buffer.from(JSON.stringify(manifest)));
    }
  }
  await archive.finish();
}

/** What a visitor gets of it, to compare two forums by. */
async function shown(forum: Forum, channel: Channel, cover: string) {
  const pictures = [cover, `${cover}/500.webp`, `${cover}/card.jpg`];
  return {
    channels: await forum.json('GET', apiRoutes.channels),
    comments: await forum.json('GET', apiRoutes.channelComments(channel._id)),
    pictures: await Promise.all(
      pictures.map(async (url) => {
        const response = await forum.call('GET', url);
        assert.equal(response.status, 200);
        const bytes = Buffer.from(await response.arrayBuffer());
        return [response.headers.get('content-type'), bytes.toString('base64')];
      }),
    ),
  };
}

for (const from of imageSetups) {
  describe(`a backup of ${from.title}`, { skip: from.skip }, () => {
    let forum: Forum;
    let folder: string;
    let file: string;
    let filled: { channel: Channel; cover: string };
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'tertulia-backup-'));
      file = path.join(folder, 'backup.tar');
      forum = await Forum.start(from.engine, await from.env());
      filled = await fill(forum);
      await backUp(forum.deps.config, file);
    });
    after(async () => {
      await forum?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test('is proven, and read by nobody but its owner', async () => {
      const { tables, pictures } = await verifyBackup(file);
      assert.equal(tables.comments?.count, 3);
      assert.equal(pictures?.count, 4);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
    });

    for (const to of imageSetups) {
      test(`is the same forum again on ${to.title}`, { skip: to.skip }, async () => {
        const database = to.engine === 'postgres' ? await createPostgresDatabase() : undefined;
        const env = {
          DATA_DIR: path.join(folder, `on ${to.title}`),
          ...(database ? { DATABASE_URL: database.url } : {}),
          ...(await to.env()),
        };
        await restoreBackup(parseConfig(env), file);
        const restored = await Forum.start(to.engine, env);
        try {
          const { channel, cover } = filled;
          assert.deepEqual(
            await shown(restored, channel, cover),
            await shown(forum, channel, cover),
          );
          await assert.rejects(
            restoreBackup(restored.deps.config, file),
            to.engine === 'sqlite' ? DataDirInUse : NotEmpty,
          );
        } finally {
          await restored.stop();
          await database?.drop();
        }
      });
    }

    test('restores nothing over what is there', async () => {
      const before = await shown(forum, filled.channel, filled.cover);
      await assert.rejects(restoreBackup(forum.deps.config, file));
      assert.deepEqual(await shown(forum, filled.channel, filled.cover), before);
    });

    test('pictures that the store has lost are named, and the rest is kept', async () => {
      const [image] = await forum.deps.db.selectFrom('images').selectAll().execute();
      const key = `${image?.picture_id}.500.webp`;
      await forum.deps.images.remove(key);
      const partial = path.join(folder, 'partial.tar');
      const { lost } = await backUp(forum.deps.config, partial);
      assert.deepEqual(lost, [key]);
      assert.equal((await verifyBackup(partial)).pictures?.count, 4);
      assert.equal(imageIdOf(key), image?.picture_id);
    });
  });
}

describe('a damaged backup', () => {
  let forum: Forum;
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tertulia-backup-'));
    file = path.join(folder, 'backup.tar');
    forum = await Forum.start('sqlite');
    await fill(forum);
    await backUp(forum.deps.config, file);
  });
  after(async () => {
    await forum?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function problemsOf(bytes: Buffer): Promise<string> {
    const damaged = path.join(folder, 'damaged.tar');
    await writeFile(damaged, bytes);
    const found = await verifyBackup(damaged).then(
      () => assert.fail('it was taken for whole'),
      (error: unknown) => error,
    );
    assert.ok(found instanceof DamagedBackup);
    const config = parseConfig({ DATA_DIR: path.join(folder, 'nothing here') });
    await assert.rejects(restoreBackup(config, damaged), DamagedBackup);
    await assert.rejects(stat(config.dataDir), { code: 'ENOENT' });
    return found.message;
  }

  test('one flipped bit anywhere is found', async () => {
    const bytes = await readFile(file);
    // Every block, at another place in each: heads, bodies, padding, the seal and the end.
    for (let at = 0; at < bytes.length; at += 509) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await problemsOf(flipped);
    }
  });

  test('it says which picture or table was changed', async () => {
    const bytes = await readFile(file);
    for await (const { name, bytes: body } of readArchive(file)) {
      const flipped = Buffer.from(bytes);
      // In the middle of the manifest stands a checksum, which would accuse what it is of.
      const at = bytes.indexOf(body) + (name === 'manifest.json' ? 0 : body.length >> 1);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const subject = /^(?:images\/|rows\/)?([\w-]+)/.exec(name)?.[1] ?? '';
      assert.ok((await problemsOf(flipped)).includes(subject), subject);
    }
  });

  test('it says which picture is missing, and which is too many', async () => {
    const repacked = path.join(folder, 'repacked.tar');
    const archive = await ArchiveWriter.create(repacked);
    let left = '';
    for await (const { name, bytes } of readArchive(file)) {
      if (left === '' && name.startsWith('images/')) left = name.slice('images/'.length);
      else await archive.add(name, bytes);
      if (name === 'manifest.json') await archive.add('images/other.full', Buffer.from('x'));
    }
    await archive.finish();
    const problems = await problemsOf(await readFile(repacked));
    assert.ok(problems.includes(`the picture ${left} is missing`), problems);
    assert.ok(problems.includes('other.full is in no list'), problems);
  });

  test('one that agrees with itself and lacks a picture of its rows is found out', async () => {
    const lacking = path.join(folder, 'lacking.tar');
    let left: string | undefined;
    await repack(file, lacking, (pictures) => {
      left = pictures.shift()?.key;
    });
    await assert.rejects(verifyBackup(lacking), (error) => {
      assert.ok(error instanceof DamagedBackup);
      return error.message.includes(`the rows speak of ${left}`);
    });
  });

  test('one that is cut off is refused wherever it was cut', async () => {
    const { length } = await readFile(file);
    for (const at of [0, 100, 512, length >> 1, length - 1024, length - 1]) {
      const cut = path.join(folder, 'cut.tar');
      await writeFile(cut, await readFile(file));
      await truncate(cut, at);
      await assert.rejects(verifyBackup(cut), DamagedBackup);
    }
  });
});

test('SQLite and pictures that are there are not restored over, and stay', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-backup-'));
  const file = path.join(folder, 'backup.tar');
  const forum = await Forum.start('sqlite');
  try {
    await fill(forum);
    await backUp(forum.deps.config, file);
    for (const name of ['tertulia.db', 'tertulia.db-wal', 'images/mine.full']) {
      const dataDir = path.join(folder, path.basename(name));
      const mine = path.join(dataDir, name);
      await mkdir(path.dirname(mine), { recursive: true });
      await writeFile(mine, 'mine');
      await assert.rejects(restoreBackup(parseConfig({ DATA_DIR: dataDir }), file), NotEmpty);
      assert.equal(await readFile(mine, 'utf8'), 'mine');
    }
    assert.deepEqual(await readdir(path.join(folder, 'mine.full', 'images')), ['mine.full']);
  } finally {
    await forum.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a restore that fails in the middle leaves the place empty', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-backup-'));
  const file = path.join(folder, 'backup.tar');
  const forum = await Forum.start('sqlite');
  const config = parseConfig({ DATA_DIR: path.join(folder, 'place') });
  try {
    await fill(forum);
    await backUp(forum.deps.config, file);
    const tooMany = path.join(folder, 'too-many.tar');
    await repack(file, tooMany, (pictures) => {
      pictures.push({ key: 'nobodys.full', bytes: Buffer.from('x') });
    });
    await assert.rejects(restoreBackup(config, tooMany), /no result/);
    const left = await readdir(config.dataDir, { recursive: true });
    assert.deepEqual(left.sort(), ['images', 'tertulia.lock']);
    await restoreBackup(config, file);
  } finally {
    await forum.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a backup that fails in the middle leaves no file', async () => {
  const forum = await Forum.start('sqlite');
  const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-backup-'));
  const file = path.join(folder, 'backup.tar');
  try {
    await fill(forum);
    const images = Object.assign(Object.create(forum.deps.images), {
      read: () => Promise.reject(new Error('the store is down')),
    });
    await assert.rejects(
      makeBackup({ db: forum.deps.db, images }, file, noLock),
      /the store is down/,
    );
    await assert.rejects(stat(file), { code: 'ENOENT' });
    await assert.rejects(stat(`${file}.part`), { code: 'ENOENT' });
    await writeFile(file, 'mine');
    await assert.rejects(makeBackup(forum.deps, file, noLock), /there already/);
    assert.equal(await readFile(file, 'utf8'), 'mine');
  } finally {
    await forum.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
