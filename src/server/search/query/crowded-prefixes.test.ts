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

test('on SQLite, a prefix of too many words is taken for a whole word', async () => {
  await insert(1, ['zzzz', ...madeUp(50_000, 'zzzz')]);
  await insert(2, ['zzzzy']);
  await insert(3, ['zzzz']);
  assert.deepEqual(await found('zzzz'), [3, 1]);
  assert.deepEqual(await found('zzzz1'), [1]);
  assert.deepEqual(await found('zzzzy'), [2]);
  assert.deepEqual(await found('zzz'), [3, 2, 1], 'the index knows what has three letters');
});

test('on SQLite, a prefix finds rare words among many', async () => {
  const words = madeUp(200, 'yyyy');
  for (const [index, word] of words.entries()) await insert(10 + index, [word]);
  const newest = Array.from({ length: 20 }, (_, index) => 209 - index);
  assert.deepEqual(await found('yyyy'), newest);
});

async function insert(doc: number, tokens: string[]): Promise<void> {
  const { db } = forum.services;
  await db.insertInto('search_docs').values({ doc, channel: 1, number: doc }).execute();
  const text = tokens.join(' ');
  await sql`insert into search_docs_fts (rowid, tokens) values (${doc}, ${text})`.execute(db);
}

/** Creates this many words with the same prefix. */
function madeUp(count: number, begin: string): string[] {
  return Array.from({ length: count }, (_, index) => `${begin}${index}`);
}

async function found(prefix: string): Promise<number[]> {
  const required = [[`${prefix}*`]];
  const query = { required, excluded: [] };
  return (await findDocs(forum.services.db, { query, limit: 20 })).docs;
}
