import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { fillChannels } from '../../../../test/forum/fill-forum.ts';
import { indexNames } from '../../search-index/index-names.ts';
import { findNamed } from './find-people.ts';

onBothEngines('a search for people', (forum) => {
  test('finds one of thousands of people with the same name by another word, or by the name alone', async () => {
    const { db } = forum().services;
    const filling = { accounts: 1500, channels: 1, comments: 0, longest: 0 };
    await fillChannels(db, filling, { passwordHash: 'x', nowMs: Date.now() });
    const accounts = await db.selectFrom('accounts').select(['id', 'name']).execute();
    await db.transaction().execute((trx) => indexNames(trx, accounts));
    const [rare, plain] = [await forum().person('Vecina Zúñiga'), await forum().person('Vecina')];
    const found = async (...name: string[]) =>
      (
        await findNamed(
          db,
          name.map((match) => [match]),
          5,
        )
      ).map(({ id }) => id);
    assert.deepEqual(await found('vecina', 'zuñiga'), [rare.id]);
    assert.deepEqual(await found('vecina', 'zuñ*'), [rare.id]);
    assert.equal((await found('vecina'))[0], plain.id);
    assert.deepEqual(await found('vecina', 'nadie'), []);
    const dotted = await forum().person('raul.lopez');
    assert.deepEqual(await found('lopez'), [dotted.id]);
  });
});
