import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import type { Person } from '../../../test/forum/forum.ts';
import { decided, staff, undone } from '../../../test/forum/moderators.ts';
import { pendingPosts } from '../../../test/forum/pending-posts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { News } from '../../shared/people.ts';

onBothEngines('the news of an account', (forum) => {
  const posts = pendingPosts(forum);
  const read = async ({ token }: Person) => {
    const news = await forum().json<News>('GET', apiRoutes.news, { token });
    return [news.reviewsNext, news.hasPending, news.hasHidden];
  };

  test('say whether something of it is pending, and whether something of it is hidden', async () => {
    const eva = await forum().person('Eva');
    const { _id } = posts.channel;
    assert.deepEqual(await read(eva), [true, false, false]);
    const post = await posts.pending(await posts.put(eva, 'Hola'));
    assert.deepEqual(await read(eva), [true, true, false]);
    await posts.withdraw(eva, post);
    assert.deepEqual(await read(eva), [true, false, false]);

    assert.deepEqual(await read(posts.host), [false, false, false]);
    const moderator = await staff(forum());
    const subject = { kind: 'comment', id: commentId(_id, 1) } as const;
    const hide = await decided(forum(), moderator, { subject, action: 'hide' });
    assert.deepEqual((await read(posts.host)).at(-1), true);
    await undone(forum(), moderator, hide);
    assert.deepEqual((await read(posts.host)).at(-1), false);
  });
});
