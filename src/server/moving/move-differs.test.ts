import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createBucket, noBucket } from '../../../test/bucket.ts';
import { Forum } from '../../../test/forum.ts';
import { fillCommunity } from '../../../test/large-community.ts';
import { asTarget, runMove } from '../../../test/mover.ts';
import { openDatabase } from '../database/database.ts';
import type { ImageRow } from '../images/image-queries.ts';

describe('what is not the same at the target', () => {
  let forum: Forum;
  let env: Record<string, string>;
  let picture: ImageRow;
  let folder: string;
  let target: string;
  const file = (dataDir: string, form: string) =>
    path.join(dataDir, 'images', `${picture.picture_id}.${form}`);
  const ownFile = (form: string) => file(forum.deps.config.dataDir, form);
  const move = (...args: string[]) => runMove(env, ['--to-data-dir', target, ...args]);

  before(async () => {
    forum = await Forum.start('sqlite');
    await fillCommunity(forum.deps, { channels: 2, comments: 20, pictures: 3, pictureBytes: 1000 });
    folder = await mkdtemp(path.join(tmpdir(), 'tertulia-differs-'));
    env = { DATA_DIR: forum.deps.config.dataDir };
    picture = await forum.deps.db.selectFrom('images').selectAll().executeTakeFirstOrThrow();
  });
  after(async () => {
    await forum?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    target = await mkdtemp(path.join(folder, 'target-'));
  });

  test('a file that is missing at the source is named, and all others come', async (t) => {
    const bytes = await readFile(ownFile('500.webp'));
    await rm(ownFile('500.webp'));
    t.after(() => writeFile(ownFile('500.webp'), bytes));
    const { code, said } = await move();
    assert.equal(code, 4, said);
    assert.ok(said.includes(`\n${picture.full_path} 500.webp: missing at the source\n1 differ`));
    assert.match(said, /pictures: 3 of 3 compared, 11 files sent/);
  });

  test('a picture that is damaged at the source is named, and a whole one at the target stays', async (t) => {
    assert.equal((await move()).code, 0);
    const bytes = await readFile(ownFile('full'));
    await writeFile(ownFile('full'), flipped(bytes));
    t.after(() => writeFile(ownFile('full'), bytes));
    const { code, said } = await move();
    assert.equal(code, 4, said);
    assert.ok(said.includes(`${picture.full_path} full: damaged at the source`), said);
    assert.ok((await readFile(file(target, 'full'))).equals(bytes));
  });

  test('a check names each flipped and missing file at the target, and the next move mends it', async () => {
    assert.equal((await move()).code, 0);
    await writeFile(file(target, 'card.jpg'), flipped(await readFile(ownFile('card.jpg'))));
    await rm(file(target, '1000.webp'));
    const { code, said } = await move('--check');
    assert.equal(code, 4, said);
    assert.ok(said.includes(`${picture.full_path} card.jpg: different at the target`), said);
    assert.ok(said.includes(`${picture.full_path} 1000.webp: missing at the target`), said);
    assert.match(said, / 0 files sent/);
    assert.match((await move()).said, / 2 files sent/);
    assert.equal((await move('--check')).code, 0);
  });

  test('a check names each row, and the next move mends it', async () => {
    assert.equal((await move()).code, 0);
    const db = openDatabase({ dataDir: target, databaseUrl: undefined });
    const { channel_id } = await db
      .selectFrom('comments')
      .select('channel_id')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('comments')
      .set({ text: 'otra cosa' })
      .where('channel_id', '=', channel_id)
      .where('number', '=', 2)
      .execute();
    await db
      .deleteFrom('comments')
      .where('channel_id', '=', channel_id)
      .where('number', '=', 3)
      .execute();
    const stray = { ...picture, full_path: 'images/z', path_key: 'z', url: 'z', picture_id: 'z' };
    await db.insertInto('images').values(stray).execute();
    await db.destroy();

    const { code, said } = await move('--check');
    assert.equal(code, 4, said);
    assert.ok(said.includes(`comments ${channel_id}/2: different at the target`), said);
    assert.ok(said.includes(`comments ${channel_id}/3: missing at the target`), said);
    assert.ok(said.includes('images images/z: only at the target'), said);
    assert.match(said, /comments: 20 rows at the source, SHA-256 .*; 19 at the target/);
    assert.match((await move()).said, /comments: 2 rows written/);
    assert.equal((await move('--check')).code, 0);
  });

  test('a public address where the pictures are not is named with them', {
    skip: noBucket,
  }, async () => {
    const bucket = await createBucket({ isPublic: true });
    const wrong = { ...bucket, S3_PUBLIC_URL: `${bucket.S3_PUBLIC_URL}-otro` };
    const { code, said } = await runMove({ ...env, ...asTarget(wrong) }, []);
    assert.equal(code, 4, said);
    assert.ok(
      said.includes(
        `${picture.full_path} full: missing at ${wrong.S3_PUBLIC_URL}/images/${picture.picture_id}.full`,
      ),
      said,
    );
    assert.equal((await runMove({ ...env, ...asTarget(bucket) }, [])).code, 0);
  });
});

/** The same but for one bit. */
function flipped(bytes: Buffer): Buffer {
  const others = Buffer.from(bytes);
  others[500 % others.length] = (others[500 % others.length] ?? 0) ^ 1;
  return others;
}
