import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { decideRow } from '../../../../test/forum/decide-row.ts';
import { createPostgresDatabase, Forum } from '../../../../test/forum/forum.ts';
import { imageSetups } from '../../../../test/forum/image-setups.ts';
import { readIndex } from '../../../../test/forum/index-contents.ts';
import { openAppeal } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { DataDirInUse } from '../../database/sqlite/file-lock.ts';
import { toStoredText } from '../../database/stored-text.ts';
import { UnfitTarget } from '../../database/unfit-target.ts';
import { countLost } from '../../images/count-lost.ts';
import { buildIndex } from '../../search/index/build-index.ts';
import { isIndexComplete, requestRebuild } from '../../search/index/index-state.ts';
import { type Config, parseConfig } from '../../system/settings/config.ts';
import { readArchive } from './archive-reader.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { withSource } from './backup-source.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const awkward = 'ñ 😀 \u2028 "comillas" \\ línea\nnueva \u202e al revés';

/** Adds an account, a channel with a cover, comments, and rows to all tables of the conversation. */
async function fill(forum: Forum): Promise<{ channel: Channel; cover: string }> {
  const author = await forum.person();
  const uploaded = await forum.upload(author, await quarters(1000, 400).png().toBuffer());
  const { downloadURL: cover } = (await uploaded.json()) as StoredFile;
  const channel = await forum.json<Channel>('POST', apiRoutes.channels, {
    token: author.token,
    body: { name: 'Cine', description: awkward, cover },
  });
  for (const text of ['uno', awkward, 'tres']) await forum.comment(author, channel._id, text);
  const shown = await forum.upload(author, await quarters(40, 30).png().toBuffer(), {
    filename: 'plaza.png',
    use: 'comment',
  });
  const { downloadURL: url } = (await shown.json()) as StoredFile;
  await forum.comment(author, channel._id, `@${author.name}`, {
    replyTo: 2,
    replyExcerpt: '😀 \u2028 "comillas"',
    mentions: [{ start: 0, length: 1 + author.name.length, accountId: author.id }],
    images: [{ url, alt: awkward }],
  });
  await forum.json('POST', apiRoutes.reports, {
    body: { kind: 'comment', id: `${channel._id}-2`, reason: 'other', text: 'Aviso' },
  });
  const decided = { action: 'hide', accountId: author.id, reason: awkward } as const;
  await openAppeal(forum, await decideRow(forum, decided), author.id);
  await fillPrivately(forum, channel, author.id);
  return { channel, cover };
}

/** The id of an expired notification that an account has seen. */
const seenId = 1000;

/** Adds thanks, versions, a reading position, a notification, and deleted and hidden comments. */
async function fillPrivately({ services: { db } }: Forum, channel: Channel, account_id: string) {
  const comment = { channel_id: channel._id, number: 3 };
  const version = { revision: 1, replaced_at_ms: 1 };
  const thanks = { ...comment, account_id, created_at_ms: 1 };
  await db.insertInto('comment_thanks').values(thanks).execute();
  await db
    .updateTable('comments')
    .set({ edited_at_ms: 2, revision: 2 })
    .where('channel_id', '=', channel._id)
    .where('number', '=', 3)
    .execute();
  await db
    .insertInto('comment_versions')
    .values({ ...comment, ...version, text: toStoredText(awkward) })
    .execute();
  const image = { position: 0, url: '/files/images/a.png', alt: awkward };
  await db
    .insertInto('comment_version_images')
    .values({ ...comment, revision: 1, ...image })
    .execute();
  const { name, description, cover, coverAlt: cover_alt } = channel;
  const earlier = { channel_id: channel._id, name, description, cover, cover_alt };
  await db
    .insertInto('channel_versions')
    .values({ ...earlier, ...version })
    .execute();
  await db
    .insertInto('reading_positions')
    .values({ ...comment, account_id, level: 'all' })
    .execute();
  await db
    .insertInto('notifications')
    .values({ ...thanks, actor_id: account_id, kind: 'thanks' })
    .execute();
  await db.updateTable('accounts').set({ notifications_seen_id: seenId }).execute();
  const text = toStoredText(awkward);
  const removed = { channel_id: channel._id, account_id, text, created_at_ms: 1 };
  await db
    .insertInto('comments')
    .values([
      { ...removed, number: 5, deleted_at_ms: 2, reply_to: 2, reply_excerpt: text },
      { ...removed, number: 6, hidden_by: awkward },
      { ...removed, number: 7, deleted_at_ms: 2, hidden_by: 'x' },
    ])
    .execute();
}

/** The id of a new notification. */
async function nextNotificationId({ services: { db } }: Forum): Promise<number> {
  const channel_id = (await db.selectFrom('channels').select('id').executeTakeFirstOrThrow()).id;
  const { id: account_id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const event = { kind: 'reply' as const, number: 9, created_at_ms: 1 };
  const { id } = await db
    .insertInto('notifications')
    .values({ ...event, channel_id, account_id, actor_id: account_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const conversationTables = [
  'comments',
  'comment_images',
  'comment_thanks',
  'comment_versions',
  'comment_version_images',
  'channel_versions',
  'reading_positions',
  'notifications',
  'decisions',
  'decision_accounts',
  'appeals',
  'cases',
  'reports',
] as const;

/** Reads the rows of the conversation as sorted texts, for comparing two databases. */
async function readConversation({ services: { db } }: Forum) {
  const tables: Record<string, unknown[]> = {};
  for (const table of conversationTables) {
    const rows = await db.selectFrom(table).selectAll().execute();
    // The order of rows and columns depends on the engine.
    tables[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
    assert.notEqual(rows.length, 0, table);
  }
  return tables;
}

/** The number of columns for which PostgreSQL has planner statistics. */
async function countPlannerStatistics({ services: { db } }: Forum): Promise<number> {
  const { rows } = await sql`select 1 from pg_stats where tablename = 'comments'`.execute(db);
  return rows.length;
}

const noLock = async () => {};
const backUp = (config: Config, file: string) =>
  withSource(config, (source) => makeBackup(source, file, noLock));

interface ImageEntry {
  key: string;
  bytes: Buffer;
}

/** Adds images to an archive. @returns the lines of its list of images */
async function* addImages(archive: ArchiveWriter, images: ImageEntry[]) {
  for (const { key, bytes } of images) {
    await archive.add(`images/${key}`, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    yield [{ key, bytes: bytes.length, sha256, problem: null }];
  }
}

/** Writes a consistent backup of the same rows with different images. */
async function repack(from: string, to: string, change: (images: ImageEntry[]) => void) {
  const images: ImageEntry[] = [];
  await using handle = await open(to, 'w');
  const archive = new ArchiveWriter((bytes) => handle.writeFile(bytes));
  for await (const { name, bytes } of readArchive(from)) {
    if (name.startsWith('images/')) images.push({ key: name.slice('images/'.length), bytes });
    else if (name.startsWith('rows/')) await archive.add(name, bytes);
    else if (name === 'manifest.json') {
      change(images);
      const pictures = await archive.addList('pictures', addImages(archive, images));
      const manifest = { ...JSON.parse(bytes.toString()), pictures, images: images.length };
      await archive.add(name, Buffer.from(JSON.stringify(manifest)));
    }
  }
  await archive.finish();
}

/** Responses that a visitor gets, for comparing two forums. */
async function readPublicly(forum: Forum, channel: Channel, cover: string) {
  const images = [cover, `${cover}/500.webp`, `${cover}/card.jpg`];
  return {
    channels: await forum.json('GET', apiRoutes.channels),
    comments: await forum.json('GET', apiRoutes.channelComments(channel._id)),
    images: await Promise.all(
      images.map(async (url) => {
        const response = await forum.call('GET', url);
        assert.equal(response.status, 200);
        const bytes = Buffer.from(await response.arrayBuffer());
        return [response.headers.get('content-type'), bytes.toString('base64')];
      }),
    ),
  };
}

for (const from of imageSetups) {
  describe(`a backup of ${from.title}`, () => {
    let forum: Forum;
    let folder: string;
    let file: string;
    let filled: { channel: Channel; cover: string };
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'tertulia-backup-'));
      file = path.join(folder, 'backup.tar');
      forum = await Forum.start(from.engine, await from.env());
      filled = await fill(forum);
      // Comments that the test inserted directly are not in the search index.
      await requestRebuild(forum.services.db);
      await buildIndex(forum.services, new AbortController().signal);
      await backUp(forum.services.config, file);
    });
    after(async () => {
      await forum?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test('passes verification and is readable by its owner only', async () => {
      const { tables, pictures } = await verifyBackup(file);
      assert.equal(tables.comments?.count, 7);
      assert.ok(!Object.keys(tables).some((name) => name.startsWith('search')));
      assert.equal(pictures?.count, 6);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
    });

    for (const to of imageSetups) {
      test(`restores the same forum on ${to.title}`, async () => {
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
            await readPublicly(restored, channel, cover),
            await readPublicly(forum, channel, cover),
          );
          assert.deepEqual(await readConversation(restored), await readConversation(forum));
          assert.equal(await isIndexComplete(restored.services.db), false);
          await buildIndex(restored.services, new AbortController().signal);
          const index = await readIndex(restored);
          assert.equal(index.comments.length, 7);
          assert.deepEqual(index.comments.toSorted(), (await readIndex(forum)).comments.toSorted());
          assert.deepEqual(index.channels, (await readIndex(forum)).channels);
          assert.equal(await nextNotificationId(restored), seenId + 1);
          if (database) assert.notEqual(await countPlannerStatistics(restored), 0);
          await assert.rejects(
            restoreBackup(restored.services.config, file),
            to.engine === 'sqlite' ? DataDirInUse : UnfitTarget,
          );
        } finally {
          await restored.stop();
          await database?.drop();
        }
      });
    }

    test('is not restored over a forum that is running', async () => {
      const before = await readPublicly(forum, filled.channel, filled.cover);
      await assert.rejects(restoreBackup(forum.services.config, file));
      assert.deepEqual(await readPublicly(forum, filled.channel, filled.cover), before);
    });

    test('counts missing and damaged files of images in use, contains all others, and is named incomplete', async () => {
      const { db, images, config } = forum.services;
      const rows = await db.selectFrom('images').selectAll().orderBy('use').execute();
      const [shown, cover] = rows.map(({ image_id }) => image_id);
      const unused = { url: 'x', full_path: 'x', path_key: 'x', image_id: 'x' };
      await db
        .insertInto('images')
        .values(rows.slice(0, 1).map((row) => ({ ...row, ...unused })))
        .execute();
      await images.write(`${shown}.full`, Buffer.from('not it'), 'image/png');
      await images.remove(`${cover}.500.webp`);
      const { file: partial } = await backUp(config, path.join(folder, 'partial.tar'));
      assert.equal(path.basename(partial), 'partial.incomplete-2.tar');
      const lost = [`${cover}.500.webp`, `${shown}.full (damaged)`].sort();
      const { images: count, lost: named } = await verifyBackup(partial);
      assert.deepEqual([count, named.count, named.examples.toSorted()], [5, 2, lost]);
      const { examples } = await countLost(db, images);
      assert.deepEqual(examples.toSorted(), [`${cover}.500.webp`, `${shown} (damaged)`].sort());

      // A variant of another size.
      await images.write(`${cover}.500.webp`, Buffer.from('x'), 'image/webp');
      const changed = await backUp(config, path.join(folder, 'changed.tar'));
      assert.ok(changed.manifest.lost.examples.includes(`${cover} (damaged)`));
    });
  });
}

describe('backups of a site on SQLite', () => {
  let forum: Forum;
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tertulia-backup-'));
    file = path.join(folder, 'backup.tar');
    forum = await Forum.start('sqlite');
    await fill(forum);
    await backUp(forum.services.config, file);
  });
  after(async () => {
    await forum?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function problemsOf(bytes: Buffer): Promise<string> {
    const damaged = path.join(folder, 'damaged.tar');
    await writeFile(damaged, bytes);
    const found = await verifyBackup(damaged).then(
      () => assert.fail('the damaged backup passed verification'),
      (error: unknown) => error,
    );
    assert.ok(found instanceof DamagedBackup);
    const config = parseConfig({ DATA_DIR: path.join(folder, 'nothing here') });
    await assert.rejects(restoreBackup(config, damaged), DamagedBackup);
    await assert.rejects(stat(config.dataDir), { code: 'ENOENT' });
    return found.message;
  }

  test('fail verification after one flipped bit anywhere in the file', async () => {
    const bytes = await readFile(file);
    // A step of 509 bytes hits each block of 512 bytes at a different offset.
    for (let at = 0; at < bytes.length; at += 509) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await problemsOf(flipped);
    }
  });

  test('fail verification with the name of the image or table that was changed', async () => {
    const bytes = await readFile(file);
    for await (const { name, bytes: body } of readArchive(file)) {
      const flipped = Buffer.from(bytes);
      // A change in the middle of the manifest would hit the checksum of another part.
      const at = bytes.indexOf(body) + (name === 'manifest.json' ? 0 : body.length >> 1);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const subject = /^(?:images\/|rows\/)?([\w-]+)/.exec(name)?.[1] ?? '';
      assert.ok((await problemsOf(flipped)).includes(subject), subject);
    }
  });

  test('fail verification with the names of an image that is missing and of one that is not listed', async () => {
    const repacked = path.join(folder, 'repacked.tar');
    await using handle = await open(repacked, 'w');
    const archive = new ArchiveWriter((bytes) => handle.writeFile(bytes));
    let omitted = '';
    for await (const { name, bytes } of readArchive(file)) {
      if (omitted === '' && name.startsWith('images/')) omitted = name.slice('images/'.length);
      else await archive.add(name, bytes);
      if (name === 'manifest.json') await archive.add('images/other.full', Buffer.from('x'));
    }
    await archive.finish();
    const problems = await problemsOf(await readFile(repacked));
    assert.ok(problems.includes(`the image ${omitted} is missing`), problems);
    assert.ok(problems.includes('other.full is not listed'), problems);
  });

  test('fail verification when the list of images has not those that the rows refer to', async () => {
    const changed = path.join(folder, 'changed.tar');
    let omitted: string | undefined;
    await repack(file, changed, (images) => {
      omitted = images.shift()?.key;
      images.push({ key: 'unknown.full', bytes: Buffer.from('x') });
    });
    const problems = await problemsOf(await readFile(changed));
    assert.ok(problems.includes(`the rows refer to ${omitted}, which is not listed`), problems);
    assert.ok(problems.includes('no row refers to the image unknown.full'), problems);
  });

  test('are told from a file of another kind, an empty file, a folder and a truncated backup', async () => {
    const other = path.join(folder, 'other.tar');
    const messageOf = (tested: string) =>
      verifyBackup(tested).then(
        () => assert.fail('it passed verification'),
        (error: Error) => error.message,
      );
    const none = `${other} is not a backup of tertulia, or its first bytes are damaged.`;
    await writeFile(other, 'a letter');
    assert.equal(await messageOf(other), none);
    await writeFile(other, Buffer.alloc(5000, 'a'));
    assert.equal(await messageOf(other), none);
    await writeFile(path.join(folder, 'letter.txt'), 'a letter');
    execFileSync('tar', ['-cf', other, '-C', folder, 'letter.txt']);
    assert.equal(await messageOf(other), none);
    await writeFile(other, '');
    assert.equal(await messageOf(other), `${other} is empty.`);
    assert.equal(await messageOf(folder), `${folder} is not a file.`);
    await writeFile(other, (await readFile(file)).subarray(0, -2000));
    assert.match(
      await messageOf(other),
      /^The backup is damaged:\n {2}- the file is damaged or truncated after /,
    );
  });

  test('fail verification wherever they were truncated', async () => {
    const { length } = await readFile(file);
    for (const at of [0, 100, 512, length >> 1, length - 1024, length - 1]) {
      const cut = path.join(folder, 'cut.tar');
      await writeFile(cut, await readFile(file));
      await truncate(cut, at);
      await assert.rejects(verifyBackup(cut), DamagedBackup);
    }
  });

  test('are not restored over an existing SQLite file or image', async () => {
    for (const name of ['tertulia.db', 'tertulia.db-wal', 'images/mine.full']) {
      const dataDir = path.join(folder, path.basename(name));
      const mine = path.join(dataDir, name);
      await mkdir(path.dirname(mine), { recursive: true });
      await writeFile(mine, 'mine');
      await assert.rejects(restoreBackup(parseConfig({ DATA_DIR: dataDir }), file), UnfitTarget);
      assert.equal(await readFile(mine, 'utf8'), 'mine');
    }
    assert.deepEqual(await readdir(path.join(folder, 'mine.full', 'images')), ['mine.full']);
  });

  /** Writes an archive with valid checksums in which the rows of accounts occur again after the images. */
  async function withAccountsTwice(): Promise<string> {
    const twice = path.join(folder, 'twice.tar');
    await using handle = await open(twice, 'w');
    const archive = new ArchiveWriter((bytes) => handle.writeFile(bytes));
    let accounts: Buffer = Buffer.alloc(0);
    for await (const { name, bytes } of readArchive(file)) {
      if (name === 'rows/accounts.000001.ndjson') accounts = bytes;
      if (name !== 'manifest.json') await archive.add(name, bytes);
      else {
        await archive.add('rows/accounts.000002.ndjson', accounts);
        const manifest: Manifest = JSON.parse(bytes.toString());
        const { count } = manifest.tables.accounts ?? assert.fail();
        const sha256 = createHash('sha256').update(accounts).update(accounts).digest('hex');
        manifest.tables.accounts = { count: 2 * count, sha256 };
        await archive.add(name, Buffer.from(JSON.stringify(manifest)));
      }
    }
    await archive.finish();
    return twice;
  }

  test('leave no database after a restore that fails halfway, and images that the next restore asks to be deleted', async () => {
    const config = parseConfig({ DATA_DIR: path.join(folder, 'restored') });
    await assert.rejects(restoreBackup(config, await withAccountsTwice()), /constraint failed/);
    const remaining = await readdir(config.dataDir, { recursive: true });
    const left = remaining.filter((name) => !name.startsWith('images/')).sort();
    assert.deepEqual(left, ['images', 'tertulia.lock']);
    await assert.rejects(restoreBackup(config, file), UnfitTarget);
    await rm(path.join(config.dataDir, 'images'), { recursive: true });
    await restoreBackup(config, file);
  });

  test('leave no file when they fail halfway', async () => {
    const half = path.join(folder, 'half.tar');
    const images = Object.assign(Object.create(forum.services.images), {
      read: () => Promise.reject(new Error('the store is down')),
    });
    await assert.rejects(
      makeBackup({ db: forum.services.db, images }, half, noLock),
      /the store is down/,
    );
    await assert.rejects(stat(half), { code: 'ENOENT' });
    await assert.rejects(stat(`${half}.part`), { code: 'ENOENT' });
    await writeFile(half, 'mine');
    await assert.rejects(makeBackup(forum.services, half, noLock), /exists already/);
    assert.equal(await readFile(half, 'utf8'), 'mine');
  });
});
