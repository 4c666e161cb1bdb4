import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Forum, type Person } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { withQuery } from '../../shared/routes.ts';
import type { SearchResults } from '../../shared/search.ts';
import { openDatabase } from '../database/engine.ts';

describe('hits in a wider sense', () => {
  let forum: Forum;
  let person: Person;
  /** Parameters of the statements that load comments, which are mainly docs. */
  const loaded: unknown[] = [];
  before(async () => {
    forum = await Forum.start('postgres', {}, (config) => ({
      db: openDatabase(config, {
        log: ({ query }) => {
          if (query.sql.includes('from search_docs d')) loaded.push(...query.parameters);
        },
      }),
    }));
    person = await forum.person();
  });
  after(() => forum?.stop());

  test('hits in a wider sense are distinguished from earlier hits by the index, without reading their texts again', async () => {
    const { _id } = await forum.channel(person);
    const texts = [
      ...Array.from({ length: 3 }, (_, number) => `un baile ${number}`),
      ...Array.from({ length: 15 }, (_, number) => `bailaban ${number}`),
      'bailar aquí',
    ];
    for (const text of texts) await forum.comment(person, _id, text);
    loaded.length = 0;
    const url = withQuery(apiRoutes.search, { q: 'bailar' });
    const { data, next } = await forum.json<SearchResults>('GET', url);
    assert.deepEqual(
      data.map(({ comment }) => comment.comment),
      texts.reverse(),
    );
    assert.deepEqual([next, loaded.length], [null, texts.length]);
  });

  test('hits in a wider sense are comments: channels with the same words are not read among them', async () => {
    const { _id } = await forum.channel(person, 'Zarzuelas de antes');
    await forum.channel(person, 'Zarzuelas de ahora');
    await forum.comment(person, _id, 'Una de las zarzuelas');
    loaded.length = 0;
    const url = withQuery(apiRoutes.search, { q: 'zarzuelas', limit: 1 });
    const { data, channels } = await forum.json<SearchResults>('GET', url);
    assert.deepEqual([data.length, channels.length, loaded.length], [1, 2, 1]);
  });
});
