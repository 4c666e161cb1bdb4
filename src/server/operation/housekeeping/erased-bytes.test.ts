import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { Forum } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { indexOf } from '../../search-index/index-of.ts';
import { attemptErasures, runHousekeeping } from './housekeeping.ts';

const dayMs = 86_400_000;

describe('the search index of SQLite', () => {
  /** Whether these letters are anywhere in the index, of which a word may lack the first, which it shares with another. */
  async function isStored({ services }: Forum, letters: string): Promise<boolean> {
    const { rows } = await sql`
      select 1 from search_docs_fts_data where instr(block, cast(${letters} as blob)) > 0 limit 1
    `.execute(services.db);
    return rows.length > 0;
  }

  test('is not written by housekeeping because of new comments, and has no words a day after they were edited away', async () => {
    let aheadMs = 0;
    await using forum = await Forum.start('sqlite', {}, { now: () => Date.now() + aheadMs });
    const { services, app } = forum;
    const ana = await forum.person();
    const { _id } = await forum.channel(ana);
    await runHousekeeping(services, app.log);
    const { number } = await forum.comment(ana, _id, 'Pzwéquidas');
    await forum.edit(ana, _id, number, 'Hola');
    const blocks = () =>
      sql`select cast(id as text), block from search_docs_fts_data`.execute(services.db);
    const before = (await blocks()).rows;
    aheadMs = dayMs - 60_000;
    await runHousekeeping(services, app.log);
    assert.deepEqual((await blocks()).rows, before);
    assert.equal(await isStored(forum, 'zwequid'), true);
    aheadMs = dayMs + 1;
    await runHousekeeping(services, app.log);
    assert.equal(await isStored(forum, 'zwequid'), false);
  });

  test('has no words of a comment once it was erased from the trash, or of an account whose erasure has run', async () => {
    let aheadMs = 0;
    await using forum = await Forum.start('sqlite', {}, { now: () => Date.now() + aheadMs });
    const { services, app } = forum;
    const [ana, berta] = [await forum.person('Ana'), await forum.person('Berta')];
    const { _id } = await forum.channel(berta);
    const { number } = await forum.comment(berta, _id, 'Pzwéquidas');
    await forum.json('DELETE', apiRoutes.channelComment(_id, number), berta);
    await forum.comment(ana, _id, 'Kvíxerones');
    await askForDeletion(forum, ana, 'erase');
    aheadMs = 14 * dayMs - 60_000;
    await runHousekeeping(services, app.log);
    assert.equal(await isStored(forum, 'vixeron'), true);
    aheadMs = 14 * dayMs + 1;
    await attemptErasures(services, app.log);
    assert.equal(await isStored(forum, 'vixeron'), false);
    aheadMs = 30 * dayMs - 60_000;
    await runHousekeeping(services, app.log);
    assert.equal(await isStored(forum, 'zwequid'), true);
    aheadMs = 30 * dayMs + 60_000;
    await runHousekeeping(services, app.log);
    assert.equal(await isStored(forum, 'zwequid'), false);
  });

  test('has no words that were deleted while a merge was under way', async () => {
    await using forum = await Forum.start('sqlite');
    const { db, withTransaction } = forum.services;
    const write = (rows: { doc: number; tokens: string[] | undefined }[]) =>
      withTransaction('test', (trx) => indexOf(trx).writeWords(trx, rows));
    const some = Array.from({ length: 3000 }, (_, index) => `m${index}x`);
    for (let rowid = 1001; rowid <= 1030; rowid++) {
      await write([{ doc: rowid, tokens: [...some, rowid === 1015 ? 'bgqword' : 'bhqword'] }]);
    }
    // The first page of the index still contains the word.
    await sql`
      insert into search_docs_fts (search_docs_fts, rank) values ('merge', -1)
    `.execute(db);
    await write([{ doc: 1015, tokens: undefined }]);
    assert.equal(await isStored(forum, 'gqword'), true);
    await indexOf(db).mergeWords(withTransaction);
    assert.equal(await isStored(forum, 'gqword'), false);
  });
});

test('an address that was changed is overwritten in the file of SQLite', async () => {
  await using folder = await temporaryFolder('bytes');
  const forum = await Forum.start('sqlite', { DATA_DIR: folder.path });
  const former = `gvjq.${'larga.'.repeat(20)}antigua@ejemplo.es`;
  const { token, password } = await forum.person('Carla', former);
  const body = { email: 'nueva@ejemplo.es', currentPassword: password };
  await forum.json('PATCH', apiRoutes.me, { token, body });
  await forum.stop();
  const files = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map(({ name }) => name);
  assert.ok(names.includes('tertulia.db') && !names.includes('tertulia.db-wal'));
  const bytes = await readFile(path.join(folder.path, 'tertulia.db'), 'utf8');
  assert.ok(bytes.includes('nueva@ejemplo.es'));
  assert.ok(!bytes.includes('gvjq'));
});
