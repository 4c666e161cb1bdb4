import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../test/forum/forum.ts';
import { LiveReader } from '../../../test/forum/live-reader.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { commentId } from '../../shared/comment-id.ts';
import { replayLimits } from './stream/shared-reads.ts';

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
    const first = await forum().comment(author, channel._id, '1');
    await forum().comment(author, channel._id, '2');
    await forum().comment(author, channel._id, '3');
    const reader = await LiveReader.open(forum(), channel._id, commentId(channel._id, 0), first.id);
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
      [1, 2, 3].map(() => LiveReader.open(forum(), channel._id, commentId(channel._id, 0))),
    );
    await writing;
    for (const reader of readers) {
      for (let number = 1; number <= 30; number++) {
        assert.equal((await reader.nextComment()).id, commentId(channel._id, number));
      }
      reader.close();
    }
  });

  test('a reader that missed too much receives `missed`, and then live comments', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    for (let i = 0; i <= replayLimits.comments; i++) {
      await forum().comment(author, channel._id, String(i));
    }
    const reader = await LiveReader.open(forum(), channel._id, commentId(channel._id, 0));
    assert.equal((await reader.next()).event, 'missed');
    const comment = await forum().comment(author, channel._id, 'nuevo');
    assert.deepEqual(await reader.nextNewComment(), comment);
    reader.close();
  });

  test('rejects unknown channels and invalid cursors', async () => {
    const live = apiRoutes.channelLive;
    await expectProblem(await forum().call('GET', live('nada')), 404, 'channel_not_found');
    const channel = await forum().channel(await forum().person());
    const wrong = await forum().call('GET', `${live(channel._id)}?after=x`);
    await expectProblem(wrong, 400, 'invalid_cursor');
  });
});
