import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { isPostgres } from '../../../test/postgres/is-postgres.ts';
import { DatabaseUnavailable } from './errors.ts';
import type { Database } from './tables.ts';
import { atGroupEnd } from './transactions.ts';

const runAll = async (_: Database, works: (() => Promise<void>)[]) => {
  for (const work of works) await work();
};

onBothEngines('transactions', (forum, _wait, engine) => {
  const add = (id: string) => async (trx: Database) => {
    const row = { id, token_hash: id, created_at_ms: 1, last_used_at_ms: 1, expires_at_ms: 1 };
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
  const stored = async (ids: string[]) => {
    const rows = await forum()
      .services.db.selectFrom('sessions')
      .select('token_hash')
      .where('token_hash', 'in', ids)
      .execute();
    return rows.map(({ token_hash }) => token_hash).sort();
  };

  test('concurrent transactions have separate outcomes, and only those that fail are rolled back', async () => {
    await forum().person();
    const { withTransaction } = forum().services;
    const ids = Array.from({ length: 250 }, (_, i) => `once-${String(i).padStart(3, '0')}`);
    const outcomes = await Promise.allSettled([
      ...ids.map((id) => withTransaction('sessions', add(id))),
      ...ids.slice(0, 20).map((id) =>
        withTransaction('sessions', async (trx) => {
          await add(`${id}-undone`)(trx);
          // The second insert violates the primary key.
          return add(id)(trx);
        }),
      ),
      withTransaction('sessions', () => Promise.reject(new Error('not mine'))),
    ]);
    const [fulfilled, rejected] = [outcomes.slice(0, 250), outcomes.slice(250)];
    assert.deepEqual(
      fulfilled.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason)),
      ids,
    );
    assert.deepEqual([...new Set(rejected.map(({ status }) => status))], ['rejected']);
    assert.deepEqual(await stored(ids), ids);
    assert.deepEqual(await stored(ids.map((id) => `${id}-undone`)), []);
  });

  test('deferred work is skipped when its call fails, and fails only its own call', async () => {
    const { withTransaction } = forum().services;
    const write = (id: string, failure?: 'call' | 'deferred work') =>
      withTransaction('sessions', async (trx) => {
        await add(id)(trx);
        await atGroupEnd(trx, runAll, [
          async () => {
            await add(`${id}-deferred`)(trx);
            if (failure === 'deferred work') throw new Error(`not ${id}`);
          },
        ]);
        if (failure === 'call') throw new Error(`not ${id}`);
        return id;
      });
    const outcomes = await Promise.allSettled([
      write('end-1'),
      write('end-2', 'call'),
      write('end-3', 'deferred work'),
      write('end-4'),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message,
      ),
      ['end-1', 'not end-2', 'not end-3', 'end-4'],
    );
    const ids = ['end-1', 'end-2', 'end-3', 'end-4'].flatMap((id) => [id, `${id}-deferred`]);
    assert.deepEqual(await stored(ids), ['end-1', 'end-1-deferred', 'end-4', 'end-4-deferred']);
  });

  test('calls that arrive in successive turns of the event loop share a transaction on SQLite', async () => {
    const { db, withTransaction } = forum().services;
    const groups: number[][] = [];
    const apply = async (_: Database, numbers: number[]) => {
      groups.push(numbers);
    };
    const arrived: Promise<void>[] = [];
    await new Promise<void>((resolve) => {
      const arrive = () => {
        // Simulates requests that arrive in successive turns: schedules the next one before this call begins to wait.
        if (arrived.length < 4) setImmediate(arrive);
        else resolve();
        const number = arrived.length;
        arrived.push(withTransaction('sessions', (trx) => atGroupEnd(trx, apply, [number])));
      };
      arrive();
    });
    await Promise.all(arrived);
    // PostgreSQL has no groups.
    const alone = [[0], [1], [2], [3], [4]];
    assert.deepEqual(groups.toSorted(), isPostgres(db) ? alone : [alone.flat()]);
  });

  test('the announcements of a call are published once when it commits, and never when it fails', async () => {
    const { db, withTransaction, live } = forum().services;
    const published: string[] = [];
    live.watch((message) => {
      if (message !== 'gap' && message.kind === 'channel') published.push(message.channelId);
    });
    // On SQLite, each call of a group that fails is repeated.
    const announce = (id: string, fails: boolean) =>
      withTransaction('sessions', async (trx, announce) => {
        await announce({ kind: 'channel', channelId: id });
        await atGroupEnd(trx, runAll, [
          async () => {
            if (fails) throw new Error(`not ${id}`);
          },
        ]);
        assert.ok(!published.includes(id));
      });
    await Promise.allSettled([
      announce('told-1', false),
      announce('told-2', true),
      announce('told-3', false),
    ]);
    assert.deepEqual([...new Set(published)].sort(), ['told-1', 'told-3']);
    // PostgreSQL also notifies the process that announced the change.
    if (!isPostgres(db)) assert.equal(published.length, 2);
  });

  test('slow calls do not share a transaction, so that other work runs between them', async () => {
    const { withTransaction } = forum().services;
    let isWriting = true;
    let ended = 0;
    let mostBetween = 0;
    const otherWork = async () => {
      for (let before = ended; isWriting; before = ended) {
        await new Promise(setImmediate);
        mostBetween = Math.max(mostBetween, ended - before);
      }
    };
    const other = otherWork();
    const ids = ['slow-1', 'slow-2', 'slow-3', 'slow-4', 'slow-5'];
    const write = async (id: string) => {
      await withTransaction('sessions', async (trx) => {
        const endMs = performance.now() + 25;
        while (performance.now() < endMs);
        return add(id)(trx);
      });
      ended++;
    };
    await Promise.all(ids.map(write)).finally(() => {
      isWriting = false;
    });
    await other;
    assert.deepEqual(await stored(ids), ids);
    // PostgreSQL runs the calls concurrently, each in its own transaction.
    if (!isPostgres(forum().services.db)) assert.ok(mostBetween <= 2, `${mostBetween} at once`);
  });

  // On SQLite all calls wait in one queue.
  if (engine === 'sqlite') return;

  /** Work that runs until the test settles it. */
  function openWork() {
    const { promise, resolve: start } = Promise.withResolvers<void>();
    const { promise: ending, resolve, reject } = Promise.withResolvers<string>();
    const work = () => {
      start();
      return ending;
    };
    return { work, started: promise, resolve, reject };
  }

  test('calls for one row run one after another and do not delay calls for other rows', async () => {
    const { withTransaction } = forum().services;
    const [first, second, other] = [openWork(), openWork(), openWork()];
    const done = [withTransaction('row', first.work), withTransaction('row', second.work)];
    let isSecondStarted = false;
    void second.started.then(() => {
      isSecondStarted = true;
    });
    done.push(withTransaction('other row', other.work));
    await Promise.all([first.started, other.started]);
    assert.equal(isSecondStarted, false);
    first.resolve('a');
    await second.started;
    second.resolve('b');
    other.resolve('c');
    assert.deepEqual(await Promise.all(done), ['a', 'b', 'c']);
  });

  test('a call that fails with DatabaseUnavailable also fails the calls that wait for its row', async () => {
    const { withTransaction } = forum().services;
    const [first, other] = [openWork(), openWork()];
    const done = Promise.allSettled([
      withTransaction('row', first.work),
      withTransaction('row', add('never-1')),
      withTransaction('row', add('never-2')),
    ]);
    const elsewhere = withTransaction('other row', other.work);
    await Promise.all([first.started, other.started]);
    first.reject(new DatabaseUnavailable(new Error('locked')));
    for (const outcome of await done) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable);
    }
    other.resolve('done');
    assert.equal(await elsewhere, 'done');
    assert.deepEqual(await stored(['never-1', 'never-2']), []);
  });

  test('a call is rejected with DatabaseUnavailable when 2,500 already wait for its row', async () => {
    const { withTransaction } = forum().services;
    const first = openWork();
    const done = [withTransaction('row', first.work)];
    for (let waiting = 0; waiting < 2500; waiting++)
      done.push(withTransaction('row', async () => 'done'));
    await assert.rejects(withTransaction('row', add('never-3')), DatabaseUnavailable);
    first.resolve('done');
    assert.deepEqual([...new Set(await Promise.all(done))], ['done']);
  });
});
