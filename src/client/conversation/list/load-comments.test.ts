import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  channelWith,
  commentNo,
  commentsNo,
  homeStore,
} from '../../../../test/client/state-examples.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import { loadUpTo } from './load-comments.ts';

/** A page that shows the five comments of a channel. @param answer the server's response to each request */
function openPage(t: TestContext, answer: () => Response) {
  const asked: (string | null)[] = [];
  // A mock of a mock would not be restored.
  t.mock.restoreAll();
  t.mock.method(globalThis, 'fetch', async (input: string) => {
    asked.push(new URL(input, 'http://localhost').searchParams.get('after'));
    return answer();
  });
  const store = homeStore();
  store.dispatch({
    type: 'CHANNEL_LOADED',
    channel: channelWith('c1', 5, { comments: commentsNo(1, 5) }),
    moreBefore: null,
    moreAfter: null,
  });
  const shown = () => {
    const channel = store.getState().channels.get('c1');
    return { numbers: channel?.comments.map(({ number }) => number), more: channel?.moreAfter };
  };
  return { asked, store, shown };
}

const page =
  (data: Comment[], next: string | null = null) =>
  () =>
    Response.json({ data, next, previous: null });

test('comments by others before the own new one are loaded', async (t) => {
  const { asked, store, shown } = openPage(t, page(commentsNo(6, 9)));
  await loadUpTo(commentNo(10), store);
  assert.deepEqual(asked, [commentId('c1', 5)]);
  assert.deepEqual(shown(), { numbers: [1, 2, 3, 4, 5, 6, 7, 8, 9], more: null });
});

test('nothing is requested when no comment is missing', async (t) => {
  const { asked, store } = openPage(t, page([]));
  await loadUpTo(commentNo(6), store);
  assert.deepEqual(asked, []);
});

test('comments in between that were all removed leave nothing to be loaded', async (t) => {
  const { store, shown } = openPage(t, page([]));
  await loadUpTo(commentNo(10), store);
  assert.equal(shown().more, null);
});

test('if there are too many, or the server cannot be reached, the own comment is loaded later with them', async (t) => {
  const tooMany = openPage(t, page(commentsNo(6, 55), commentId('c1', 55)));
  await loadUpTo(commentNo(90), tooMany.store);
  assert.equal(tooMany.shown().more, commentId('c1', 55));

  const unreachable = openPage(t, () => {
    throw new TypeError('no connection');
  });
  await loadUpTo(commentNo(10), unreachable.store);
  assert.deepEqual(unreachable.shown(), { numbers: [1, 2, 3, 4, 5], more: commentId('c1', 5) });
});
