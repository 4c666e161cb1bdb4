import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { insertComments } from '../../../../test/forum/insert-comments.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import type { CommentPage } from '../../../shared/comments.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import { completeComments } from './comment-details.ts';
import { selectAfter } from './comment-pages.ts';

onEngine('sqlite', 'data of comments from other tables', (forum) => {
  const mentioning = ({ id }: Person, start: number) => ({
    mentions: [{ start, length: 4, accountId: id }],
  });

  test('needs at most four further queries for a hundred comments, and none for comments without such data', async () => {
    const ana = await forum().person('Ana');
    const { _id } = await forum().channel(ana);
    const { db } = forum().services;
    let queries = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        queries++;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const complete = async () =>
      completeComments(counted, await selectAfter(db, _id, 0, 100).execute());
    await forum().comment(ana, _id, 'La primera');
    assert.equal((await complete()).length, 1);
    assert.equal(queries, 0);

    await insertComments(forum(), _id, ana.id, 99, (number) => ({
      text: toStoredText(`@Ana ${number}`, mentioning(ana, 0).mentions),
      reply_to: number - 1,
    }));
    const image = { url: '/files/images/a.png', alt: '' };
    await db
      .insertInto('comment_images')
      .values({ channel_id: _id, number: 7, position: 0, ...image })
      .execute();
    await db
      .updateTable('comments')
      .set({ image_count: 1 })
      .where('channel_id', '=', _id)
      .execute();
    const eva = await forum().person('Eva');
    await forum().json('PUT', apiRoutes.thanks(_id, 1), eva);
    const comments = await complete();
    assert.equal(queries, 4);
    assert.ok(comments.slice(2).every((one) => one.replyExcerpt === `@Ana ${one.number - 1}`));
    assert.ok(comments.slice(1).every(({ mentions }) => mentions[0]?.name === 'Ana'));
    assert.deepEqual(comments[6]?.images, [image]);
    assert.deepEqual(comments[0]?.thanks, { count: 1, names: ['Eva'] });
  });

  test('channels, lists of channels, pages and live events show the same comments', async () => {
    const ana = await forum().person('Ana');
    const { _id } = await forum().channel(ana, 'Igual');
    const reader = await LiveReader.open(forum(), _id, 0);
    await forum().comment(ana, _id, 'Hola @Ana', mentioning(ana, 5));
    const reply = await forum().comment(ana, _id, 'Sí', { replyTo: 1 });
    const url = apiRoutes.channelComments(_id);
    const { data } = await forum().json<CommentPage>('GET', url);
    assert.deepEqual(data[1], reply);
    assert.equal(data[0]?.mentions.length, 1);
    const channel = await forum().json<Channel>('GET', apiRoutes.channel(_id));
    assert.deepEqual(channel.comments, data);
    const channels = await forum().json<ChannelPage>('GET', apiRoutes.channels);
    assert.deepEqual(channels.data.find((one) => one._id === _id)?.comments, data);
    const fresh = await LiveReader.open(forum(), _id, 0);
    assert.deepEqual([await fresh.nextComment(), await fresh.nextComment()], data);
    // The first comment had no replies when it was announced.
    const announced = { ...data[0], replyCount: 0 };
    assert.deepEqual([await reader.nextComment(), await reader.nextComment()], [announced, reply]);
    reader.close();
    fresh.close();
  });
});
