import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeValues } from '../../../test/change-values.ts';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { editComment } from '../../../test/forum/edit-comment.ts';
import { LiveReader } from '../../../test/forum/live-reader.ts';
import { operate } from '../../../test/forum/operator.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { LiveCounts, LiveMissed } from '../../shared/live.ts';
import { changeInterval } from './bus/live-bus.ts';
import { replayLimits } from './stream/shared-reads.ts';

// live-bus.test.ts tests the real interval.
changeValues(changeInterval, { ms: 20 });

onBothEngines('live changes of comments', (forum) => {
  async function filled(...texts: string[]) {
    const author = await forum().person();
    const { _id: id } = await forum().channel(author);
    const comments: Comment[] = [];
    for (const text of texts) comments.push(await forum().comment(author, id, text));
    const at = (index: number) => comments[index] ?? assert.fail();
    return { author, id, at };
  }

  async function read<Data>(reader: LiveReader, event: string): Promise<Data> {
    const next = await reader.next();
    assert.equal(next.event, event);
    return JSON.parse(next.data ?? '') as Data;
  }

  /** Reads the texts of all edits before the next counts. */
  async function readEdits(reader: LiveReader): Promise<string[]> {
    const texts: string[] = [];
    for (;;) {
      const { event, data = '' } = await reader.next();
      if (event === 'counts') return texts;
      assert.equal(event, 'edit');
      texts.push((JSON.parse(data) as Comment).comment);
    }
  }

  test('an edit reaches the readers of its channel as the complete comment', async () => {
    const { id, at } = await filled('uno', 'dos');
    const reader = await LiveReader.open(forum(), id);
    await editComment(forum(), at(0), 'corregido');
    const expected = { ...at(0), comment: 'corregido', revision: 2 };
    assert.deepEqual(await read<Comment>(reader, 'edit'), expected);
    assert.deepEqual(await read<LiveCounts>(reader, 'counts'), {
      removedCount: 0,
      newestNumber: 2,
      changeNumber: 1,
    });
    reader.close();
  });

  test('a comment hidden by a moderator disappears from open pages, and returns as an edit', async () => {
    const { id, at } = await filled('uno', 'dos', 'tres');
    const reader = await LiveReader.open(forum(), id);
    await operate(forum(), 'hide', at(1).id);
    assert.deepEqual(await read(reader, 'gone'), { id: at(1).id, number: 2 });
    assert.equal((await read<LiveCounts>(reader, 'counts')).removedCount, 1);
    await operate(forum(), 'show', at(1).id);
    assert.deepEqual(await read(reader, 'edit'), at(1));
    assert.equal((await read<LiveCounts>(reader, 'counts')).removedCount, 0);
    reader.close();
  });

  test('a reconnecting reader receives each comment that changed meanwhile once, in its current state', async () => {
    const { author, id, at } = await filled('uno', 'dos', 'tres');
    const earlier = await LiveReader.open(forum(), id, at(2).id);
    await editComment(forum(), at(2), 'antes');
    assert.deepEqual(await readEdits(earlier), ['antes']);
    earlier.close();
    await editComment(forum(), at(1), 'dos-1');
    await editComment(forum(), at(0), 'uno-1');
    await editComment(forum(), at(1), 'dos-2');
    const fourth = await forum().comment(author, id, 'cuatro');
    await editComment(forum(), fourth, 'cuatro-1');
    const reader = await LiveReader.open(forum(), id, undefined, earlier.openedAt);
    assert.deepEqual(await readEdits(reader), ['antes', 'uno-1', 'dos-2']);
    assert.equal((await reader.nextComment()).comment, 'cuatro-1');
    await editComment(forum(), fourth, 'cuatro-2');
    assert.deepEqual(await readEdits(reader), ['cuatro-2']);
    reader.close();
  });

  test('replies change when the comment that they quote is edited, deleted, restored and hidden', async () => {
    const { author, id, at } = await filled('uno dos');
    const reply = (replyExcerpt: string) =>
      forum().comment(author, id, 'sí', { replyTo: 1, replyExcerpt });
    for (const excerpt of ['dos', '']) await reply(excerpt);
    const reader = await LiveReader.open(forum(), id);
    const { token } = author;
    const url = apiRoutes.channelComment(id, 1);
    /** Returns number, name and excerpt of the quoted comments of the changed ones. */
    const changed = async () => {
      const read: unknown[] = [];
      for (;;) {
        const { event, data = '' } = await reader.next();
        if (event === 'counts') return read;
        const { number, replyAutor, replyExcerpt } = JSON.parse(data) as Comment;
        read.push(event === 'gone' ? [number] : [number, replyAutor, replyExcerpt]);
      }
    };
    const headers = { 'if-match': '"1"' };
    await forum().json('PATCH', url, { token, headers, body: { comment: 'uno' } });
    assert.deepEqual(await changed(), [
      [1, '', ''],
      [2, author.name, ''],
    ]);
    await forum().json('DELETE', url, { token });
    assert.deepEqual(await changed(), [[1], [2, '', ''], [3, '', '']]);
    const edited = { 'if-match': '"2"' };
    await forum().json('POST', apiRoutes.restoreComment(id, 1), { token });
    const restored = [
      [1, '', ''],
      [2, author.name, ''],
      [3, author.name, ''],
    ];
    assert.deepEqual(await changed(), restored);
    await forum().json('PATCH', url, { token, headers: edited, body: { comment: 'dos' } });
    assert.deepEqual(await changed(), [
      [1, '', ''],
      [2, author.name, 'dos'],
    ]);
    await operate(forum(), 'hide', at(0).id);
    assert.deepEqual(await changed(), [[1], [2, '', ''], [3, '', '']]);
    reader.close();
  });

  test('deleting a comment with more replies than are replayed makes readers fetch the channel', async () => {
    const { author, id, at } = await filled('uno');
    const { db } = forum().deps;
    const first = await db
      .selectFrom('comments')
      .selectAll()
      .where('channel_id', '=', id)
      .execute();
    const replies = Array.from({ length: replayLimits.comments }, (_, index) =>
      first.map((row) => ({ ...row, number: index + 2, reply_to: 1 })),
    ).flat();
    await db.insertInto('comments').values(replies).execute();
    const counts = { comment_count: 101, last_comment_number: 101 };
    await db.updateTable('channels').set(counts).where('id', '=', id).execute();
    const reader = await LiveReader.open(forum(), id);
    await forum().json('DELETE', apiRoutes.channelComment(id, 1), { token: author.token });
    assert.deepEqual(await read<LiveMissed>(reader, 'missed'), { restored: false, changes: true });
    await editComment(forum(), { ...at(0), number: 2 }, 'dos');
    assert.deepEqual(await readEdits(reader), ['dos']);
    reader.close();
  });

  test('an edited, closed or reopened channel reaches its readers, including those that reconnect later', async () => {
    const { author, id } = await filled('uno');
    const reader = await LiveReader.open(forum(), id);
    const call = { token: author.token };
    const change = async (method: string, url: string, options = {}) => {
      const changed = await forum().json<Channel>(method, url, { ...call, ...options });
      assert.deepEqual(await read<Channel>(reader, 'channel'), changed);
      assert.equal((await read<LiveCounts>(reader, 'counts')).changeNumber, changed.changeNumber);
      return changed;
    };
    const edit = { headers: { 'if-match': '"1"' }, body: { name: 'Otro nombre' } };
    const edited = await change('PATCH', apiRoutes.channel(id), edit);
    assert.deepEqual([edited.name, edited.revision, edited.comments], ['Otro nombre', 2, []]);
    assert.ok((await change('POST', apiRoutes.closeChannel(id))).closedAt);
    assert.equal((await change('POST', apiRoutes.reopenChannel(id))).closedAt, null);
    reader.close();
    const late = await LiveReader.open(forum(), id, undefined, reader.openedAt);
    const { name, closedAt } = await read<Channel>(late, 'channel');
    assert.deepEqual([name, closedAt], ['Otro nombre', null]);
    late.close();
  });

  test('a channel contains the number of its newest change', async () => {
    const { id, at } = await filled('uno');
    const read = () => forum().json<Channel>('GET', apiRoutes.channel(id));
    assert.equal((await read()).changeNumber, 0);
    await editComment(forum(), at(0), 'uno-1');
    const { changeNumber, comments } = await read();
    assert.equal(changeNumber, 1);
    assert.equal(comments[0]?.comment, 'uno-1');
  });

  test('a stream from the position of any event continues after it without a gap', async () => {
    const { id, at } = await filled('uno', 'dos', 'tres');
    for (const index of [0, 1, 2]) await editComment(forum(), at(index), `${index}`);
    const first = await LiveReader.open(forum(), id, `${at(2).id}.0`);
    const { id: afterFirst, data = '' } = await first.next();
    assert.equal((JSON.parse(data) as Comment).comment, '0');
    first.close();
    const second = await LiveReader.open(forum(), id, undefined, afterFirst);
    assert.deepEqual(await readEdits(second), ['0', '1', '2']);
    second.close();
  });

  test('a position without a change number replays no earlier changes, except those after `changes`', async () => {
    const { id, at } = await filled('uno', 'dos');
    await editComment(forum(), at(0), 'uno-1');
    const reader = await LiveReader.open(forum(), id, at(0).id);
    assert.equal((await reader.nextComment()).comment, 'dos');
    await editComment(forum(), at(1), 'dos-1');
    assert.deepEqual(await readEdits(reader), ['dos-1']);
    reader.close();
    const other = await LiveReader.open(forum(), id, undefined, undefined, 1);
    assert.deepEqual(await readEdits(other), ['dos-1']);
    other.close();
  });

  test('a position above the newest change belongs to a site that was restored since', async () => {
    const { id, at } = await filled('uno');
    const reader = await LiveReader.open(forum(), id, `${at(0).id}.1`);
    assert.deepEqual(await read<LiveMissed>(reader, 'missed'), { restored: true, changes: true });
    await editComment(forum(), at(0), 'uno-1');
    assert.deepEqual(await readEdits(reader), ['uno-1']);
    reader.close();
  });

  test('a reader that missed changes that are no longer recorded receives `missed`', async () => {
    const { id, at } = await filled('uno');
    await editComment(forum(), at(0), 'uno-1');
    await editComment(forum(), at(0), 'uno-2');
    const { db } = forum().deps;
    await db.deleteFrom('channel_changes').where('change_number', '=', 1).execute();
    const reader = await LiveReader.open(forum(), id, `${at(0).id}.0`);
    assert.deepEqual(await read<LiveMissed>(reader, 'missed'), { restored: false, changes: true });
    await editComment(forum(), at(0), 'uno-3');
    assert.deepEqual(await readEdits(reader), ['uno-3']);
    const recorded = await LiveReader.open(forum(), id, `${at(0).id}.1`);
    assert.deepEqual(await readEdits(recorded), ['uno-3']);
    for (const one of [reader, recorded]) one.close();
  });

  test('a reader that missed more changes than are replayed receives `missed`', async () => {
    const long = '😀'.repeat(limits.commentChars);
    const count = Math.ceil(replayLimits.bytes / Buffer.byteLength(long));
    const { id, at } = await filled(...Array.from({ length: count }, (_, index) => `${index}`));
    for (let index = 0; index < count; index++) await editComment(forum(), at(index), long);
    const reader = await LiveReader.open(forum(), id, `${at(count - 1).id}.0`);
    assert.deepEqual(await read<LiveMissed>(reader, 'missed'), { restored: false, changes: true });
    reader.close();
    const last = await LiveReader.open(forum(), id, `${at(count - 1).id}.${count - 1}`);
    assert.deepEqual(await readEdits(last), [long]);
    last.close();
  });

  test('a thousand changes of one comment are replayed as one event, and more as `missed`', async () => {
    const { id, at } = await filled('uno');
    const { db } = forum().deps;
    const rows = Array.from({ length: replayLimits.rows }, (_, index) => ({
      channel_id: id,
      change_number: index + 1,
      number: 1,
      at_ms: Date.now(),
    }));
    await db.insertInto('channel_changes').values(rows).execute();
    const set = { last_change_number: rows.length };
    await db.updateTable('channels').set(set).where('id', '=', id).execute();
    const open = () => LiveReader.open(forum(), id, `${at(0).id}.0`);
    const reader = await open();
    assert.deepEqual(await readEdits(reader), ['uno']);
    await editComment(forum(), at(0), 'uno-1');
    const late = await open();
    assert.deepEqual(await read<LiveMissed>(late, 'missed'), { restored: false, changes: true });
    for (const one of [reader, late]) one.close();
  });

  test('readers of a channel that is hidden receive `missed`, so that they fetch it and get 404', async () => {
    const { id } = await filled('uno');
    const reader = await LiveReader.open(forum(), id);
    await operate(forum(), 'hide', id);
    assert.deepEqual(await read<LiveMissed>(reader, 'missed'), { restored: false, changes: true });
    reader.close();
  });

  test('refuses a `changes` that is not a number', async () => {
    const { id } = await filled();
    for (const changes of ['x', '-1', '99999999999']) {
      const url = `${apiRoutes.channelLive(id)}?changes=${changes}`;
      assert.equal((await forum().call('GET', url)).status, 400, changes);
    }
  });
});
