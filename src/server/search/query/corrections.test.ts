import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Engine, engines, Forum, type Person } from '../../../../test/forum/forum.ts';
import { hideContent } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { withQuery } from '../../../shared/routes.ts';
import type { SearchResults } from '../../../shared/search.ts';
import { openDatabase } from '../../database/engine.ts';
import { indexNewComment } from '../../search-index/index-comment.ts';
import { stem } from '../../search-index/stem.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import { misspellings } from './misspellings.ts';

/** `npm run test:faults` invents more words. */
const inventedWords = Number(process.env.SEARCH_INVENTED ?? 3000);
/** Maximum number of statements for one correction, with the searches before and after it. */
const mostStatements = 120;

/** A forum with two comments about croquettes that counts its statements. */
async function startForum(engine: Engine) {
  let statements = 0;
  const forum = await Forum.start(engine, {}, (config) => ({
    db: openDatabase(config, { log: () => void statements++ }),
  }));
  const person = await forum.person();
  const channelId = (await forum.channel(person))._id;
  await forum.comment(person, channelId, 'Croquetas de jamón');
  await forum.comment(person, channelId, 'Las mejores croquetas');
  const search = async (q: string, parameters = {}) => {
    statements = 0;
    const url = withQuery(apiRoutes.search, { q, ...parameters });
    const results = await forum.json<SearchResults>('GET', url);
    return { ...results, statements };
  };
  return { forum, person, channelId, search };
}

for (const engine of engines) {
  test(`a correction costs the same whatever the vocabulary is (${engine})`, async () => {
    const { forum, person, channelId, search } = await startForum(engine);
    await using _stopped = forum;
    const few = await search('croqeta jamom');
    assert.equal(few.searched, 'croquetas jamón');
    // All variants of a misspelt word, and thousands of other words.
    const invented = [
      ...misspellings('croqeta').filter((form) => stem(form) !== 'croqeta'),
      ...Array.from({ length: inventedWords }, (_, index) => `kroq${index.toString(36)}`),
    ];
    await forum.services.withTransaction('test', async (trx) => {
      for (let number = 100; invented.length > 0; number++) {
        const text = toStoredText(invented.splice(0, 500).join(' '));
        const row = { channel_id: channelId, number, account_id: person.id, text };
        const comment = { ...row, created_at_ms: 1 };
        await trx.insertInto('comments').values(comment).execute();
        await indexNewComment(trx, { channelId, number }, { text, authorId: person.id });
      }
    });
    const many = await search('croqeta jamom');
    assert.equal(many.searched, 'croquetas jamón');
    assert.ok(many.statements <= few.statements + 2, `${many.statements} statements`);
    assert.ok(many.statements < mostStatements, `${many.statements} statements`);
  });
}

describe('a correction', () => {
  let forum: Forum;
  let person: Person;
  let channelId: string;
  let search: Awaited<ReturnType<typeof startForum>>['search'];
  before(async () => {
    ({ forum, person, channelId, search } = await startForum('sqlite'));
  });
  after(() => forum?.stop());

  test('leaves words alone that are too long, too many, numbers or excluded', async () => {
    await forum.comment(person, channelId, 'Buenísimas croquetas con jamón');
    for (const q of [
      `croqueta${'s'.repeat(150)}`,
      'qroquetas hamon buenizimas',
      Array.from({ length: 40 }, (_, index) => `zzq${index}k`.slice(0, 4)).join(' '),
      '12345 qroquetas',
      'jamon -qroquetas xyzzyx',
    ]) {
      const { searched, data, statements } = await search(q);
      assert.deepEqual([searched, data], [null, []], q);
      assert.ok(statements < mostStatements, `${statements} statements`);
    }
  });

  test('is not made while there are other pages', async () => {
    const { next } = await search('croquetas', { limit: 1 });
    assert.equal((await search('qroquetaz', { after: next })).searched, null);
  });

  test('contains only letters and fits into a search, whose pages are complete', async () => {
    const invisible = '\u00ad'.repeat(246);
    const long = `biblio${invisible}teca${'x'.repeat(5000)}`;
    for (let number = 0; number < 22; number++) await forum.comment(person, channelId, long);
    assert.equal((await search('bibliotecca')).searched, null);
    await forum.comment(person, channelId, 'zapa\u202e\u200btilla');
    assert.equal((await search('zapatiya')).searched, 'zapatilla');
    const broken = `alca${invisible}chofa`;
    for (let number = 0; number < 22; number++) await forum.comment(person, channelId, broken);
    const { searched, data, next } = await search('alcachofha');
    assert.deepEqual([searched, data.length], ['alcachofa', 20]);
    assert.equal((await search(searched ?? '', { after: next })).data.length, 2);
    assert.equal(
      (await search(`${'de '.repeat(64)}croqetas`)).searched,
      null,
      'not longer than a search',
    );
  });

  test('neither reveals nor is prevented by words in hidden texts or outside the scope', async () => {
    const secret = await forum.channel(person, 'Secretos');
    const other = await forum.channel(person, 'Otro');
    await forum.comment(person, channelId, 'tenemos lavadora');
    await forum.comment(person, other._id, 'tenemos lavadoza');
    await forum.comment(person, secret._id, 'tenemos lavadola');
    await hideContent(forum, secret._id);
    const searchedIn = async (q: string, channel?: string, more = {}) => {
      const scope = { ...(channel ? { channel } : {}), ...more };
      const { searched, suggestion, data } = await search(q, scope);
      return [searched ?? suggestion, data.length];
    };
    assert.deepEqual(await searchedIn('lavadola'), ['lavadoza', 1]);
    assert.deepEqual(await searchedIn('lavadoza'), [null, 1]);
    assert.deepEqual(await searchedIn('lavadoza', channelId), ['lavadora', 1]);
    assert.deepEqual(await searchedIn('lavadoza', channelId, { exact: 1 }), ['lavadora', 0]);
    const stranger = await forum.person('Benito Gil');
    await forum.comment(stranger, other._id, 'lavadoras');
    assert.deepEqual(await searchedIn('lavadoza', undefined, { author: stranger.id }), [
      'lavadoras',
      1,
    ]);
  });

  test('leaves names alone, and replaces each misspelt word', async () => {
    const carmen = await forum.person('Carmen Ruiz');
    await forum.comment(carmen, channelId, 'Hago empanadillas');
    await forum.comment(person, channelId, 'Otras empanadillas');
    const { searched, data } = await search('carmen enpanadiyas');
    assert.deepEqual([searched, data.length], ['carmen empanadillas', 1]);
    await forum.comment(person, channelId, 'tartas de limón');
    const marta = await search('marta tartas');
    assert.deepEqual([marta.searched, marta.data], [null, []]);
  });
});
