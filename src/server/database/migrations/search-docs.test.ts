import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createPostgresDatabase, engines } from '../../../../test/forum/forum.ts';
import { expectIndexed } from '../../../../test/forum/index-contents.ts';
import { buildIndex } from '../../search/index/build-index.ts';
import { isIndexComplete, prepareIndex } from '../../search/index/index-state.ts';
import { openDatabase } from '../database.ts';
import { singleTransactions, type Transact } from '../transactions.ts';
import { migrate } from './migrate.ts';

const hourMs = 3_600_000;
/** As many as one step of the former build, whose lowest number was then 1. */
const count = 30;

for (const engine of engines) {
  test(`a search index that an earlier version did not complete is built anew (${engine})`, async (t) => {
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-migrate-'));
    const db = openDatabase({ databaseUrl: database?.url, dataDir }, { noStatementTimeout: true });
    t.after(async () => {
      await db.destroy();
      await database?.drop();
      await rm(dataDir, { recursive: true });
    });
    await migrate(db, { upTo: '019-complete-rows' });
    await sql`
      insert into accounts (id, name, email, email_key, password_hash, created_at_ms, name_key)
      values ('berta', 'Berta', 'berta@ejemplo.es', 'berta@ejemplo.es', '', 1, 'berta')
    `.execute(db);
    await sql`
      insert into channels (id, account_id, name, description, cover, cover_alt, comment_count,
        last_comment_number, created_at_ms, active_at_ms)
      values ('cine', 'berta', 'Cine', '', '', '', ${count}, ${count}, 1, 1)
    `.execute(db);
    for (let number = 1; number <= count; number++) {
      await sql`
        insert into comments (channel_id, number, account_id, text, created_at_ms)
        values ('cine', ${number}, 'berta', ${`película ${number}`}, ${number * hourMs})
      `.execute(db);
    }
    // The newest half has numbers, down to 1; an hour has one comment.
    await sql`insert into search_channels (id, channel_id) values (1, 'cine')`.execute(db);
    for (let number = count / 2 + 1; number <= count; number++) {
      const doc = number - count / 2;
      await sql`insert into search_docs (doc, channel, number) values (${doc}, 1, ${number})`.execute(
        db,
      );
    }
    if (database) await sql`select setval('search_docs_doc_seq', 2048)`.execute(db);
    await sql`
      insert into search_state (id, version, next_channel, next_doc, free_doc) values (1, 3, 0, 0, 2048)
    `.execute(db);

    await migrate(db);
    await prepareIndex(db);
    const inOne = singleTransactions(db);
    const transact: Transact = (row, work) => inOne(row, (trx) => work(trx, async () => {}));
    await buildIndex({ db, transact }, new AbortController().signal);
    assert.ok(await isIndexComplete(db));
    await expectIndexed(db);
    const docs = db.selectFrom('search_docs').select('number').where('number', '>', 0);
    const numbers = (await docs.orderBy('doc').execute()).map(({ number }) => number);
    assert.deepEqual(
      numbers,
      Array.from({ length: count }, (_, index) => index + 1),
    );
  });
}
