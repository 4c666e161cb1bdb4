import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { insertComments } from '../../../../test/forum/insert-comments.ts';
import { listChannels, listComments } from './list-content.ts';

test('channels and comments are listed in pages, without e-mail addresses', async () => {
  await using forum = await Forum.start('sqlite');
  const author = await forum.person();
  const { _id: channelId, name } = await forum.channel(author, 'El último Ñu');
  const { db } = forum.services;
  const row = await db
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 501 }, (_, i) => ({
    ...row,
    id: `${channelId}-${i}`,
    name: 'x',
  }));
  await db.insertInto('channels').values(rows).execute();
  const first = await listChannels({ db }, { search: 'ultimo nu' });
  assert.deepEqual(first.data, []);
  const second = await listChannels({ db }, { search: 'ultimo nu', after: first.next ?? '' });
  assert.deepEqual(
    second.data.map((channel) => [channel.name, channel.author, channel.account_id]),
    [[name, author.name, author.id]],
  );
  await insertComments(forum, channelId, author.id, 51);
  const newest = await listComments({ db }, channelId);
  assert.deepEqual([newest.length, newest[0]?.number, newest.at(-1)?.number], [50, 2, 51]);
  assert.ok(!JSON.stringify([second, newest]).includes(author.email));
});
