import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../../../../test/eventually.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { Trash } from '../../../shared/trash.ts';

const dayMs = 86_400_000;

onBothEngines('deleting and restoring comments', (forum, wait) => {
  const deleteComment = (
    { token }: Pick<Person, 'token'>,
    { _id }: Channel,
    number: number | string,
  ) => forum().call('DELETE', apiRoutes.channelComment(_id, number), { token });
  const restore = ({ token }: Pick<Person, 'token'>, { _id }: Channel, number: number | string) =>
    forum().call('POST', apiRoutes.restoreComment(_id, number), { token });
  const readChannel = ({ _id }: Channel) => forum().json<Channel>('GET', apiRoutes.channel(_id));
  const readTrash = ({ token }: Pick<Person, 'token'>) =>
    forum().json<Trash>('GET', apiRoutes.trash, { token });
  const signInAgain = async ({ email, password }: Person) =>
    (await (await forum().signIn(email, password)).json()) as { token: string };

  /** Creates a channel by one person with comments by another. */
  async function filled(...texts: string[]): Promise<[Person, Channel, Person, Comment[]]> {
    const owner = await forum().person('Ana');
    const channel = await forum().channel(owner);
    const author = await forum().person('Berta');
    const comments: Comment[] = [];
    for (const text of texts) comments.push(await forum().comment(author, channel._id, text));
    return [owner, channel, author, comments];
  }
  const texts = (comments: Comment[]) => comments.map(({ comment }) => comment);
  const responding = (answers: Response[]) => answers.map(({ status }) => status).sort();

  test('a deleted comment disappears and is in the trash of its author; restoring it brings it back unchanged', async () => {
    const [owner, channel, author, comments] = await filled('uno', 'dos', 'tres');
    assert.equal((await readChannel(channel)).comments.length, 3);
    assert.equal((await deleteComment(author, channel, 2)).status, 204);
    const read = await readChannel(channel);
    assert.deepEqual([read.commentCount, read.removedCount], [2, 1]);
    assert.deepEqual(texts(read.comments), ['uno', 'tres']);

    const { data, channels } = await readTrash(author);
    assert.deepEqual(
      data.map(({ comment, channelName }) => [comment, channelName]),
      [[comments[1], channel.name]],
    );
    const [{ deletedAt, expiresAt } = assert.fail()] = data;
    assert.equal(Date.parse(expiresAt) - Date.parse(deletedAt), 30 * dayMs);
    assert.deepEqual(channels, []);
    assert.deepEqual((await readTrash(owner)).data, []);

    const restored = await restore(author, channel, 2);
    assert.equal(restored.status, 200);
    assert.deepEqual(await restored.json(), comments[1]);
    assert.deepEqual(await forum().allComments(channel._id), comments);
    assert.equal((await readChannel(channel)).commentCount, 3);
    assert.deepEqual((await readTrash(author)).data, []);
  });

  test('deleting or restoring a comment again succeeds and changes nothing', async () => {
    const [, channel, author] = await filled('uno', 'dos');
    for (let i = 0; i < 2; i++) assert.equal((await deleteComment(author, channel, 1)).status, 204);
    assert.equal((await readChannel(channel)).commentCount, 1);
    for (let i = 0; i < 2; i++) assert.equal((await restore(author, channel, 1)).status, 200);
    assert.equal((await readChannel(channel)).commentCount, 2);
  });

  test('concurrent deletions and restorations of a comment keep the counts right', async () => {
    const [, channel, author] = await filled('uno', 'dos');
    const deletions = Array.from({ length: 4 }, () => deleteComment(author, channel, 1));
    assert.deepEqual(responding(await Promise.all(deletions)), [204, 204, 204, 204]);
    const both = [...Array(4)].flatMap(() => [
      restore(author, channel, 1),
      deleteComment(author, channel, 1),
    ]);
    for (const { status } of await Promise.all(both)) assert.ok([200, 204].includes(status));
    const { commentCount } = await readChannel(channel);
    assert.equal(commentCount, (await forum().allComments(channel._id)).length);
  });

  test('another person can neither delete nor restore a comment', async () => {
    const [owner, channel, author] = await filled('uno');
    await expectProblem(await deleteComment(owner, channel, 1), 403, 'not_yours');
    await expectProblem(await restore(owner, channel, 1), 403, 'not_yours');
    assert.equal((await readChannel(channel)).commentCount, 1);
    await deleteComment(author, channel, 1);
    await expectProblem(await deleteComment(owner, channel, 1), 404, 'comment_not_found');
    await expectProblem(await restore(owner, channel, 1), 404, 'comment_not_found');
  });

  test('a hidden comment, an unknown number and an unknown channel respond 404', async () => {
    const [, channel, author, [comment]] = await filled('uno');
    await operate(forum(), 'hide', comment?.id ?? '');
    await expectProblem(await deleteComment(author, channel, 1), 404, 'comment_not_found');
    await expectProblem(await restore(author, channel, 1), 409, 'not_restorable');
    for (const number of ['0', '2', '-1', '01', '1.0', 'x', '1e0', '2147483648', '9'.repeat(400)]) {
      for (const change of [deleteComment, restore]) {
        await expectProblem(await change(author, channel, number), 404, 'comment_not_found');
      }
    }
    const unknown = { ...channel, _id: 'nada' };
    for (const change of [deleteComment, restore]) {
      await expectProblem(await change(author, unknown, 1), 404, 'channel_not_found');
    }
    await operate(forum(), 'hide', channel._id);
    await expectProblem(await deleteComment(author, channel, 1), 404, 'channel_not_found');
  });

  test('an ended session can neither delete nor restore a comment', async () => {
    const [, channel, author] = await filled('uno');
    await forum().json('POST', apiRoutes.signOut, { token: author.token });
    for (const change of [deleteComment, restore]) {
      await expectProblem(await change(author, channel, 1), 401, 'not_signed_in');
    }
    const trash = await forum().call('GET', apiRoutes.trash, { token: author.token });
    await expectProblem(trash, 401, 'not_signed_in');
  });

  test('a deleted comment cannot be restored while a moderator hides it, and is in the trash again when shown', async () => {
    const [, channel, author, [comment]] = await filled('uno', 'dos');
    const id = comment?.id ?? '';
    await deleteComment(author, channel, 1);
    await operate(forum(), 'hide', id);
    assert.deepEqual((await readTrash(author)).data, []);
    await expectProblem(await restore(author, channel, 1), 409, 'not_restorable');
    await operate(forum(), 'show', id);
    assert.deepEqual(texts(await forum().allComments(channel._id)), ['dos']);
    assert.equal((await readTrash(author)).data.length, 1);
    assert.equal((await restore(author, channel, 1)).status, 200);
    assert.equal((await readChannel(channel)).commentCount, 2);
  });

  test('the time of the last comment follows deletions and restorations of the newest one', async () => {
    const [, channel, author, comments] = await filled('uno');
    wait(60_000);
    const newest = await forum().comment(author, channel._id, 'dos');
    await deleteComment(author, channel, 2);
    assert.equal((await readChannel(channel)).lastCommentAt, comments[0]?.createdAt);
    await restore(author, channel, 2);
    assert.equal((await readChannel(channel)).lastCommentAt, newest.createdAt);
    await deleteComment(author, channel, 1);
    await deleteComment(author, channel, 2);
    assert.equal((await readChannel(channel)).lastCommentAt, null);
    assert.deepEqual(await activeAt(forum(), channel), Date.parse(channel.createdAt));
  });

  test('after 30 days a comment leaves the trash and cannot be restored', async () => {
    const [, channel, author] = await filled('uno');
    await deleteComment(author, channel, 1);
    wait(30 * dayMs - 60_000);
    const session = await signInAgain(author);
    assert.equal((await readTrash(session)).data.length, 1);
    wait(60_001);
    assert.deepEqual((await readTrash(session)).data, []);
    await expectProblem(await restore(session, channel, 1), 409, 'not_restorable');
  });
});

describe('two servers on one PostgreSQL', () => {
  test('both show an edit, thanks and a deletion, and a closed channel', async () => {
    const first = await Forum.start('postgres');
    const second = await first.another();
    try {
      await eventually('both listen', async () =>
        [first, second].every(({ services }) => services.live.isListening),
      );
      const author = await first.person('Ana');
      const { token } = author;
      const channel = await first.channel(author);
      await first.comment(author, channel._id, 'uno');
      const url = apiRoutes.channelComment(channel._id, 1);
      const other = await first.person('Berta');
      const shown = async (forum: Forum) => {
        const read = await forum.json<Channel>('GET', apiRoutes.channel(channel._id));
        const [comment] = read.comments;
        return [comment?.comment, comment?.thanks.names.join(), read.closedAt !== null];
      };
      const edit = { token, body: { comment: 'dos' }, headers: { 'if-match': '"1"' } };
      for (const [change, expected] of [
        [() => first.json('PATCH', url, edit), ['dos', '', false]],
        [() => first.json('PUT', `${url}/thanks`, other), ['dos', 'Berta', false]],
        [
          () => first.json('POST', apiRoutes.closeChannel(channel._id), { token }),
          ['dos', 'Berta', true],
        ],
        [() => first.json('DELETE', url, { token }), [undefined, undefined, true]],
      ] as const) {
        await change();
        assert.deepEqual(await shown(first), expected);
        await eventually('the other server shows it', async () =>
          isDeepStrictEqual(await shown(second), expected),
        );
      }
    } finally {
      await second.stop();
      await first.stop();
    }
  });
});

async function activeAt({ services }: Forum, { _id }: Channel): Promise<number> {
  const row = await services.db
    .selectFrom('channels')
    .select('active_at_ms')
    .where('id', '=', _id)
    .executeTakeFirstOrThrow();
  return row.active_at_ms;
}
