import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Forum } from '../../../../test/forum/forum.ts';
import { findDocs } from './find-docs.ts';

let forum: Forum;
before(async () => {
  forum = await Forum.start('sqlite');
});
after(() => forum.stop());

test('on SQLite, a prefix of too many words stands for some of them', async () => {
  await insert(1, ['zzzz', ...madeUp(50_000, 'zzzz')]);
  assert.deepEqual(await found('zzzz'), [1]);
  assert.deepEqual(await found('zzzz1'), [1]);
  await insert(2, ['zzzzy']);
  await insert(3, ['zzzzy']);
  assert.deepEqual(await found('zzzz'), [3, 2, 1], 'words with each next letter are among them');
  assert.deepEqual(await found('zzzzy'), [3, 2]);
  assert.deepEqual(await found('zzz'), [3, 2, 1], 'the index knows what has three letters');
});

test('on SQLite, invented words do not end the completion of a frequent word', async () => {
  for (let doc = 501; doc < 505; doc++) await insert(doc, ['xxxxtto']);
  await insert(505, madeUp(2100, 'xxxxaa'));
  assert.deepEqual(await found('xxxx'), [505, 504, 503, 502, 501]);
  await insert(601, ['wwwwtto']);
  await insert(602, madeUp(2100, 'wwwwaa'));
  assert.deepEqual(await found('wwww'), [602, 601], 'a rare word that begins otherwise');
});

test('on SQLite, a prefix whose words occur often is found', async () => {
  const words = madeUp(1000, 'yyyy');
  for (let doc = 10; doc < 410; doc++) await insert(doc, words);
  assert.equal((await found('yyyy')).length, 20);
  await insert(410, words);
  assert.equal((await found('yyyy')).length, 20);
  assert.equal((await found('yyyy99')).length, 20);
});

async function insert(doc: number, tokens: string[]): Promise<void> {
  const { db } = forum.deps;
  await db.insertInto('search_docs').values({ doc, channel: 1, number: doc }).execute();
  const text = tokens.join(' ');
  await sql`insert into search_docs_fts (rowid, tokens) values (${doc}, ${text})`.execute(db);
}

/** Creates this many words with the same beginning. */
function madeUp(count: number, begin: string): string[] {
  return Array.from({ length: count }, (_, index) => `${begin}${index}`);
}

async function found(prefix: string): Promise<number[]> {
  const required = [[`${prefix}*`]];
  const query = { required, excluded: [] };
  return (await findDocs(forum.deps.db, { query, limit: 20 })).docs;
}
