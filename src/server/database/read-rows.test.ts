import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { findTables, readRows } from './read-rows.ts';

onBothEngines('readRows', (forum) => {
  test('orders rows bytewise by key, whatever the collation of the database', async () => {
    const { db } = forum().deps;
    const keys = ['b', 'A', 'a', 'B', 'ñ', 'n', '_', '-a', 'Z', '😀', '\ufffd'];
    await db
      .insertInto('rate_limits')
      .values(keys.map((key) => ({ key, points: 1, expire: null })))
      .execute();
    const read = await db.transaction().execute(async (trx) => {
      const table = (await findTables(trx)).find(({ name }) => name === 'rate_limits');
      assert.ok(table);
      return Array.fromAsync(readRows(trx, table));
    });
    const byBytes = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(
      read,
      byBytes.map((key) => ({ expire: null, key, points: 1 })),
    );
  });
});
