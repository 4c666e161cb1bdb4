import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelWith, commentsNo } from '../../../test/client/state-examples.ts';
import { commentId } from '../../shared/comment-id.ts';
import { initialState } from '../state/state.ts';
import { createStore } from '../state/store.ts';
import { prefetchChannel } from './fetch-channel.ts';

test('a prefetched channel does not replace a later page opened meanwhile', async (t) => {
  const channels = [channelWith('c1', 200)];
  const home = initialState('/', {
    page: 'home',
    channels,
    order: 'comments',
    next: null,
    isFirstPage: true,
  });
  const store = createStore(home, { socialLinks: [], maxImageMb: 1 });
  const { promise, resolve } = Promise.withResolvers<Response>();
  t.mock.method(globalThis, 'fetch', () => promise);
  const prefetched = prefetchChannel('c1', store);
  store.dispatch({
    type: 'CHANNEL_LOADED',
    channel: channelWith('c1', 200, { comments: commentsNo(101, 150) }),
    moreAfter: commentId('c1', 150),
    moreBefore: commentId('c1', 101),
    range: { after: commentId('c1', 100) },
  });
  const opened = store.getState();
  resolve(Response.json(channelWith('c1', 200, { comments: commentsNo(1, 50) })));
  await prefetched;
  assert.equal(store.getState(), opened);
});
