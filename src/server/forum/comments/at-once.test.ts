import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { Comment } from '../../../shared/comments.ts';

onBothEngines('changes of comments at once', (forum) => {
  async function written(...texts: string[]) {
    const author = await forum().person('Ana');
    const { _id: id } = await forum().channel(author);
    for (const text of texts) await forum().comment(author, id, text);
    const edit = (comment: string) =>
      forum().call('PATCH', apiRoutes.channelComment(id, 1), {
        token: author.token,
        body: { comment },
        headers: { 'if-match': '"1"' },
      });
    const remove = () => forum().call('DELETE', apiRoutes.channelComment(id, 1), author);
    const restore = () => forum().call('POST', apiRoutes.restoreComment(id, 1), author);
    return { author, id, edit, remove, restore };
  }
  const channelOf = (id: string) => forum().json<Channel>('GET', apiRoutes.channel(id));
  const statusesOf = (answers: Response[]) => answers.map(({ status }) => status).sort();

  test('concurrent comments get numbers without gaps, and all are counted', async () => {
    const { author, id } = await written('uno');
    const comments = await Promise.all(
      Array.from({ length: 40 }, () => forum().comment(author, id, 'sí', { replyTo: 1 })),
    );
    assert.deepEqual(
      comments.map(({ number }) => number).sort((one, other) => one - other),
      Array.from({ length: 40 }, (_, index) => index + 2),
    );
    const channel = await channelOf(id);
    assert.deepEqual([channel.commentCount, channel.comments[0]?.replyCount], [41, 40]);
  });

  test('no comment is lost between the list and the stream during concurrent writes', async () => {
    const { author, id } = await written();
    const writing = Promise.all(
      Array.from({ length: 30 }, (_, index) => forum().comment(author, id, String(index))),
    );
    const readers = await Promise.all([1, 2, 3].map(() => LiveReader.open(forum(), id, 0)));
    await writing;
    for (const reader of readers) {
      for (let number = 1; number <= 30; number++) {
        assert.equal((await reader.nextComment()).number, number);
      }
      reader.close();
    }
  });

  test('one of two concurrent edits succeeds, and the other gets 412', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, edit } = await written('uno');
      const answers = await Promise.all(['dos', 'tres'].map(edit));
      assert.deepEqual(statusesOf(answers), [200, 412]);
      const [stored] = await forum().allComments(id);
      assert.deepEqual(await answers.find(({ ok }) => ok)?.json(), stored);
      assert.equal(stored?.revision, 2);
    }
  });

  test('a deletion succeeds during a concurrent edit, and the trash has the last text', async () => {
    const { edit, remove, restore } = await written('uno');
    const [edition, deletion] = await Promise.all([edit('dos'), remove()]);
    assert.equal(deletion.status, 204);
    assert.ok([200, 404].includes(edition.status));
    const restored = (await (await restore()).json()) as Comment;
    assert.equal(restored.comment, edition.ok ? 'dos' : 'uno');
  });

  test('concurrent deletions and restorations of a comment keep the count right', async () => {
    const { id, remove, restore } = await written('uno', 'dos');
    const changes = [remove, remove, ...[1, 2, 3, 4].flatMap(() => [restore, remove])];
    const answers = await Promise.all(changes.map((change) => change()));
    for (const { status } of answers) assert.ok([200, 204].includes(status));
    const { commentCount } = await channelOf(id);
    assert.equal(commentCount, (await forum().allComments(id)).length);
  });

  test('concurrent thanks by several people, each sent twice, are counted once each', async () => {
    const { id } = await written('uno');
    const people = await Promise.all([1, 2, 3, 4, 5].map(() => forum().person()));
    const sent = [...people, ...people].map((person) =>
      forum().call('PUT', apiRoutes.thanks(id, 1), person),
    );
    assert.deepEqual(new Set(statusesOf(await Promise.all(sent))), new Set([200]));
    assert.equal((await forum().allComments(id))[0]?.thanks.count, 5);
  });
});
