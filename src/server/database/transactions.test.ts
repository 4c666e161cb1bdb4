import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/both-engines.ts';
import type { Database } from './tables.ts';

onBothEngines('transactions', (forum) => {
  const add = (id: string) => async (trx: Database) => {
    const row = { token_hash: id, created_at_ms: 1, expires_at_ms: 1 };
    const { id: account_id } = await trx
      .selectFrom('accounts')
      .select('id')
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('sessions')
      .values({ ...row, account_id })
      .execute();
    return id;
  };
  const kept = async (ids: string[]) => {
    const rows = await forum()
      .deps.db.selectFrom('sessions')
      .select('token_hash')
      .where('token_hash', 'in', ids)
      .execute();
    return rows.map(({ token_hash }) => token_hash).sort();
  };

  test('of many at once, each has its own outcome, and only what failed is undone', async () => {
    await forum().person();
    const { transact } = forum().deps;
    const ids = Array.from({ length: 250 }, (_, i) => `once-${String(i).padStart(3, '0')}`);
    const outcomes = await Promise.allSettled([
      ...ids.map((id) => transact('sessions', add(id))),
      ...ids.slice(0, 20).map((id) =>
        transact('sessions', async (trx) => {
          await add(`${id}-undone`)(trx);
          // Already there: the database itself refuses.
          return add(id)(trx);
        }),
      ),
      transact('sessions', () => Promise.reject(new Error('not mine'))),
    ]);
    const [fulfilled, rejected] = [outcomes.slice(0, 250), outcomes.slice(250)];
    assert.deepEqual(
      fulfilled.map((outcome) => outcome.status === 'fulfilled' && outcome.value),
      ids,
    );
    assert.deepEqual([...new Set(rejected.map(({ status }) => status))], ['rejected']);
    assert.deepEqual(await kept(ids), ids);
    assert.deepEqual(await kept(ids.map((id) => `${id}-undone`)), []);
  });

  test('what is acknowledged can be read at once', async () => {
    const { transact } = forum().deps;
    for (const id of ['read-1', 'read-2']) {
      await transact('sessions', add(id));
      assert.deepEqual(await kept([id]), [id]);
    }
  });
});
