import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { channelWith, commentsNo } from '../../../../test/client/state-examples.ts';
import type { Comment } from '../../../shared/comments.ts';
import { fetchNumbers } from './fetch-channel.ts';

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

test('fetches all pages up to a number, and no comment beyond it', async (t) => {
  const asked = serve(t, [...commentsNo(102, 109), ...commentsNo(111, 800)]);
  const { channel, isEnd } = await fetchNumbers('c1', 100, 290);
  assert.deepEqual(asked, ['c1-100 100', 'c1-202 100']);
  assert.deepEqual([channel.comments[0]?.number, channel.comments.at(-1)?.number], [102, 290]);
  assert.equal(isEnd, false);
});

test('requests no further page when a page ends with the last number', async (t) => {
  const asked = serve(t, commentsNo(1, 120));
  const { channel, isEnd } = await fetchNumbers('c1', 0, 100);
  assert.deepEqual(asked, ['c1-0 100']);
  assert.deepEqual([channel.comments.length, isEnd], [100, false]);
});

test('the end is reached with the last comment, also before the last number', async (t) => {
  serve(t, commentsNo(1, 120));
  const { channel, isEnd } = await fetchNumbers('c1', 0, 130);
  assert.deepEqual([channel.comments.length, isEnd], [120, true]);
});
