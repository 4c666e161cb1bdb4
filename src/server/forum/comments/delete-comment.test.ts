import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { hideContent, showContent } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { Trash } from '../../../shared/trash.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';

const dayMs = 86_400_000;

onEngine('sqlite', 'deleting and restoring comments', (forum, wait) => {
  type Caller = Pick<Person, 'token'>;
  const deleteComment = ({ token }: Caller, { _id }: Channel, number: number) =>
    forum().call('DELETE', apiRoutes.channelComment(_id, number), { token });
  const restore = ({ token }: Caller, { _id }: Channel, number: number) =>
    forum().call('POST', apiRoutes.restoreComment(_id, number), { token });
  const readTrash = ({ token }: Caller) => forum().json<Trash>('GET', apiRoutes.trash, { token });
  const counts = async ({ _id }: Channel) => {
    const read = await forum().json<Channel>('GET', apiRoutes.channel(_id));
    return [read.commentCount, read.removedCount, read.comments.length];
  };

  /** Creates a channel by one person with comments by another. */
  async function filled(...texts: string[]): Promise<[Person, Channel, Person, Comment[]]> {
    const owner = await forum().person('Ana');
    const channel = await forum().channel(owner);
    const author = await forum().person('Berta');
    const comments: Comment[] = [];
    for (const text of texts) comments.push(await forum().comment(author, channel._id, text));
    return [owner, channel, author, comments];
  }

  test('a deleted comment disappears and is in the trash of its author; restoring it brings it back unchanged', async () => {
    const [owner, channel, author, comments] = await filled('uno', 'dos', 'tres');
    assert.deepEqual(await counts(channel), [3, 0, 3]);
    for (let i = 0; i < 2; i++) assert.equal((await deleteComment(author, channel, 2)).status, 204);
    assert.deepEqual(await counts(channel), [2, 1, 2]);
    const [one, , three] = comments;
    assert.deepEqual(await forum().allComments(channel._id), [one, three]);

    const { data, channels } = await readTrash(author);
    assert.deepEqual(
      data.map(({ comment, channelName }) => [comment, channelName]),
      [[comments[1], channel.name]],
    );
    const [{ deletedAt, expiresAt } = assert.fail()] = data;
    assert.equal(Date.parse(expiresAt) - Date.parse(deletedAt), 30 * dayMs);
    assert.deepEqual(channels, []);
    assert.deepEqual((await readTrash(owner)).data, []);

    for (let i = 0; i < 2; i++) {
      const restored = await restore(author, channel, 2);
      assert.deepEqual([restored.status, await restored.json()], [200, comments[1]]);
    }
    assert.deepEqual(await forum().allComments(channel._id), comments);
    assert.deepEqual(await counts(channel), [3, 0, 3]);
    assert.deepEqual((await readTrash(author)).data, []);
  });

  test('another person can neither delete nor restore a comment', async () => {
    const [owner, channel, author] = await filled('uno');
    for (const change of [deleteComment, restore])
      await expectProblem(await change(owner, channel, 1), 403, 'not_yours');
    assert.deepEqual(await counts(channel), [1, 0, 1]);
    await deleteComment(author, channel, 1);
    for (const change of [deleteComment, restore])
      await expectProblem(await change(owner, channel, 1), 404, 'comment_not_found');
    assert.deepEqual(await counts(channel), [0, 1, 0]);
  });

  test('a comment that a moderator hides can neither be deleted nor restored until it is shown, and none in a hidden channel', async () => {
    const [, channel, author, [shown, deleted]] = await filled('uno', 'dos');
    await deleteComment(author, channel, 2);
    for (const { id } of [shown, deleted] as Comment[]) await hideContent(forum(), id);
    assert.deepEqual((await readTrash(author)).data, []);
    await expectProblem(await deleteComment(author, channel, 1), 404, 'comment_not_found');
    for (const number of [1, 2])
      await expectProblem(await restore(author, channel, number), 409, 'not_restorable');
    for (const { id } of [shown, deleted] as Comment[]) await showContent(forum(), id);
    assert.deepEqual(await counts(channel), [1, 1, 1]);
    assert.equal((await readTrash(author)).data.length, 1);
    assert.equal((await restore(author, channel, 2)).status, 200);
    await hideContent(forum(), channel._id);
    for (const change of [deleteComment, restore])
      await expectProblem(await change(author, channel, 1), 404, 'channel_not_found');
  });

  test('after 30 days a comment leaves the trash, cannot be restored and is erased, and no other one is', async () => {
    const [, channel, author] = await filled('uno');
    const [, elsewhere] = await filled('uno');
    await deleteComment(author, channel, 1);
    wait(30 * dayMs - 60_000);
    const session = await forum().newSession(author);
    assert.equal((await readTrash(session)).data.length, 1);
    wait(60_001);
    assert.deepEqual((await readTrash(session)).data, []);
    await expectProblem(await restore(session, channel, 1), 409, 'not_restorable');
    await eraseExpired(forum().services);
    await expectProblem(await restore(session, channel, 1), 409, 'not_restorable');
    const { db } = forum().services;
    const rows = db.selectFrom('comments').select('channel_id').where('number', '=', 1);
    const left = (await rows.execute()).map(({ channel_id }) => channel_id);
    assert.deepEqual(
      [channel, elsewhere].map(({ _id }) => left.includes(_id)),
      [false, true],
    );
  });
});
