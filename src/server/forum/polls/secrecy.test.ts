import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import { polledChannel, vote } from '../../../../test/forum/polls.ts';
import type { Database } from '../../database/tables.ts';
import { closePolls } from '../../notifications/pass/tell-polls.ts';
import { sqliteFile } from '../../system/settings/data-dir.ts';

type Row = Record<string, unknown>;

/** All rows of all tables, as texts. */
async function readAll(db: Database): Promise<Map<string, Set<string>>> {
  const rows = new Map<string, Set<string>>();
  for (const { name, isView } of await db.introspection.getTables()) {
    if (isView || /_fts|search_words/.test(name)) continue;
    const found = await sql<Row>`select * from ${sql.table(name)}`.execute(db);
    rows.set(name, new Set(found.rows.map((row) => JSON.stringify(row))));
  }
  return rows;
}

/*
 * Somebody who reads the whole database, a backup or the log, and knows in which order people voted, looks for who voted
 * for what.
 */
for (const engine of engines) {
  test(`nothing that is stored or logged leads from who voted secretly to an option (${engine})`, async () => {
    const lines: string[] = [];
    const log = new Writable({
      write: (chunk, _, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    await using forum = await Forum.start(engine, { LOG_LEVEL: 'trace' }, {}, log);
    const { db } = forum.services;
    const author = await forum.person('Ana');
    const { id } = await polledChannel(forum, author, { secret: true, multiple: true });
    const people = [author, await forum.person('Bea'), await forum.person('Leo')];
    // The order of their votes is not that of their ids.
    const voters = people.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    for (const [index, person] of voters.entries()) {
      const before = await readAll(db);
      lines.length = 0;
      assert.equal((await vote(forum, person, id, [index, (index + 1) % 3])).status, 200);
      const changed = [...(await readAll(db))].flatMap(([table, rows]) =>
        [...rows.difference(before.get(table) ?? new Set())].map((row) => [table, row] as const),
      );
      // A session has the time of its last request.
      const added = changed.filter(([table]) => table !== 'secret_counts' && table !== 'sessions');
      const row = { channel_id: id, number: 1, account_id: person.id };
      assert.deepEqual(added, [['secret_voters', JSON.stringify(row)]]);
      const counted = changed.filter(([table]) => table === 'secret_counts');
      assert.equal(counted.length, 3);
      assert.ok(lines.some((line) => line.includes('/votes')));
      assert.doesNotMatch(lines.join(''), /options|Playa|Sierra|Pueblo|"position"/);
    }

    const listed = await sql<Row>`select account_id from secret_voters`.execute(db);
    if (engine === 'sqlite') {
      assert.deepEqual(
        listed.rows.map((row) => row.account_id),
        people.map((person) => person.id).sort(),
      );
      await assert.rejects(sql`select rowid from secret_voters`.execute(db), /no such column/);
      return;
    }
    // Each row of PostgreSQL names the transaction that wrote it.
    const { rows } = await sql<{ writers: string }>`
      select count(distinct xmin::text || ' ' || cmin::text) as writers from secret_counts`.execute(
      db,
    );
    assert.equal(Number(rows[0]?.writers), 1);
    const joined = await sql<{ account_id: string; options: string }>`
      select account_id, count(*) as options from secret_voters join secret_counts
        on secret_voters.xmin = secret_counts.xmin group by account_id`.execute(db);
    assert.deepEqual(
      joined.rows.map(({ account_id, options }) => [account_id, Number(options)]),
      [[voters.at(-1)?.id, 3]],
    );
  });

  test(`a closed secret poll leaves no earlier counters on the disk (${engine})`, async () => {
    let aheadMs = 0;
    await using forum = await Forum.start(engine, {}, { now: () => Date.now() + aheadMs });
    const { db, config } = forum.services;
    const author = await forum.person('Ana');
    const { id } = await polledChannel(forum, author, { secret: true });
    for (const person of [author, await forum.person('Bea'), await forum.person('Leo')])
      assert.equal((await vote(forum, person, id, [0])).status, 200);
    aheadMs = 3_600_000;
    await closePolls(forum.services);
    if (engine === 'sqlite') {
      assert.equal(statSync(`${sqliteFile(config.dataDir)}-wal`).size, 0);
      return;
    }
    await sql`create extension if not exists pageinspect`.execute(db);
    const { rows } = await sql<{ versions: string }>`
      select count(*) as versions from heap_page_items(get_raw_page('secret_counts', 0))
      where t_data is not null`.execute(db);
    assert.equal(Number(rows[0]?.versions), 3);
  });
}
