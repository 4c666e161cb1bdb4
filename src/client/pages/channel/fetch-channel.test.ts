import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { channelWith, commentsNo } from '../../../../test/client/state-examples.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import { fetchChannel } from './fetch-channel.ts';

/** Serves a channel with these comments. @returns the cursors and limits of the requested pages */
function serve(t: TestContext, comments: Comment[]): string[] {
  const asked: string[] = [];
  t.mock.method(globalThis, 'fetch', async (input: string) => {
    const { searchParams } = new URL(input, 'http://localhost');
    const after = searchParams.get('after');
    const limit = Number(searchParams.get('limit'));
    if (after === null) {
      return Response.json(channelWith('c1', comments.length));
    }
    asked.push(`${after} ${limit}`);
    const number = Number(after.split('-')[1]);
    const data = comments.filter((comment) => comment.number > number).slice(0, limit);
    const next = data.at(-1) === comments.at(-1) ? null : data.at(-1)?.id;
    return Response.json({ data, next, previous: data[0]?.id });
  });
  return asked;
}

test('fetches all pages of a range up to a number, and no comment beyond it', async (t) => {
  const asked = serve(t, [...commentsNo(102, 109), ...commentsNo(111, 800)]);
  const loaded = await fetchChannel('c1', { range: { after: commentId('c1', 100) }, end: 290 });
  assert.deepEqual(asked, ['c1-100 100', 'c1-202 100']);
  const { channel, moreBefore, moreAfter } = loaded;
  assert.deepEqual([channel.comments[0]?.number, channel.comments.at(-1)?.number], [102, 290]);
  assert.deepEqual([moreBefore, moreAfter], ['c1-102', 'c1-290']);
});

test('requests no further page when a page ends with the last comment of the range', async (t) => {
  const asked = serve(t, commentsNo(1, 120));
  const range = { after: commentId('c1', 0) };
  const { channel, moreAfter } = await fetchChannel('c1', { range, end: 100 });
  assert.deepEqual(asked, ['c1-0 100']);
  assert.deepEqual([channel.comments.length, moreAfter], [100, 'c1-100']);
});

test('a range whose last comments were removed ends with the remaining ones', async (t) => {
  serve(t, commentsNo(1, 120));
  const loaded = await fetchChannel('c1', { range: { after: commentId('c1', 0) }, end: 130 });
  assert.deepEqual([loaded.channel.comments.length, loaded.moreAfter], [120, null]);
});
