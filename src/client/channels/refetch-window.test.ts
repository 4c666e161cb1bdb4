import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelWith, commentsNo } from '../../../test/client/state-examples.ts';
import { commentId } from '../../shared/comment-id.ts';
import { refetchWindow } from './refetch-window.ts';

test('refetches all pages of the comments that a channel shows, and none beyond them', async (t) => {
  const now = [...commentsNo(102, 109), ...commentsNo(111, 400)];
  const asked: string[] = [];
  t.mock.method(globalThis, 'fetch', async (input: string) => {
    const url = new URL(input, 'http://localhost');
    const after = url.searchParams.get('after');
    if (after === null) return Response.json(channelWith('c1', 298, { changeNumber: 9 }));
    asked.push(after);
    const number = Number(after.split('-')[1]);
    const data = now.filter((comment) => comment.number > number).slice(0, 50);
    return Response.json({ data, next: data.at(-1)?.id, previous: data[0]?.id });
  });
  const shown = channelWith('c1', 300, { comments: commentsNo(101, 190) });
  const loaded = await refetchWindow({
    ...shown,
    moreBefore: commentId('c1', 101),
    moreAfter: commentId('c1', 190),
    place: { around: 110 },
    otherWindows: [],
  });
  assert.ok('type' in loaded);
  assert.deepEqual(asked, ['c1-100', 'c1-152']);
  const { channel, moreBefore, moreAfter, place } = loaded;
  assert.deepEqual([channel.comments[0]?.number, channel.comments.at(-1)?.number], [102, 202]);
  assert.deepEqual([moreBefore, moreAfter, place], ['c1-102', 'c1-202', { around: 110 }]);
  assert.equal(channel.changeNumber, 9);
});
