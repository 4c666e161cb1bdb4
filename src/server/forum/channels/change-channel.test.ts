import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import {
  comment,
  decided,
  hideContent,
  showContent,
  staff,
  undone,
} from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import type { Trash } from '../../../shared/trash.ts';
import { markedForErasure } from '../visible-rows.ts';

const dayMs = 86_400_000;

onBothEngines('own channels', (forum, wait, engine) => {
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
  const send = ({ token }: Caller, { _id }: Channel) =>
    forum().call('PUT', apiRoutes.comment, {
      token,
      body: { id: _id, comment: 'uno' },
      headers: { 'idempotency-key': _id },
    });
  const read = ({ _id }: Channel) =>
    forum().json<Channel>('GET', `${apiRoutes.channel(_id)}?comments=0`);
  const isListed = async ({ _id }: Channel) =>
    (await forum().json<ChannelPage>('GET', apiRoutes.channels)).data.some(
      (one) => one._id === _id,
    );
  const trashOf = async ({ token }: Caller) =>
    (await forum().json<Trash>('GET', apiRoutes.trash, { token })).channels;

  async function created(): Promise<[Person, Channel]> {
    const author = await forum().person('Ana');
    return [author, await forum().channel(author, 'Cine')];
  }

  test('one of two concurrent edits succeeds and the other gets 412', async () => {
    const [author, channel] = await created();
    const answers = await Promise.all(['A', 'B'].map((name) => edit(author, channel, { name })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412]);
  });

  test('a deletion and a concurrent comment by another person cannot both succeed', async () => {
    for (let round = 0; round < 5; round++) {
      const [author, channel] = await created();
      const other = await forum().person();
      const answers = await Promise.all([deleteChannel(author, channel), send(other, channel)]);
      const statuses = answers.map(({ status }) => status).join();
      assert.ok(['204,404', '409,200'].includes(statuses), statuses);
    }
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('an edit replaces the given parts only, raises the revision, stores the earlier version, and is marked once somebody has commented', async () => {
    const [author, channel] = await created();
    const first = await edit(author, channel, { description: 'Otra' });
    assert.equal(((await first.json()) as Channel).editedAt, null);
    await forum().comment(author, channel._id, 'uno');
    wait(5 * 60_000);
    const second = await edit(author, channel, { name: ' Teatro ', coverAlt: 'Un telón' }, '"2"');
    assert.equal(second.headers.get('etag'), '"3"');
    const edited = (await second.json()) as Channel;
    assert.deepEqual(
      [edited.name, edited.description, edited.coverAlt, edited.revision, edited.commentCount],
      ['Teatro', 'Otra', 'Un telón', 3, 1],
    );
    assert.ok(edited.editedAt);
    assert.deepEqual(await read(channel), edited);
    const versions = await forum()
      .services.db.selectFrom('channel_versions')
      .select(['revision', 'name', 'description'])
      .where('channel_id', '=', channel._id)
      .orderBy('revision')
      .execute();
    assert.deepEqual(
      versions.map((version) => Object.values(version)),
      [
        [1, 'Cine', channel.description],
        [2, 'Cine', 'Otra'],
      ],
    );
    // A repeated request, whatever its revision, and one without parts change nothing.
    for (const body of [{ name: 'Teatro' }, {}]) {
      assert.deepEqual(await (await edit(author, channel, body)).json(), edited);
    }
  });

  test('edits within five minutes are one version, and the first and the newest of at most fifty stay', async () => {
    const [author, channel] = await created();
    for (let revision = 1; revision <= 110; revision++) {
      if (revision % 2 === 1) wait(5 * 60_000);
      const answer = await edit(author, channel, { description: `${revision}` }, `"${revision}"`);
      assert.equal(answer.status, 200);
    }
    const versions = await forum()
      .services.db.selectFrom('channel_versions')
      .select('revision')
      .where('channel_id', '=', channel._id)
      .orderBy('revision')
      .execute();
    const newest = Array.from({ length: 49 }, (_, index) => 13 + 2 * index);
    assert.deepEqual(
      versions.map(({ revision }) => revision),
      [1, ...newest],
    );
  });

  test('an edit is marked after five minutes', async () => {
    const [author, channel] = await created();
    wait(5 * 60_000);
    const edited = await edit(author, channel, { description: 'Otra' });
    assert.ok(((await edited.json()) as Channel).editedAt);
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
    await expectProblem(await edit(author, channel, body, ''), 428, 'revision_required');
    await expectProblem(await edit(author, channel, body, '"2"'), 412, 'edit_conflict');
    await expectProblem(await edit(author, channel, body), 400, 'invalid_fields');
    wait(dayMs);
    const late = await edit(author, channel, { name: 'Teatro' });
    assert.match((await expectProblem(late, 409, 'edit_expired')).detail, /nombre del canal/);
    const allowed = await edit(author, channel, { name: 'Cine', description: 'Otra' });
    assert.equal(((await allowed.json()) as Channel).description, 'Otra');
  });

  test('a deleted channel disappears with its comments and is in the trash; restoring it brings it back', async () => {
    const [author, channel] = await created();
    const comment = await (await send(author, channel)).json();
    assert.ok(await isListed(channel));
    for (let i = 0; i < 2; i++) assert.equal((await deleteChannel(author, channel)).status, 204);
    assert.ok(!(await isListed(channel)));
    for (const url of [apiRoutes.channel(channel._id), apiRoutes.channelComments(channel._id)]) {
      await expectProblem(await forum().call('GET', url), 404, 'channel_not_found');
    }
    assert.deepEqual(
      (await trashOf(author)).map(({ channelId, name, commentCount }) => [
        channelId,
        name,
        commentCount,
      ]),
      [[channel._id, 'Cine', 1]],
    );
    const other = await forum().person();
    for (const [change, person] of [
      [close, author],
      [deleteChannel, other],
      [restore, other],
    ] as const) {
      await expectProblem(await change(person, channel), 404, 'channel_not_found');
    }
    // The comment is sent again with its key.
    await expectProblem(await send(author, channel), 410, 'gone');
    for (let i = 0; i < 2; i++) assert.equal((await restore(author, channel)).status, 200);
    assert.deepEqual(await (await send(author, channel)).json(), comment);
    assert.ok(await isListed(channel));
    assert.deepEqual(await forum().allComments(channel._id), [comment]);
    assert.deepEqual(await trashOf(author), []);
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

  test('a closed channel accepts edits and deletions of comments, but no new ones until it is reopened', async () => {
    const [author, channel] = await created();
    await forum().comment(author, channel._id, 'uno');
    const closed = (await (await close(author, channel)).json()) as Channel;
    assert.ok(closed.closedAt);
    for (const shown of [await (await close(author, channel)).json(), await read(channel)])
      assert.deepEqual(shown, closed);
    await expectProblem(await send(author, channel), 409, 'channel_closed');
    assert.deepEqual(await read(channel), closed);
    const url = apiRoutes.channelComment(channel._id, 1);
    const { token } = author;
    await forum().edit(author, channel._id, 1, 'uno, corregido');
    await forum().json('DELETE', url, { token });
    await forum().json('POST', apiRoutes.restoreComment(channel._id, 1), { token });
    const other = await forum().person();
    for (const change of [close, reopen, deleteChannel, restore]) {
      await expectProblem(await change(other, channel), 403, 'not_yours');
    }
    for (let i = 0; i < 2; i++) {
      assert.equal(((await (await reopen(author, channel)).json()) as Channel).closedAt, null);
    }
    assert.equal((await forum().comment(author, channel._id, 'dos')).number, 2);
  });

  test('a deleted channel cannot be restored while a moderator hides or erases it, nor after 30 days', async () => {
    const [author, channel] = await created();
    await deleteChannel(author, channel);
    const isLost = async (caller: Caller = author) => {
      assert.deepEqual(await trashOf(caller), []);
      await expectProblem(await restore(caller, channel), 409, 'not_restorable');
    };
    await hideContent(forum(), channel._id);
    await isLost();
    await expectProblem(await deleteChannel(author, channel), 404, 'channel_not_found');
    await showContent(forum(), channel._id);
    assert.ok(!(await isListed(channel)));
    assert.equal((await trashOf(author)).length, 1);
    wait(30 * dayMs - 60_000);
    const session = await forum().signIn(author.email, author.password);
    const later = (await session.json()) as Caller;
    assert.equal((await trashOf(later)).length, 1);
    wait(60_000);
    await isLost(later);
    wait(-30 * dayMs);
    assert.equal((await restore(author, channel)).status, 200);
    assert.ok(await isListed(channel));
    await deleteChannel(author, channel);
    const { db } = forum().services;
    await db.updateTable('channels').set(markedForErasure).where('id', '=', channel._id).execute();
    await isLost();
  });
});
