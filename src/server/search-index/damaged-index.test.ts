import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { readIndex } from '../../../test/forum/index-contents.ts';
import { hideContent, showContent } from '../../../test/forum/moderators.ts';
import { operate } from '../../../test/forum/operator.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { SearchResults } from '../../shared/search.ts';
import { sqliteFile } from '../system/settings/data-dir.ts';
import { buildIndex } from './build-index.ts';
import { isIndexComplete } from './index-state.ts';

const never = new AbortController().signal;

describe('a damaged search index on SQLite', () => {
  let forum: Forum;
  let author: Person;
  let channel: Channel;
  before(async () => {
    forum = await Forum.start('sqlite');
    author = await forum.person();
    channel = await forum.channel(author, 'Cine');
    for (let number = 1; number <= 30; number++) await post(`canción número ${number}`);
  });
  after(() => forum?.stop());

  const post = (text: string) => forum.comment(author, channel._id, text);
  const search = (q: string) => forum.call('GET', `${apiRoutes.search}?q=${q}`);

  /** Changes tables that SQLite protects unless its `defensive` mode is off. */
  function damage(statement: string): void {
    const file = new DatabaseSync(sqliteFile(forum.services.config.dataDir), { defensive: false });
    file.exec(statement);
    file.close();
  }

  /** Asserts that a rebuild is due, and that its index equals that of a rebuild requested by an operator. */
  async function expectRebuilt(): Promise<void> {
    assert.equal(await isIndexComplete(forum.services.db), false);
    await buildIndex(forum.services, never);
    const index = await readIndex(forum);
    await operate(forum, 'reindex');
    await buildIndex(forum.services, never);
    assert.deepEqual(await readIndex(forum), index);
  }

  test('does not stop writes, and is rebuilt', async () => {
    const edited = await post('antes');
    damage("update search_docs_fts_data set block = x'00' where id = 10");
    await Promise.all([1, 2, 3].map((n) => post(`durante ${n}`)));
    await forum.edit(author, channel._id, edited.number, 'después');
    await hideContent(forum, commentId(channel._id, 3));
    await showContent(forum, commentId(channel._id, 3));
    await expectRebuilt();
    const { data } = (await (await search('durante')).json()) as SearchResults;
    assert.equal(data.length, 3);
  });

  for (const statement of [
    'delete from search_docs_fts_data',
    "update search_docs_fts_data set block = x'00ff00ff' where id > 10",
    'drop table search_docs_fts',
  ]) {
    test(`makes a search respond 503 with Retry-After, and is rebuilt: ${statement}`, async () => {
      damage(statement);
      const response = await search('canción');
      assert.ok(response.headers.get('retry-after'));
      await expectProblem(response, 503, 'unavailable');
      await expectRebuilt();
      const { data } = (await (await search('canción')).json()) as SearchResults;
      assert.notEqual(data.length, 0);
    });
  }
});
