import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Forum } from '../../../../test/forum/forum.ts';
import { findDocs } from './find-docs.ts';

const docs = 300_000;
const word = 'frecuente';

let forum: Forum;
before(async () => {
  forum = await Forum.start('sqlite');
  await sql`
    insert into search_docs_fts (rowid, tokens)
    with recursive numbers (number) as (
      select 1 union all select number + 1 from numbers where number < ${docs}
    )
    select number, ${word} from numbers
  `.execute(forum.deps.db);
});
after(() => forum.stop());

test('on SQLite, a page far down takes as long as the first', async () => {
  const [first, last] = [await fastestMs(docs + 1), await fastestMs(1000)];
  assert.ok(last < 10 * first, `${last} ms, the first ${first} ms`);
});

/** The shortest time of several that one page below a doc takes. */
async function fastestMs(end: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const startMs = performance.now();
    const query = { required: [[word]], excluded: [] };
    const page = await findDocs(forum.deps.db, { query, before: end, limit: 20 });
    times.push(performance.now() - startMs);
    assert.equal(page.docs[0], end - 1);
  }
  return Math.min(...times);
}
