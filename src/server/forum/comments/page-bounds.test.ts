import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operate } from '../../../../test/forum/operator.ts';
import { twoForums, type Visit } from '../../../../test/forum/two-forums.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment, CommentPage } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { toStoredText } from '../../database/stored-text.ts';
import { listFirstComments } from './comment-pages.ts';

const onBoth = twoForums();
const mostBytes = 1_300_000;
/** The longest possible texts, in UTF-8 and in escaped JSON. */
const texts = ['🦖'.repeat(limits.commentChars), '"\\\n'.repeat(limits.commentChars / 3)];

/** Creates a channel with a hundred comments, and 99 channels with three each. @returns the id of the first */
async function fill({ forum, person }: Visit): Promise<string> {
  const { db } = forum.services;
  const account = { account_id: person.id, created_at_ms: Date.now() };
  for (let index = 0; index < 100; index++) {
    const count = index === 0 ? 100 : 3;
    const numbers = { comment_count: count, last_comment_number: count };
    const row = { ...account, name: 'Cine', description: 'De barrio', cover: '', cover_alt: '' };
    const id = channelId(index);
    await db
      .insertInto('channels')
      .values({ id, ...row, ...numbers })
      .execute();
    const text = toStoredText(texts[index % texts.length] ?? '');
    for (let number = 1; number <= count; number++) {
      const comment = { channel_id: id, number, text, ...account };
      await db.insertInto('comments').values(comment).execute();
    }
  }
  return channelId(0);
}

const channelId = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;

async function read<T>({ forum }: Visit, url: string): Promise<{ bytes: number; value: T }> {
  const response = await forum.call('GET', url);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return { bytes: Buffer.byteLength(text), value: JSON.parse(text) as T };
}

const filled = new WeakMap<Visit['forum'], Promise<string>>();

/** Id of the channel with a hundred comments. */
function longChannel(visit: Visit): Promise<string> {
  const id = filled.get(visit.forum) ?? fill(visit);
  filled.set(visit.forum, id);
  return id;
}

const textBytes = ({ comment }: Comment) => Buffer.byteLength(comment);

test('embeds at most 1 MB of text in an answer, equally many comments in each channel, and counts all', async () => {
  const counts = await onBoth(async (visit) => {
    const id = await longChannel(visit);
    const { value: list } = await read<ChannelPage>(visit, `${apiRoutes.channels}?limit=5`);
    const { value: one } = await read<Channel>(visit, apiRoutes.channel(id));
    for (const channels of [list.data, [one]]) {
      const comments = channels.flatMap((channel) => channel.comments);
      const bytes = comments.reduce((sum, comment) => sum + textBytes(comment), 0);
      assert.ok(bytes <= limits.listTextBytes && bytes > 0.5 * limits.listTextBytes, `${bytes}`);
      for (const { _id, commentCount, comments } of channels) {
        assert.equal(commentCount, _id === id ? 100 : 3);
        const expected = comments.map((_, index) => commentId(_id, index + 1));
        assert.deepEqual(
          comments.map((comment) => comment.id),
          expected,
        );
      }
    }
    return [...list.data, one].map(({ comments }) => comments.length);
  });
  assert.deepEqual(counts, [17, 3, 3, 3, 3, 25]);
});

test('keeps a page of comments below 1.3 MB and gives the rest in the next pages', async () => {
  await onBoth(async (visit) => {
    const url = apiRoutes.channelComments(await longChannel(visit));
    const { bytes, value } = await read<CommentPage>(visit, url);
    assert.ok(bytes < mostBytes && bytes > 0.9 * mostBytes, `${bytes} bytes`);
    assert.equal(value.next, value.data.at(-1)?.id);
    assert.equal((await visit.forum.allComments(await longChannel(visit))).length, 100);
    return value.data.length;
  });
});

test('keeps a page around a comment below 1.3 MB, with that comment and ten before it', async () => {
  await onBoth(async (visit) => {
    const url = `${apiRoutes.channelComments(await longChannel(visit))}?around=57`;
    const { bytes, value } = await read<CommentPage>(visit, url);
    assert.ok(bytes < mostBytes && bytes > 0.8 * mostBytes, `${bytes} bytes`);
    const numbers = value.data.map(({ number }) => number);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => (numbers[0] ?? 0) + index),
    );
    assert.ok(numbers.includes(57) && numbers.includes(47), numbers.join());
    return numbers;
  });
});

test('leaves out a hidden comment', async () => {
  await onBoth(async (visit) => {
    const id = await longChannel(visit);
    await operate(visit.forum, 'hide', commentId(id, 2));
    const { value } = await read<Channel>(visit, apiRoutes.channel(id));
    assert.deepEqual([value.commentCount, value.removedCount], [99, 1]);
    assert.deepEqual(
      value.comments.slice(0, 2).map((comment) => comment.id),
      [commentId(id, 1), commentId(id, 3)],
    );
    return value.comments.length;
  });
});

test('gives a channel no comment that was written after the channel was read', async () => {
  await onBoth(async ({ forum, person }) => {
    const [whole, withGap] = [await forum.channel(person), await forum.channel(person)];
    for (const { _id } of [whole, withGap]) {
      for (const text of ['uno', 'dos', 'tres']) await forum.comment(person, _id, text);
    }
    const channels = [
      { id: whole._id, last_comment_number: 2 },
      { id: withGap._id, last_comment_number: 2 },
    ];
    const found = await listFirstComments(forum.services.db, channels, 100);
    const texts = channels.map(({ id }) => found.get(id)?.map(({ comment }) => comment));
    assert.deepEqual(texts, Array(2).fill(['uno', 'dos']));
    return texts;
  });
});
