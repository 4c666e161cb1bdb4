import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines, Forum, type Person } from '../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import {
  complaintsOfSqlite,
  openWatchedDatabase,
  rowsReadByPostgres,
} from '../../../../test/forum/query-plans.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import type { CommentPage } from '../../../shared/comments.ts';
import { completeComments } from './comment-details.ts';
import { selectAfter } from './comment-pages.ts';

for (const engine of engines) {
  describe(`data of comments from other tables (${engine})`, () => {
    let forum: Forum;
    let asked: string[];
    let watched: ReturnType<typeof openWatchedDatabase>;
    let ana: Person;
    before(async () => {
      forum = await Forum.start(engine, {}, (config) => {
        watched = openWatchedDatabase(config);
        asked = [];
        const remember = watched.asked.set.bind(watched.asked);
        watched.asked.set = (sql, query) => {
          asked.push(sql);
          return remember(sql, query);
        };
        return { db: watched.db };
      });
      ana = await forum.person('Ana');
    });
    after(() => forum?.stop());

    const page = (id: string) => forum.json<CommentPage>('GET', apiRoutes.channelComments(id));

    /** Creates accounts, each of which gives thanks for comment 1 of the channel. */
    async function giveThanks(id: string, count: number): Promise<void> {
      const { db } = forum.services;
      for (let start = 0; start < count; start += 1000) {
        const rows = Array.from({ length: Math.min(1000, count - start) }, (_, i) => start + i);
        const accounts = rows.map((index) => ({
          id: `${id}-${index}`,
          name: `Vecina ${index}`,
          email: `${id}-${index}`,
          email_key: `${id}-${index}`,
          password_hash: '',
          created_at_ms: 1,
        }));
        await db.insertInto('accounts').values(accounts).execute();
        const thanks = rows.map((index) => ({
          channel_id: id,
          number: 1,
          account_id: `${id}-${index}`,
          // The last three have the same time.
          created_at_ms: Math.min(index, count - 3),
        }));
        await db.insertInto('comment_thanks').values(thanks).execute();
      }
    }

    test('needs no further query for comments without such data', async () => {
      const { _id } = await forum.channel(ana);
      for (const text of ['Uno', 'Dos']) await forum.comment(ana, _id, text);
      const rows = await selectAfter(forum.services.db, _id, 0, 100).execute();
      asked.length = 0;
      assert.equal((await completeComments(forum.services.db, rows)).length, 2);
      assert.deepEqual(asked, []);
    });

    test('needs at most five further queries for a hundred comments with such data', async () => {
      const { _id } = await forum.channel(ana);
      await forum.comment(ana, _id, 'La primera');
      for (let number = 2; number <= 100; number++) {
        await forum.comment(ana, _id, `@Ana ${number}`, {
          replyTo: number - 1,
          replyExcerpt: number === 2 ? 'primera' : `${number - 1}`,
          mentions: [{ start: 0, length: 4, accountId: ana.id }],
        });
      }
      const { db } = forum.services;
      const images = { channel_id: _id, position: 0, url: '/files/images/a.png', alt: '' };
      await db
        .insertInto('comment_images')
        .values({ ...images, number: 7 })
        .execute();
      await db
        .updateTable('comments')
        .set({ image_count: 1, revision: 2 })
        .where('channel_id', '=', _id)
        .execute();
      await giveThanks(_id, 1);
      const rows = await selectAfter(db, _id, 0, 100).execute();
      asked.length = 0;
      const comments = await completeComments(db, rows);
      assert.equal(asked.length, 5, asked.join('\n'));
      assert.ok(comments.slice(1).every(({ replyExcerpt }) => replyExcerpt !== ''));
      assert.ok(comments.slice(1).every(({ mentions }) => mentions[0]?.name === 'Ana'));
      assert.deepEqual(comments[6]?.images, [{ url: images.url, alt: '' }]);
      assert.deepEqual(comments[0]?.thanks, { count: 1, names: ['Vecina 0'] });
    });

    test('reads the names of the last five of 2,000 thanks, and few rows for them', async () => {
      const { _id } = await forum.channel(ana);
      await forum.comment(ana, _id, 'Útil');
      await giveThanks(_id, 2000);
      watched.asked.clear();
      const [comment] = (await page(_id)).data;
      const names = [1999, 1998, 1997, 1996, 1995].map((index) => `Vecina ${index}`);
      assert.deepEqual(comment?.thanks, { count: 2000, names });
      const query = [...watched.asked.values()].find(({ sql }) => /as "name0"/.test(sql));
      assert.ok(query);
      if (engine === 'sqlite') {
        assert.deepEqual(await complaintsOfSqlite(forum.services.db, query), []);
      } else {
        const rows = await rowsReadByPostgres(forum.services.db, query);
        assert.ok((rows.comment_thanks ?? 0) <= 15, `${rows.comment_thanks} rows`);
      }
    });

    test('channels, lists of channels, pages and live events show the same comments', async () => {
      const { _id } = await forum.channel(ana, 'Igual');
      const reader = await LiveReader.open(forum, _id, 0);
      await forum.comment(ana, _id, 'Hola @Ana', {
        mentions: [{ start: 5, length: 4, accountId: ana.id }],
      });
      const reply = await forum.comment(ana, _id, 'Sí', { replyTo: 1, replyExcerpt: 'Hola' });
      const { data } = await page(_id);
      assert.deepEqual(data[1], reply);
      assert.equal(data[0]?.mentions.length, 1);
      const channel = await forum.json<Channel>('GET', apiRoutes.channel(_id));
      assert.deepEqual(channel.comments, data);
      const channels = await forum.json<ChannelPage>('GET', apiRoutes.channels);
      assert.deepEqual(channels.data.find((one) => one._id === _id)?.comments, data);
      const fresh = await LiveReader.open(forum, _id, 0);
      const replayed = [await fresh.nextComment(), await fresh.nextComment()];
      assert.deepEqual(replayed, data);
      assert.deepEqual((await reader.nextComment()).mentions, data[0]?.mentions);
      assert.deepEqual(await reader.nextComment(), reply);
      reader.close();
      fresh.close();
    });
  });
}
