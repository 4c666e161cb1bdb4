import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { readIndexedDocs } from '../../../test/forum/index-contents.ts';
import { hideContent, showContent } from '../../../test/forum/moderators.ts';
import { operate } from '../../../test/forum/operator.ts';
import { isPostgres } from '../../../test/postgres/is-postgres.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { commentId } from '../../shared/comment-id.ts';
import { limits } from '../../shared/limits.ts';
import type { Database } from '../database/tables.ts';
import { eraseExpired } from '../operation/housekeeping/erase-expired.ts';
import { findDocs } from '../search/query/find-docs.ts';
import { parseQuery } from '../search/query/parse-query.ts';
import { toStoredText } from '../texts/stored-text.ts';
import {
  commentTokens,
  eraseIndexedComments,
  indexComment,
  indexNewComment,
} from './index-comment.ts';
import { indexOf } from './index-of.ts';
import { isIndexComplete } from './index-state.ts';

onBothEngines('the search index', (forum, wait) => {
  /** Ids of the comments with this word, newest first. */
  async function find(word: string): Promise<string[]> {
    const { db } = forum().services;
    const { docs } = await findDocs(db, { query: parseQuery(word, false), limit: 100 });
    if (docs.length === 0) return [];
    const rows = await db
      .selectFrom('search_docs')
      .innerJoin('search_channels', 'search_channels.id', 'search_docs.channel')
      .select(['channel_id', 'number'])
      .where('doc', 'in', docs)
      .orderBy('doc', 'desc')
      .execute();
    return rows.map((row) => commentId(row.channel_id, row.number));
  }
  /** Tokens of a comment, or with number 0 of the channel, in the index; undefined if it has no doc. */
  async function tokensAt(channelId: string, number: number): Promise<string[] | undefined> {
    const { db } = forum().services;
    const row = await db
      .selectFrom('search_docs')
      .innerJoin('search_channels', 'search_channels.id', 'search_docs.channel')
      .select('doc')
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .executeTakeFirst();
    return row && (await readIndexedDocs(db))[row.doc];
  }
  /** Writes three comments. The first and third show whether the second keeps its position. */
  async function threeComments(word: string) {
    const author = await forum().person();
    const channel = await forum().channel(author);
    for (const number of [1, 2, 3]) {
      await forum().comment(author, channel._id, `${word} ${number}`);
    }
    const [one, two, three] = [1, 2, 3].map((number) => commentId(channel._id, number));
    return { author, channel, one, two: two ?? '', three };
  }

  test('is complete on a new site, and has the words, the author and the channel of a comment as soon as it is acknowledged', async () => {
    const { db } = forum().services;
    assert.equal(await isIndexComplete(db), true);
    const { author, channel, one, two, three } = await threeComments('castañuela');
    assert.deepEqual(await find('castañuela'), [three, two, one]);
    await forum().comment(author, channel._id, '¡¡!!');
    for (const [number, text] of [
      [2, 'castañuela 2'],
      [4, '¡¡!!'],
    ] as const) {
      const tokens = commentTokens(channel._id, { text: toStoredText(text), authorId: author.id });
      assert.deepEqual(await tokensAt(channel._id, number), tokens.sort());
    }
  });

  test('has only the new words of an edited comment, and keeps them and its order while it is deleted or hidden', async () => {
    const { author, channel, one, two, three } = await threeComments('zarzuela');
    const { token } = author;
    const edit = (comment: string, revision: number) =>
      forum().json('PATCH', apiRoutes.channelComment(channel._id, 2), {
        token,
        headers: { 'if-match': `"${revision}"` },
        body: { comment },
      });
    await edit('bandurria', 1);
    assert.deepEqual(await find('zarzuela'), [three, one]);
    assert.deepEqual(await find('bandurria'), [two]);
    await edit('otra zarzuela', 2);
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 2), { token });
    assert.deepEqual(await find('zarzuela'), [three, two, one]);
    await forum().json('POST', apiRoutes.restoreComment(channel._id, 2), { token });
    await hideContent(forum(), two);
    assert.deepEqual(await find('zarzuela'), [three, two, one]);
  });

  test('has nothing of an erased comment', async () => {
    const { author, channel, one, two } = await threeComments('gaita');
    await operate(forum(), 'erase', two);
    const third = apiRoutes.channelComment(channel._id, 3);
    await forum().json('DELETE', third, { token: author.token });
    wait(limits.trashDays * 86_400_000 + 1000);
    await eraseExpired(forum().services);
    assert.deepEqual(await find('gaita'), [one]);
    for (const number of [2, 3]) assert.equal(await tokensAt(channel._id, number), undefined);
    assert.ok(await tokensAt(channel._id, 1));
  });

  test('has the current name of a channel, visible or not, and nothing of an erased one', async () => {
    const author = await forum().person();
    const { token } = author;
    const { _id } = await forum().channel(author, 'Tamboril');
    const has = async (word: string) => (await tokensAt(_id, 0))?.includes(word) ?? false;
    assert.equal(await has('tamboril'), true);
    await forum().json('PATCH', apiRoutes.channel(_id), {
      token,
      headers: { 'if-match': '"1"' },
      body: { name: 'Trompeta' },
    });
    assert.equal(await has('tamboril'), false);
    assert.equal(await has('trompeta'), true);

    await forum().json('DELETE', apiRoutes.channel(_id), { token });
    await forum().json('POST', apiRoutes.restoreChannel(_id), { token });
    await hideContent(forum(), _id);
    assert.equal(await has('trompeta'), true);
    await showContent(forum(), _id);

    await forum().comment(author, _id, 'clarinete');
    assert.equal((await find('clarinete')).length, 1);
    await operate(forum(), 'erase', _id);
    assert.deepEqual(await find('clarinete'), []);
    const docs = Object.values(await readIndexedDocs(forum().services.db));
    assert.ok(!docs.flat().includes('clarinete'));
    const rows = await forum()
      .services.db.selectFrom('search_channels')
      .select('id')
      .where('channel_id', '=', _id)
      .execute();
    assert.deepEqual(rows, []);
  });

  test('has nothing of transactions that were rolled back, and all of concurrent ones', async () => {
    const author = await forum().person();
    const { _id: channelId } = await forum().channel(author);
    const { withTransaction } = forum().services;
    const write = (number: number) =>
      withTransaction(`channel ${channelId}`, async (trx) => {
        await indexNewComment(
          trx,
          { channelId, number },
          { text: toStoredText('ocarina'), authorId: 'a' },
        );
        if (number % 2 === 0) throw new Error('rolled back');
      });
    await Promise.allSettled([1, 2, 3, 4, 5].map(write));
    const keys = [5, 3, 1].map((number) => commentId(channelId, number));
    assert.deepEqual((await find('ocarina')).toSorted(), keys.toSorted());
  });

  test('has the last words of a comment that is written and changed at the same moment, and nothing of an erased one', async () => {
    const author = await forum().person();
    const { _id: channelId } = await forum().channel(author);
    const { withTransaction } = forum().services;
    const text = (word: string) => ({ text: toStoredText(word), authorId: 'a' });
    const write = (number: number, change: (trx: Database) => Promise<void>) =>
      withTransaction(`channel ${channelId}`, async (trx) => {
        await indexNewComment(trx, { channelId, number }, text('timbal'));
        await change(trx);
      });
    await Promise.all([
      write(1, (trx) => indexComment(trx, { channelId, number: 1 }, text('bombo'))),
      write(3, (trx) => eraseIndexedComments(trx, channelId, [3])),
      write(4, async () => {}),
    ]);
    assert.deepEqual(await find('timbal'), [commentId(channelId, 4)]);
    assert.deepEqual(await find('bombo'), [commentId(channelId, 1)]);
    const docs = Object.values(await readIndexedDocs(forum().services.db));
    assert.equal(docs.filter((tokens) => tokens.includes('timbal')).length, 1);
  });

  test('has nothing of an erased comment whose doc is given to another one at the same moment', async () => {
    const author = await forum().person();
    const { _id: channelId } = await forum().channel(author);
    const { db, withTransaction } = forum().services;
    await forum().comment(author, channelId, 'corneta');
    const { doc, channel } = await db
      .selectFrom('search_docs')
      .select(['doc', 'channel'])
      .where('number', '=', 1)
      .orderBy('doc', 'desc')
      .executeTakeFirstOrThrow();
    const erased = withTransaction(`channel ${channelId}`, (trx) =>
      eraseIndexedComments(trx, channelId, [1]),
    );
    // SQLite runs both in one group of writes.
    if (isPostgres(db)) await erased;
    const row = { doc, channel, number: 2, tokens: ['fagot'], isNew: true as const };
    await Promise.all([
      erased,
      withTransaction('search index', (trx) => indexOf(trx).insertRows(trx, [row])),
    ]);
    assert.deepEqual((await readIndexedDocs(db))[doc], ['fagot']);
  });
});
