import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../src/server/database/engine.ts';
import type { Config } from '../../src/server/system/settings/config.ts';
import { sqliteFile } from '../../src/server/system/settings/data-dir.ts';
import { expectIndexed } from '../forum/index-contents.ts';
import type { KeyedWriters } from './keyed-writers.ts';

/** Asserts that a stopped server's database is sound, and stores and finds each acknowledged comment once. */
export async function expectAllStored(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  channelId: string,
  { acknowledged }: KeyedWriters,
): Promise<void> {
  if (!config.databaseUrl) {
    const file = new DatabaseSync(sqliteFile(config.dataDir));
    assert.equal(file.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
    file.close();
  }
  const db = openDatabase(config);
  try {
    const rows = await db
      .selectFrom('comments')
      .select(['number', 'text'])
      .where('channel_id', '=', channelId)
      .orderBy('number')
      .execute();
    const stored = new Map<string, string>(
      rows.map(({ text, number }) => [text, `${channelId}-${number}`]),
    );
    const lost = [...acknowledged].filter(([text, id]) => stored.get(text) !== id);
    const doubled = rows.length - stored.size;
    assert.deepEqual({ lost, doubled }, { lost: [], doubled: 0 });
    assert.equal(rows.length, acknowledged.size);
    // Numbers have no gaps.
    assert.ok(rows.every(({ number }, i) => number === i + 1));
    const channel = await db
      .selectFrom('channels')
      .select(['comment_count', 'last_comment_number'])
      .where('id', '=', channelId)
      .executeTakeFirstOrThrow();
    assert.equal(channel.comment_count, rows.length);
    assert.equal(channel.last_comment_number, rows.length);
    await expectIndexed(db);
  } finally {
    await db.destroy();
  }
}
