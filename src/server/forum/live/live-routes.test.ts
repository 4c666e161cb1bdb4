import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import { missedLimits } from './stream/channel-feeds.ts';

onBothEngines('live comments', (forum) => {
  test('a comment reaches all readers of its channel, and none of another channel', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    const other = await forum().channel(author);
    const readers = await Promise.all([1, 2].map(() => LiveReader.open(forum(), channel._id)));
    await forum().comment(author, other._id, 'en otra parte');
    const comment = await forum().comment(author, channel._id, 'Hola\n\na todos');
    for (const reader of readers) {
      assert.deepEqual(await reader.nextComment(), comment);
      reader.close();
    }
  });

  test('a reconnecting reader receives missed comments in order, each once', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    await forum().comment(author, channel._id, '1');
    await forum().comment(author, channel._id, '2');
    await forum().comment(author, channel._id, '3');
    const reader = await LiveReader.open(forum(), channel._id, 0, '1');
    await forum().comment(author, channel._id, '4');
    const texts = [];
    for (let i = 0; i < 3; i++) texts.push((await reader.nextComment()).comment);
    assert.deepEqual(texts, ['2', '3', '4']);
    reader.close();
  });

  test('no comment is lost between the list and the stream during concurrent writes', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    const writing = Promise.all(
      Array.from({ length: 30 }, (_, i) => forum().comment(author, channel._id, String(i))),
    );
    const readers = await Promise.all(
      [1, 2, 3].map(() => LiveReader.open(forum(), channel._id, 0)),
    );
    await writing;
    for (const reader of readers) {
      for (let number = 1; number <= 30; number++) {
        assert.equal((await reader.nextComment()).id, commentId(channel._id, number));
      }
      reader.close();
    }
  });

  test('a reader that missed more than a hundred comments is told that something has changed, and then gets live comments', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    for (let i = 0; i <= missedLimits.limit; i++) {
      await forum().comment(author, channel._id, String(i));
    }
    const reader = await LiveReader.open(forum(), channel._id, 0);
    await reader.untilChanged({});
    assert.equal(reader.openedAt, String(missedLimits.limit + 1));
    const comment = await forum().comment(author, channel._id, 'nuevo');
    assert.deepEqual(await reader.nextComment(), comment);
    reader.close();
  });

  test('a reader that missed comments of more than 64 kB with all that they quote is told so too', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    for (let i = 0; i < 60; i++) await forum().comment(author, channel._id, 'x'.repeat(1000));
    const reader = await LiveReader.open(forum(), channel._id, 0);
    await reader.untilChanged({});
    assert.equal(reader.openedAt, '60');
    reader.close();
  });

  test('rejects unknown channels, and takes any other position for the newest', async () => {
    const unknown = await forum().call('GET', apiRoutes.channelLive('nada'));
    await expectProblem(unknown, 404, 'channel_not_found');
    const author = await forum().person();
    const { _id: id } = await forum().channel(author);
    await forum().comment(author, id, 'antes');
    const positions = [
      'x',
      '-1',
      '1e1',
      '2',
      '99999999999',
      commentId(id, 0),
      `0a.${id}-0.0`,
      '0&after=0',
    ];
    const readers = await Promise.all([
      ...positions.map((after) => LiveReader.open(forum(), id, after)),
      ...positions.map((last) => LiveReader.open(forum(), id, 0, last)),
    ]);
    const comment = await forum().comment(author, id, 'después');
    for (const reader of readers) {
      assert.deepEqual(await reader.nextComment(), comment);
      reader.close();
    }
  });

  test('readers are told which comments were edited, removed and restored, and nothing of thanks', async () => {
    const author = await forum().person();
    const { token } = author;
    const { _id: id } = await forum().channel(author);
    for (const text of ['uno', 'dos', 'tres']) await forum().comment(author, id, text);
    const reader = await LiveReader.open(forum(), id);
    const options = { token: (await forum().person()).token };
    await forum().json('PUT', apiRoutes.thanks(id, 1), options);
    const reply = await forum().comment(author, id, 'sí', { replyTo: 1 });
    assert.deepEqual(JSON.parse((await reader.next()).data ?? ''), reply);
    const headers = { 'if-match': '"1"' };
    const edit = { token, headers, body: { comment: 'uno-1' } };
    await forum().json('PATCH', apiRoutes.channelComment(id, 1), edit);
    await reader.untilChanged({ numbers: [1] });
    await forum().call('DELETE', apiRoutes.channelComment(id, 2), { token });
    await reader.untilChanged({ numbers: [2] });
    // On SQLite, a command cannot announce which comments it changed.
    const byCommand = forum().services.config.databaseUrl ? { numbers: [3] } : {};
    await operate(forum(), 'hide', commentId(id, 3));
    await reader.untilChanged(byCommand);
    await forum().json('POST', apiRoutes.restoreComment(id, 2), { token });
    await reader.untilChanged({ numbers: [2] });
    await operate(forum(), 'show', commentId(id, 3));
    await reader.untilChanged(byCommand);
    await forum().json('POST', apiRoutes.closeChannel(id), { token });
    await reader.untilChanged({});
    reader.close();
  });

  test('readers are told that the channel was hidden, and a new one gets 404', async () => {
    const { _id: id } = await forum().channel(await forum().person());
    const reader = await LiveReader.open(forum(), id);
    await operate(forum(), 'hide', id);
    await reader.untilChanged({});
    reader.close();
    await expectProblem(
      await forum().call('GET', apiRoutes.channelLive(id)),
      404,
      'channel_not_found',
    );
  });

  test('after changes may have been lost, readers get the comments that nobody announced, and are told', async () => {
    const author = await forum().person();
    const { _id: id } = await forum().channel(author);
    const { db, live } = forum().services;
    const first = await forum().comment(author, id, 'uno');
    const reader = await LiveReader.open(forum(), id);
    const rows = await db.selectFrom('comments').selectAll().where('channel_id', '=', id).execute();
    await db
      .insertInto('comments')
      .values(rows.map((row) => ({ ...row, number: 2 })))
      .execute();
    const counts = { comment_count: 2, last_comment_number: 2 };
    await db.updateTable('channels').set(counts).where('id', '=', id).execute();
    live.publishGap();
    assert.deepEqual(await reader.nextComment(), { ...first, id: commentId(id, 2), number: 2 });
    await reader.untilChanged({});
    const third = await forum().comment(author, id, 'tres');
    assert.deepEqual(await reader.nextComment(), third);
    reader.close();
  });
});
