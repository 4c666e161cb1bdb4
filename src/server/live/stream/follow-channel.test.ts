import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { editComment } from '../../../../test/forum/edit-comment.ts';
import { limits } from '../../../shared/limits.ts';
import { followChannel } from './follow-channel.ts';
import { readMissed } from './missed-changes.ts';
import { replayLimits } from './shared-reads.ts';

onBothEngines('a live reader that is not ready for a while', (forum) => {
  async function follow(read = readMissed) {
    const author = await forum().person();
    const { _id: id } = await forum().channel(author);
    const write = async (...texts: string[]) => {
      for (const text of texts) await forum().comment(author, id, text);
    };
    const received: (string | number)[] = [];
    const reader = { isReady: true };
    const { db, live } = forum().deps;
    const following = followChannel(
      { live, readMissed: (channelId, from) => read(db, channelId, from, replayLimits) },
      id,
      { number: 0, changeNumber: 0 },
      {
        isReady: () => reader.isReady,
        comment: ({ comment }) => received.push(comment.slice(0, 9)),
        change: ({ event, data }) => {
          if (event === 'edit') received.push(`${data.number} es ${data.comment}`);
          if (event === 'gone') received.push(`${data.number} falta`);
        },
        counts: ({ removedCount }) => received.push(`faltan ${removedCount}`),
        missed: ({ number }) => received.push(number),
        failed: (error) => assert.fail(String(error)),
      },
    );
    const resume = () => {
      reader.isReady = true;
      following.resume();
    };
    const edit = (number: number, text: string) =>
      editComment(forum(), { channelId: id, number }, text);
    return { write, edit, received, reader, resume, unfollow: following.unfollow };
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

  test('receives one change for each comment changed meanwhile, before new comments', async () => {
    const { write, edit, received, reader, resume, unfollow } = await follow();
    await write('1', '2');
    await eventually('both comments arrive', async () => received.length === 2);
    reader.isReady = false;
    await edit(2, 'dos');
    await edit(1, 'uno');
    await edit(2, 'DOS');
    await write('3');
    resume();
    await eventually('all arrives', async () => received.length === 6);
    assert.deepEqual(received, ['1', '2', '1 es uno', '2 es DOS', 'faltan 0', '3']);
    unfollow();
  });

  test('receives the comments after a failed read', async () => {
    let fails = true;
    const { write, received, unfollow } = await follow(async (...args) => {
      if (!fails) return readMissed(...args);
      fails = false;
      throw new Error('the connection was lost');
    });
    await write('1', '2');
    await eventually('both comments arrive', async () => received.length === 2);
    assert.deepEqual(received, ['1', '2']);
    unfollow();
  });

  test('receives a change again with the later ones when it is not ready after it', async () => {
    const { write, edit, received, reader, resume, unfollow } = await follow();
    await write('1', '2');
    await eventually('both comments arrive', async () => received.length === 2);
    reader.isReady = false;
    await edit(1, 'uno');
    await edit(2, 'dos');
    const { push } = received;
    received.push = (...items) => {
      reader.isReady = false;
      return push.apply(received, items);
    };
    resume();
    await eventually('the first change arrives', async () => received.length === 3);
    received.push = push;
    resume();
    await eventually('all arrives', async () => received.at(-1) === 'faltan 0');
    assert.deepEqual(received.slice(2), ['1 es uno', '1 es uno', '2 es dos', 'faltan 0']);
    unfollow();
  });

  test('receives `missed` when more comments were written than are replayed, then the counts, and then new comments', async () => {
    const { write, received, reader, resume, unfollow } = await follow();
    reader.isReady = false;
    const long = '😀'.repeat(limits.commentChars);
    const count = Math.ceil(replayLimits.bytes / Buffer.byteLength(long));
    await write(...Array<string>(count).fill(long));
    resume();
    await eventually('`missed` arrives', async () => received.includes(count));
    await write('nuevo');
    await eventually('the new comment arrives', async () => received.includes('nuevo'));
    assert.deepEqual(received, [count, 'faltan 0', 'nuevo']);
    unfollow();
  });
});
