import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { ChannelPage } from '../../../shared/channels.ts';
import { toStoredText } from '../../database/stored-text.ts';

/** Adds 39 channels with fifty comments each, and one with two. */
async function fill({ services: { db } }: Forum, authorId: string): Promise<void> {
  const account = { account_id: authorId, created_at_ms: Date.now() };
  for (let index = 0; index < 40; index++) {
    const id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
    const count = index === 0 ? 2 : 50;
    const numbers = { comment_count: count, last_comment_number: count };
    const texts = { name: 'Cine', description: 'De barrio', cover: '', cover_alt: '' };
    await db
      .insertInto('channels')
      .values({ id, ...account, ...texts, ...numbers })
      .execute();
    const comments = Array.from({ length: count }, (_, at) => {
      return { channel_id: id, number: at + 1, text: toStoredText('Hola'), ...account };
    });
    await db.insertInto('comments').values(comments).execute();
  }
}

for (const engine of engines) {
  test(`each channel of a list has 500 comments divided by the channels of the list (${engine})`, async () => {
    await using forum = await Forum.start(engine);
    await fill(forum, (await forum.person()).id);
    const countsOf = async (query: string) => {
      const { data } = await forum.json<ChannelPage>('GET', apiRoutes.channels + query);
      for (const { comments } of data) {
        const inOrder = comments.map((_, index) => index + 1);
        assert.deepEqual(
          comments.map(({ number }) => number),
          inOrder,
        );
      }
      return data.map(({ comments }) => comments.length);
    };
    // 500 comments divided by 40 channels.
    const few = [...Array(39).fill(12), 2];
    for (const query of ['', '?limit=100', '?comments=100', '?limit=100&comments=13']) {
      assert.deepEqual(await countsOf(query), few, query);
    }
    assert.deepEqual(await countsOf('?limit=2'), [50, 50]);
    assert.deepEqual(await countsOf('?limit=11'), Array(11).fill(45));
    assert.deepEqual(await countsOf('?comments=1'), Array(40).fill(1));
  });
}
