import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTurns } from '../../../../test/count-turns.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { answeredDates } from '../../../../test/forum/dated-comment.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { hideContent } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { NotificationPage } from '../../../shared/notifications.ts';
import { readAudit } from '../../database/audit-log.ts';
import { deleteExpiredRows } from '../../database/delete-rows.ts';
import { eraseChannel } from '../../forum/channels/erase-channels.ts';
import { eraseDeletedComments } from '../../forum/comments/erase-comments.ts';
import { tellOfEvents } from '../../notifications/pass/tell-events.ts';
import { eraseExpired } from './erase-expired.ts';

const dayMs = 86_400_000;

onBothEngines('final erasure', (forum, wait, engine) => {
  const tables = [
    'comments',
    'comment_thanks',
    'comment_versions',
    'comment_events',
    'event_dates',
    'event_rsvps',
    'channel_versions',
    'reading_positions',
  ] as const;
  /** Counts the channel's rows in each table; omits tables without any. */
  async function rowsOf({ _id }: Channel): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const { count } = await forum()
        .services.db.selectFrom(table as 'comments')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('channel_id', '=', _id)
        .executeTakeFirstOrThrow();
      if (count > 0) counts[table] = count;
    }
    return counts;
  }
  const write = ({ token }: Person, { _id }: Channel, body: object) =>
    forum().json<Comment>('PUT', apiRoutes.comment, { token, body: { id: _id, ...body } });

  /** An edited comment with a mention and thanks, and a reply. */
  async function filled(): Promise<[Person, Channel, Comment, Person]> {
    const author = await forum().person('Ana');
    const channel = await forum().channel(author);
    const mentions = [{ start: 0, length: 4, accountId: author.id }];
    const comment = await write(author, channel, { comment: '@Ana uno dos', mentions });
    await forum().edit(author, channel._id, 1, '@Ana uno dos tres', { mentions });
    const other = await forum().person('Berta');
    await forum().json('PUT', apiRoutes.thanks(channel._id, 1), { token: other.token });
    await write(other, channel, { comment: 'sí', replyTo: 1 });
    await forum().json('PUT', apiRoutes.reads, {
      token: other.token,
      body: { channelId: channel._id, number: 2 },
    });
    return [author, channel, comment, other];
  }

  for (const isHidden of [false, true])
    test(`30 days after its deletion a comment${isHidden ? ' that a moderator hid' : ''} is erased with its images, versions and thanks`, async () => {
      const [author, channel, comment] = await filled();
      await forum().json('DELETE', apiRoutes.channelComment(channel._id, 1), {
        token: author.token,
      });
      if (isHidden) await hideContent(forum(), comment.id);
      wait(30 * dayMs - 60_000);
      await eraseExpired(forum().services);
      assert.equal((await rowsOf(channel)).comments, 2);
      wait(60_001);
      for (let i = 0; i < 2; i++) await eraseExpired(forum().services);
      assert.deepEqual(await rowsOf(channel), { comments: 1, reading_positions: 1 });
      const { token } = await forum().newSession(author);
      const url = apiRoutes.restoreComment(channel._id, 1);
      const restored = await forum().call('POST', url, { token });
      await expectProblem(restored, 409, 'not_restorable');
      const replies = await forum().allComments(channel._id);
      assert.deepEqual([replies[0]?.replyTo, replies[0]?.replyAutor], [1, '']);
    });

  test('a comment with dates to come is erased with them and their answers an hour after people were told, also by a moderator', async () => {
    const [author, bea, leo] = [
      await forum().person('Ana'),
      await forum().person('Bea'),
      await forum().person('Leo'),
    ];
    const channel = await forum().channel(author);
    const number = await answeredDates(forum(), author, channel._id, [bea, leo]);
    await operate(forum(), 'erase', commentId(channel._id, number));
    await tellOfEvents(forum().services, forum().services.now());
    wait(2 * 60_000);
    await tellOfEvents(forum().services, forum().services.now());
    await eraseExpired(forum().services);
    const { comment_events, event_dates, event_rsvps } = await rowsOf(channel);
    assert.deepEqual([comment_events, event_dates, event_rsvps], [1, 2, 4]);
    const { data } = await forum().json<NotificationPage>('GET', apiRoutes.notifications, bea);
    assert.deepEqual(
      data.map(({ kind }) => kind),
      ['event'],
    );
    wait(3_600_001);
    await eraseExpired(forum().services);
    assert.deepEqual(await rowsOf(channel), {});
  });

  test('a comment that is restored as its erasure begins stays', async () => {
    const [author, channel] = await filled();
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 1), { token: author.token });
    wait(30 * dayMs + 1);
    const { services } = forum();
    const withTransaction: typeof services.withTransaction = async (...args) => {
      await services.db.updateTable('comments').set({ deleted_at_ms: null }).execute();
      return services.withTransaction(...args);
    };
    await eraseDeletedComments({ ...services, withTransaction }, services.now() - 30 * dayMs);
    assert.equal((await rowsOf(channel)).comments, 2);
  });

  test('30 days after its deletion a channel is erased as a whole, also one hidden by a moderator', async () => {
    const [author, channel, , other] = await filled();
    const hidden = await forum().channel(author);
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 2), { token: other.token });
    for (const { _id } of [channel, hidden]) {
      await forum().json('DELETE', apiRoutes.channel(_id), { token: author.token });
    }
    await hideContent(forum(), hidden._id);
    wait(30 * dayMs + 1);
    for (let i = 0; i < 2; i++) await eraseExpired(forum().services);
    assert.deepEqual(await rowsOf(channel), {});
    const found = await forum()
      .services.db.selectFrom('channels')
      .select('id')
      .where('id', 'in', [channel._id, hidden._id])
      .execute();
    assert.deepEqual(found, []);
  });

  test('comments are written while others are erased', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    for (let i = 0; i < 5; i++) await forum().comment(author, channel._id, 'uno');
    for (let number = 1; number <= 5; number++) {
      const url = apiRoutes.channelComment(channel._id, number);
      await forum().json('DELETE', url, { token: author.token });
    }
    wait(30 * dayMs + 1);
    const { token } = await forum().newSession(author);
    const writing = Array.from({ length: 10 }, () =>
      forum().comment({ token }, channel._id, 'dos'),
    );
    await Promise.all([eraseExpired(forum().services), eraseExpired(forum().services), ...writing]);
    assert.equal((await rowsOf(channel)).comments, 10);
    assert.equal((await forum().allComments(channel._id)).length, 10);
  });

  test('the audit log has for a year what people did with their own account, and for ever what others did', async () => {
    const ana = await forum().person();
    const entries = async () =>
      (await readAudit(forum().services.db, 100))
        .filter(({ subject }) => subject === ana.id)
        .map(({ actor, action }) => [actor, action]);
    await forum().newSession(ana);
    await forum().json('DELETE', apiRoutes.sessions, ana);
    await operate(forum(), 'disable', ana.email);
    const owner = ['owner', 'end-other-sessions'];
    const operator = ['ada', 'disable-account'];
    wait(365 * dayMs - 60_000);
    await eraseExpired(forum().services);
    assert.deepEqual(await entries(), [owner, operator]);
    wait(60_001);
    await eraseExpired(forum().services);
    assert.deepEqual(await entries(), [operator]);
  });

  test('a follower’s notification stays when the comment that it names is erased, and ends with the channel', async () => {
    const [author, channel, , other] = await filled();
    const { db } = forum().services;
    const about = { account_id: other.id, channel_id: channel._id, created_at_ms: Date.now() };
    // The last of them names a comment that need not exist.
    const followed = [1, 99].map((number) => ({ ...about, kind: 'comment' as const, number }));
    await db.insertInto('notifications').values(followed).execute();
    const left = async () =>
      (
        await db
          .selectFrom('notifications')
          .select(['kind', 'number'])
          .where('channel_id', '=', channel._id)
          .orderBy('id')
          .execute()
      ).map(({ kind, number }) => `${kind} ${number}`);
    assert.deepEqual(await left(), ['thanks 1', 'reply 2', 'comment 1', 'comment 99']);
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 1), { token: author.token });
    wait(30 * dayMs + 1);
    await eraseDeletedComments(forum().services, forum().services.now() - 30 * dayMs);
    assert.deepEqual(await left(), ['reply 2', 'comment 1', 'comment 99']);
    await eraseChannel(db, channel._id);
    assert.deepEqual(await left(), []);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('earlier versions are erased after 30 days, not before', async () => {
    const [, kept] = await filled();
    const [author, edited] = await filled();
    wait(5 * 60_000);
    await forum().json('PATCH', apiRoutes.channelComment(edited._id, 1), {
      token: author.token,
      headers: { 'if-match': '"2"' },
      body: { comment: 'otra cosa' },
    });
    const versions = async () => [
      (await rowsOf(kept)).comment_versions,
      (await rowsOf(edited)).comment_versions,
    ];
    wait(30 * dayMs - 6 * 60_000);
    await eraseExpired(forum().services);
    assert.deepEqual(await versions(), [1, 2]);
    wait(6 * 60_001);
    await eraseExpired(forum().services);
    assert.deepEqual(await versions(), [undefined, undefined]);
  });

  test('a moderator erases a comment with its versions and thanks, and a channel with everything in it', async () => {
    const [author, channel, comment] = await filled();
    await operate(forum(), 'erase', comment.id);
    assert.deepEqual(await rowsOf(channel), { comments: 1, reading_positions: 1 });
    await forum().json('PATCH', apiRoutes.channel(channel._id), {
      token: author.token,
      headers: { 'if-match': '"1"' },
      body: { description: 'Otra' },
    });
    await hideContent(forum(), `${channel._id}-2`);
    await operate(forum(), 'erase', channel._id);
    assert.deepEqual(await rowsOf(channel), {});
  });
});

test('other requests are served while many rows and a long channel are erased', async () => {
  await using forum = await Forum.start('sqlite');
  const { db } = forum.services;
  const { _id: id } = await forum.channel(await forum.person());
  const texts = { name: '', description: '', cover: '', cover_alt: '' };
  const versions = Array.from({ length: 1201 }, (_, index) => ({
    channel_id: id,
    revision: index + 1,
    ...texts,
    replaced_at_ms: 1,
  }));
  await db.insertInto('channel_versions').values(versions).execute();
  const ofRows = await countTurns(() => deleteExpiredRows(db, Date.now()));
  assert.ok(ofRows >= 2, `${ofRows} turns of the event loop for rows`);
  await db
    .updateTable('channels')
    .set({ last_comment_number: 1201, hidden_by: 'x' })
    .where('id', '=', id)
    .execute();
  const ofChannel = await countTurns(() => eraseChannel(db, id));
  assert.ok(ofChannel >= 8, `${ofChannel} turns of the event loop for a channel`);
});
