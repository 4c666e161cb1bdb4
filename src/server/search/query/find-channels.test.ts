import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { fillChannels, filled } from '../../../../test/forum/fill-forum.ts';
import { zipfTexts } from '../../../../test/forum/zipf-texts.ts';
import { isPostgres } from '../../../../test/postgres/is-postgres.ts';
import { indexChannel } from '../../search-index/index-channel.ts';
import { tokensOf } from '../../search-index/words.ts';
import { findChannels } from './search-channels.ts';
import type { Match } from './terms.ts';

const count = 700;
const corpus = zipfTexts(7, 500);
/** The oldest channels have words that the others do not have. Most are hidden, so that a search reads several pages. */
const channels = Array.from({ length: count }, (_, index) => ({
  id: filled.channelId(index),
  name: `${corpus.text(20)}${index < 200 ? ` vieja${index % 5}` : ''}`,
  isHidden: index % 4 !== 0,
}));

onBothEngines('a search for channels', (forum) => {
  before(async () => {
    const { db } = forum().services;
    const filling = { accounts: 10, channels: count, comments: 0, longest: 0 };
    await fillChannels(db, filling, { passwordHash: 'x', nowMs: Date.now() });
    await db.transaction().execute(async (trx) => {
      for (const { id, name, isHidden } of channels) {
        const description = '';
        const values = { name, description, hidden_by: isHidden ? 'x' : null };
        await trx.updateTable('channels').set(values).where('id', '=', id).execute();
        await indexChannel(trx, id);
      }
    });
    if (isPostgres(db)) await sql`analyze`.execute(db);
  });

  test('finds the newest visible channels that a plain filter finds', async () => {
    for (let index = 0; index < 120; index++) {
      const word = () => tokensOf(index % 4 === 0 ? `vieja${index % 6}` : corpus.word())[0] ?? '';
      const isPrefix = index % 3 === 0;
      const required: Match[] = [
        isPrefix ? `${word().slice(0, 4)}*` : word(),
        ...(index % 5 === 0 ? [word()] : []),
      ];
      const excluded = index % 6 === 0 ? [word()] : [];
      const query = { required: required.map((match) => [match]), excluded };
      const limit = 1 + (index % 30);
      const expected = channels
        .filter(({ name, isHidden }) => !isHidden && isMatch(tokensOf(name), required, excluded))
        .map(({ id }) => id)
        .reverse()
        .slice(0, limit);
      assert.deepEqual(await findChannels(forum().services.db, query, limit), expected);
    }
  });
});

function isMatch(tokens: string[], required: Match[], excluded: string[]): boolean {
  return (
    required.every((match) =>
      match.length > 3 && match.endsWith('*')
        ? tokens.some((each) => each.startsWith(match.slice(0, -1)))
        : tokens.includes(match.replace('*', '')),
    ) && !excluded.some((token) => tokens.includes(token))
  );
}
