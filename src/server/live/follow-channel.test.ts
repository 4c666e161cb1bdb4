import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { limits } from '../../shared/limits.ts';
import { listMissed } from '../comments/comment-queries.ts';
import { followChannel } from './follow-channel.ts';
import { replayLimits } from './shared-reads.ts';

onBothEngines('a live reader that is not ready for a while', (forum) => {
  async function follow() {
    const author = await forum().person();
    const { _id: id } = await forum().channel(author);
    const write = async (...texts: string[]) => {
      for (const text of texts) await forum().comment(author, id, text);
    };
    const received: (string | number)[] = [];
    const reader = { isReady: true };
    const { db, live } = forum().deps;
    const { comments: limit, bytes } = replayLimits;
    const following = followChannel(
      {
        db,
        live,
        readMissed: (channelId, afterNumber) =>
          listMissed(db, channelId, { afterNumber, limit, bytes }),
      },
      id,
      0,
      {
        isReady: () => reader.isReady,
        comment: ({ comment }) => received.push(comment.slice(0, 9)),
        missed: (newest) => received.push(newest),
        failed: (error) => assert.fail(String(error)),
      },
    );
    const resume = () => {
      reader.isReady = true;
      following.resume();
    };
    return { write, received, reader, resume, unfollow: following.unfollow };
  }

  test('receives the comments written meanwhile, each once and in order', async () => {
    const { write, received, reader, resume, unfollow } = await follow();
    await write('1');
    await eventually('the first comment arrives', async () => received.length === 1);
    reader.isReady = false;
    await write('2', '3', '4');
    assert.deepEqual(received, ['1']);
    resume();
    await write('5');
    await eventually('the other comments arrive', async () => received.length === 5);
    assert.deepEqual(received, ['1', '2', '3', '4', '5']);
    unfollow();
  });

  test('receives `missed` when more was written than is replayed, and then new comments', async () => {
    const { write, received, reader, resume, unfollow } = await follow();
    reader.isReady = false;
    const long = '😀'.repeat(limits.commentChars);
    const count = Math.ceil(replayLimits.bytes / Buffer.byteLength(long));
    await write(...Array<string>(count).fill(long));
    resume();
    await eventually('`missed` arrives', async () => received.length === 1);
    await write('nuevo');
    await eventually('the new comment arrives', async () => received.length === 2);
    assert.deepEqual(received, [count, 'nuevo']);
    unfollow();
  });
});
