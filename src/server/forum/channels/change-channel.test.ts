import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { comment, decided, staff, undone } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import type { Trash } from '../../../shared/trash.ts';
import { markedForErasure } from '../../database/visible-rows.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

onBothEngines('own channels', (forum, wait) => {
  type Caller = Pick<Person, 'token'>;
  const edit = ({ token }: Caller, { _id }: Channel, body: unknown, ifMatch = '"1"') =>
    forum().call('PATCH', apiRoutes.channel(_id), {
      token,
      body,
      headers: { 'if-match': ifMatch },
    });
  const deleteChannel = ({ token }: Caller, { _id }: Channel) =>
    forum().call('DELETE', apiRoutes.channel(_id), { token });
  const restore = ({ token }: Caller, { _id }: Channel) =>
    forum().call('POST', apiRoutes.restoreChannel(_id), { token });
  const close = ({ token }: Caller, { _id }: Channel) =>
    forum().call('POST', apiRoutes.closeChannel(_id), { token });
  const reopen = ({ token }: Caller, { _id }: Channel) =>
    forum().call('POST', apiRoutes.reopenChannel(_id), { token });
  const read = ({ _id }: Channel) =>
    forum().json<Channel>('GET', `${apiRoutes.channel(_id)}?comments=0`);
  const isListed = async ({ _id }: Channel) =>
    (await forum().json<ChannelPage>('GET', apiRoutes.channels)).data.some(
      (one) => one._id === _id,
    );
  const trashOf = ({ token }: Caller) => forum().json<Trash>('GET', apiRoutes.trash, { token });
  const signInAgain = async ({ email, password }: Person) =>
    (await (await forum().signIn(email, password)).json()) as { token: string };

  async function created(): Promise<[Person, Channel]> {
    const author = await forum().person('Ana');
    return [author, await forum().channel(author, 'Cine')];
  }

  test('an edit replaces the given parts only, raises the revision and stores the earlier version', async () => {
    const [author, channel] = await created();
    await forum().comment(author, channel._id, 'uno');
    await read(channel);
    const response = await edit(author, channel, { name: ' Teatro ', coverAlt: 'Un telón' });
    assert.equal(response.headers.get('etag'), '"2"');
    const edited = (await response.json()) as Channel;
    assert.deepEqual(
      [edited.name, edited.description, edited.coverAlt, edited.revision, edited.commentCount],
      ['Teatro', channel.description, 'Un telón', 2, 1],
    );
    assert.ok(edited.editedAt);
    assert.deepEqual(await read(channel), edited);
    const version = await forum()
      .services.db.selectFrom('channel_versions')
      .select(['revision', 'name'])
      .where('channel_id', '=', channel._id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([version.revision, version.name], [1, 'Cine']);
    for (const body of [{ name: 'Teatro' }, {}]) {
      const same = await edit(author, channel, body, '"2"');
      assert.equal(((await same.json()) as Channel).revision, 2);
    }
    const repeated = await edit(author, channel, { name: ' Teatro ', coverAlt: 'Un telón' });
    assert.equal(repeated.status, 200);
  });

  test('an edit within five minutes is not marked while nobody has commented', async () => {
    const [author, channel] = await created();
    const edited = await edit(author, channel, { description: 'Otra' });
    assert.equal(((await edited.json()) as Channel).editedAt, null);
  });

  test('of two concurrent edits one succeeds and the other responds 412', async () => {
    const [author, channel] = await created();
    const answers = await Promise.all(['A', 'B'].map((name) => edit(author, channel, { name })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412]);
  });

  test('checks the session, the body, the channel, its author, the revision, the cover and the time in this order', async () => {
    const [author, channel] = await created();
    const other = await forum().person();
    const unknown = { ...channel, _id: 'nada' };
    await expectProblem(await edit({ token: 'x' }, unknown, [], ''), 401, 'not_signed_in');
    for (const body of [{ name: '' }, [], { description: 7 }]) {
      await expectProblem(await edit(other, unknown, body, ''), 400, 'invalid_fields');
    }
    const body = { cover: '/files/images/nunca.png' };
    await expectProblem(await edit(other, unknown, body, ''), 404, 'channel_not_found');
    await expectProblem(await edit(other, channel, body, ''), 403, 'not_yours');
    for (const header of ['', '*']) {
      await expectProblem(await edit(author, channel, body, header), 428, 'revision_required');
    }
    for (const header of ['"2"', 'W/"1"', '1']) {
      await expectProblem(await edit(author, channel, body, header), 412, 'edit_conflict');
    }
    await expectProblem(await edit(author, channel, body), 400, 'invalid_fields');
    wait(dayMs);
    const late = await expectProblem(
      await edit(author, channel, { name: 'Teatro' }),
      409,
      'edit_expired',
    );
    assert.match(late.detail, /nombre del canal/);
    const allowed = await edit(author, channel, { name: 'Cine', description: 'Otra' });
    assert.equal(((await allowed.json()) as Channel).description, 'Otra');
  });

  test('a deleted channel disappears with its comments and is in the trash; restoring it brings it back', async () => {
    const [author, channel] = await created();
    const comment = await forum().comment(author, channel._id, 'uno');
    assert.ok(await isListed(channel));
    for (let i = 0; i < 2; i++) assert.equal((await deleteChannel(author, channel)).status, 204);
    assert.ok(!(await isListed(channel)));
    for (const url of [apiRoutes.channel(channel._id), apiRoutes.channelComments(channel._id)]) {
      await expectProblem(await forum().call('GET', url), 404, 'channel_not_found');
    }
    const { data, channels } = await trashOf(author);
    assert.deepEqual(data, []);
    assert.deepEqual(
      channels.map(({ channelId, name, commentCount }) => [channelId, name, commentCount]),
      [[channel._id, 'Cine', 1]],
    );
    await expectProblem(await close(author, channel), 404, 'channel_not_found');
    const other = await forum().person();
    for (const change of [deleteChannel, restore]) {
      await expectProblem(await change(other, channel), 404, 'channel_not_found');
    }
    for (let i = 0; i < 2; i++) assert.equal((await restore(author, channel)).status, 200);
    assert.ok(await isListed(channel));
    assert.deepEqual(await forum().allComments(channel._id), [comment]);
    assert.deepEqual((await trashOf(author)).channels, []);
  });

  test('a comment that is sent again with its key after its channel was deleted responds 410', async () => {
    const [author, channel] = await created();
    const send = () =>
      forum().call('PUT', apiRoutes.comment, {
        token: author.token,
        headers: { 'idempotency-key': channel._id },
        body: { id: channel._id, comment: 'uno' },
      });
    const first = await (await send()).json();
    await deleteChannel(author, channel);
    await expectProblem(await send(), 410, 'gone');
    await restore(author, channel);
    assert.deepEqual(await (await send()).json(), first);
  });

  test('a channel in which somebody else wrote can be closed, but not deleted', async () => {
    const [author, channel] = await created();
    const other = await forum().person();
    await forum().comment(other, channel._id, 'uno');
    await expectProblem(await deleteChannel(author, channel), 409, 'channel_in_use');
    const eva = await staff(forum());
    const subject = comment(channel._id, 1);
    const hidden = await decided(forum(), eva, { subject, action: 'hide' });
    await expectProblem(await deleteChannel(author, channel), 409, 'channel_in_use');
    await undone(forum(), eva, hidden);
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 1), other);
    assert.equal((await deleteChannel(author, channel)).status, 204);
  });

  test('of a concurrent deletion and comment of another person only one succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const [author, channel] = await created();
      const other = await forum().person();
      const body = { id: channel._id, comment: 'uno' };
      const [deletion, comment] = await Promise.all([
        deleteChannel(author, channel),
        forum().call('PUT', apiRoutes.comment, { token: other.token, body }),
      ]);
      assert.ok(
        (deletion.status === 204 && comment.status === 404) ||
          (deletion.status === 409 && comment.status === 200),
        `${deletion.status} and ${comment.status}`,
      );
    }
  });

  test('a closed channel accepts edits and deletions of comments, but no new ones until it is reopened', async () => {
    const [author, channel] = await created();
    await forum().comment(author, channel._id, 'uno');
    const closed = (await (await close(author, channel)).json()) as Channel;
    assert.ok(closed.closedAt);
    const again = (await (await close(author, channel)).json()) as Channel;
    assert.equal(again.closedAt, closed.closedAt);
    assert.equal((await read(channel)).closedAt, closed.closedAt);
    const { token } = author;
    const body = { id: channel._id, comment: 'dos' };
    const refused = await forum().call('PUT', apiRoutes.comment, { token, body });
    await expectProblem(refused, 409, 'channel_closed');
    await forum().json('PATCH', apiRoutes.channelComment(channel._id, 1), {
      token,
      body: { comment: 'uno, corregido' },
      headers: { 'if-match': '"1"' },
    });
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 1), { token });
    await forum().json('POST', apiRoutes.restoreComment(channel._id, 1), { token });
    const other = await forum().person();
    for (const change of [close, reopen, deleteChannel, restore]) {
      await expectProblem(await change(other, channel), 403, 'not_yours');
      await expectProblem(await change({ token: 'x' }, channel), 401, 'not_signed_in');
    }
    for (let i = 0; i < 2; i++) {
      assert.equal(((await (await reopen(author, channel)).json()) as Channel).closedAt, null);
    }
    await forum().comment(author, channel._id, 'dos');
  });

  test('a deleted channel cannot be restored while a moderator hides it, and is in the trash again when shown', async () => {
    const [author, channel] = await created();
    await deleteChannel(author, channel);
    await operate(forum(), 'hide', channel._id);
    assert.deepEqual((await trashOf(author)).channels, []);
    await expectProblem(await restore(author, channel), 409, 'not_restorable');
    await expectProblem(await deleteChannel(author, channel), 404, 'channel_not_found');
    await operate(forum(), 'show', channel._id);
    assert.ok(!(await isListed(channel)));
    await assert.rejects(operate(forum(), 'show', channel._id));
    assert.equal((await restore(author, channel)).status, 200);
    assert.ok(await isListed(channel));
  });

  test('a channel in the trash that a moderator begins to erase cannot be restored', async () => {
    const [author, channel] = await created();
    await deleteChannel(author, channel);
    const { db } = forum().services;
    await db.updateTable('channels').set(markedForErasure).where('id', '=', channel._id).execute();
    await expectProblem(await restore(author, channel), 409, 'not_restorable');
    assert.deepEqual((await trashOf(author)).channels, []);
  });

  test('after 30 days a channel leaves the trash and cannot be restored', async () => {
    const [author, channel] = await created();
    await deleteChannel(author, channel);
    wait(30 * dayMs);
    const session = await signInAgain(author);
    assert.deepEqual((await trashOf(session)).channels, []);
    await expectProblem(await restore(session, channel), 409, 'not_restorable');
  });
});
