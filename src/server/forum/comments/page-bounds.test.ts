import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { insertComments } from '../../../../test/forum/insert-comments.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import type { PersonComment } from '../../../shared/people.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import { listFirstComments } from './comment-pages.ts';

const mostBytes = 1_300_000;
/** The longest possible texts, in UTF-8 and in escaped JSON. */
const texts = ['🦖'.repeat(limits.commentChars), '"\\\n'.repeat(limits.commentChars / 3)];

onEngine('sqlite', 'the bytes of a page', (forum) => {
  let author: Person;
  let long: string;
  /** Creates a channel with a hundred comments, all but the first of which reply to it, and four with three each. */
  before(async () => {
    author = await forum().person();
    for (const count of [100, 3, 3, 3, 3]) {
      const { _id } = await forum().channel(author);
      if (count === 100) long = _id;
      await insertComments(forum(), _id, author.id, count, (number) => ({
        text: toStoredText(texts[number % 2] ?? ''),
        reply_to: count === 100 && number > 1 ? 1 : null,
      }));
    }
  });

  test('embeds at most 1 MB of text in a response, the same number of comments for each channel, and counts all of them', async () => {
    const list = await forum().json<ChannelPage>('GET', apiRoutes.channels);
    const one = await forum().json<Channel>('GET', apiRoutes.channel(long));
    for (const channels of [list.data, [one]]) {
      const comments = channels.flatMap((channel) => channel.comments);
      const bytes = comments.reduce((sum, { comment }) => sum + Buffer.byteLength(comment), 0);
      assert.ok(bytes <= limits.listTextBytes && bytes > 0.5 * limits.listTextBytes, `${bytes}`);
      for (const { _id, commentCount, comments } of channels) {
        assert.equal(commentCount, _id === long ? 100 : 3);
        assert.deepEqual(
          comments.map(({ id }) => id),
          comments.map((_, index) => commentId(_id, index + 1)),
        );
      }
    }
    const counts = [...list.data, one].map(({ comments }) => comments.length);
    assert.deepEqual(counts, [31, 3, 3, 3, 3, 40]);
  });

  test('keeps a page of comments below 1.3 MB, and gives the rest in the next pages', async () => {
    for (const [url, total] of [
      [apiRoutes.channelComments(long), 100],
      [apiRoutes.replies(long, 1), 99],
      [apiRoutes.userComments(author.id), 112],
    ] as const) {
      const found = new Set<string>();
      for (let next: string | null = ''; next !== null; ) {
        const response = await forum().call('GET', url + (next && `?after=${next}`));
        const text = await response.text();
        const page = JSON.parse(text) as { data: (Comment | PersonComment)[]; next: string | null };
        const bytes = Buffer.byteLength(text);
        assert.ok(
          bytes < mostBytes && (page.next === null || bytes > 0.85 * mostBytes),
          `${bytes}`,
        );
        for (const item of page.data) found.add('channel' in item ? item.comment.id : item.id);
        next = page.next;
      }
      assert.equal(found.size, total, url);
    }
  });

  test('keeps a page around a comment below 1.3 MB, with that comment and ten before it', async () => {
    const url = `${apiRoutes.channelComments(long)}?around=57`;
    const text = await (await forum().call('GET', url)).text();
    const bytes = Buffer.byteLength(text);
    assert.ok(bytes < mostBytes && bytes > 0.8 * mostBytes, `${bytes} bytes`);
    const numbers = (JSON.parse(text) as { data: Comment[] }).data.map(({ number }) => number);
    const [first = 0] = numbers;
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => first + index),
    );
    assert.ok(numbers.includes(57) && numbers.includes(47), numbers.join());
  });

  test('gives a channel no comment that was written after the channel was read', async () => {
    const person = await forum().person();
    const ids = [await forum().channel(person), await forum().channel(person)].map(
      ({ _id }) => _id,
    );
    for (const id of ids)
      for (const text of ['uno', 'dos', 'tres']) await forum().comment(person, id, text);
    const channels = ids.map((id) => ({ id, last_comment_number: 2 }));
    const found = await listFirstComments(forum().services.db, channels, 100);
    for (const id of ids)
      assert.deepEqual(
        found.get(id)?.map(({ comment }) => comment),
        ['uno', 'dos'],
      );
  });
});
