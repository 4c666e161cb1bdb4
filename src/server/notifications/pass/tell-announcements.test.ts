import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, hideContent, staff, user } from '../../../../test/forum/moderators.ts';
import type { Acknowledgements, Reach } from '../../../shared/announcements.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { ChannelPage } from '../../../shared/channels.ts';
import type { NotificationPage } from '../../../shared/notifications.ts';
import type { News } from '../../../shared/people.ts';
import { dayMs } from '../../system/times.ts';
import { listNewNotifications } from '../list-notifications.ts';
import { newestId } from '../notification-rows.ts';
import { tellOfAnnouncements } from './tell-announcements.ts';

const minuteMs = 60_000;

onBothEngines('announcements', (forum, wait) => {
  const tell = () => tellOfAnnouncements(forum().services);
  const told = async ({ token }: Person) =>
    (await forum().json<NotificationPage>('GET', apiRoutes.notifications, { token })).data.filter(
      ({ kind }) => kind === 'announcement',
    );
  const scene = async () => {
    await changeSettings(forum(), { zone: 'Europe/Madrid' });
    const [eva, ana] = [await staff(forum()), await forum().person('Ana')];
    const { _id } = await forum().channel(eva, 'Secretaría');
    return { eva, ana, _id };
  };

  const countRows = async ({ id }: Person) => {
    const rows = forum().services.db.selectFrom('notifications').select('id');
    return (await rows.where('account_id', '=', id).where('kind', '=', 'announcement').execute())
      .length;
  };

  test('are told to every other member once, two minutes after they were sent, as they read then', async () => {
    const { eva, ana, _id } = await scene();
    await forum().comment(eva, _id, 'Asamblea', { announcement: {} });
    await tell();
    assert.equal((await told(ana)).length, 0);
    const leo = await forum().person('Leo');
    await decided(forum(), eva, {
      ...{ subject: user(leo), action: 'suspend', days: 1 },
    });
    wait(2 * minuteMs);
    await tell();
    await tell();
    assert.equal(await countRows(leo), 0);
    const [one, ...others] = await told(ana);
    assert.deepEqual(others, []);
    assert.ok(one && 'excerpt' in one);
    assert.equal(one.excerpt, 'Asamblea');
    assert.deepEqual(await told(eva), []);

    const late = await forum().person('Tarde');
    await tell();
    assert.deepEqual(await told(late), []);

    await forum().comment(eva, _id, 'Se retira', { announcement: {} });
    await hideContent(forum(), `${_id}-2`);
    wait(2 * minuteMs);
    await tell();
    assert.equal((await told(ana)).length, 1);
  });

  test('are for moderators, stand on home until their day, and are acknowledged', async () => {
    const { eva, ana, _id } = await scene();
    const body = { id: _id, comment: 'Hola', announcement: {} };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const call = { token: ana.token, body, headers };
    await expectProblem(await forum().call('PUT', apiRoutes.comment, call), 403, 'staff_only');
    for (const until of ['2020-01-01', '2099-01-01', 'mañana']) {
      const bad = { ...body, announcement: { until } };
      const response = await forum().call('PUT', apiRoutes.comment, {
        ...{ token: eva.token, body: bad, headers: { 'idempotency-key': crypto.randomUUID() } },
      });
      await expectProblem(response, 400, 'invalid_fields');
    }
    const { number, id, announcement } = await forum().comment(eva, _id, 'Cuotas', {
      announcement: { confirm: true },
    });
    assert.equal(announcement?.confirm, true);
    const onHome = async () =>
      (await forum().json<ChannelPage>('GET', apiRoutes.channels)).announcements?.map(
        ({ comment }) => comment,
      );
    assert.equal((await onHome())?.[0], 'Cuotas');
    const reach = await forum().json<Reach>('GET', apiRoutes.reach, eva);
    assert.ok(reach.members > 0);
    assert.equal(reach.onlyHere, reach.members);

    const acknowledged = async () =>
      (await forum().json<News>('GET', apiRoutes.news, ana)).acknowledged.includes(id);
    assert.equal(await acknowledged(), false);
    const path = apiRoutes.acknowledgement(_id, number);
    for (let i = 0; i < 2; i++)
      assert.equal((await forum().call('PUT', path, { token: ana.token })).status, 204);
    assert.equal(await acknowledged(), true);
    const list = await forum().json<Acknowledgements>(
      'GET',
      apiRoutes.acknowledgements(_id, number),
      eva,
    );
    assert.equal(list.acknowledged, 1);
    assert.equal(list.mayRemind, false);
    assert.equal(list.members, reach.members);
    assert.notEqual(list.data.find((one) => one.id === ana.id)?.acknowledgedAt, null);

    const remind = () =>
      forum().call('POST', apiRoutes.announcementReminder(_id, number), { token: eva.token });
    await expectProblem(await remind(), 409, 'too_early');
    wait(2 * minuteMs);
    await tell();
    wait(dayMs);
    const beto = await forum().person('Beto');
    assert.equal((await remind()).status, 204);
    await expectProblem(await remind(), 409, 'already_reminded');
    const [reminder, ...more] = await told(beto);
    assert.deepEqual(more, []);
    assert.ok(reminder && 'people' in reminder);
    assert.equal(reminder.people[0]?.name, 'Eva');
    wait(8 * dayMs);
    await forum().comment(eva, _id, 'Vacía la caché');
    assert.deepEqual(await onHome(), []);
    await hideContent(forum(), id);
    await expectProblem(
      await forum().call('PUT', path, { token: ana.token }),
      404,
      'comment_not_found',
    );
  });

  test('of an author who is no moderator any more are told to nobody; without a text they say their dates; who has read is listed only if that was asked', async () => {
    const { eva, ana, _id } = await scene();
    const other = await staff(forum());
    const event = { title: 'Asamblea', allDay: true, dates: [{ start: '2027-03-28' }] };
    const { number } = await forum().comment(eva, _id, '', { event, announcement: {} });
    await forum().comment(other, _id, 'Mentira', { announcement: {} });
    await forum()
      .services.db.updateTable('accounts')
      .set({ role: 'member' })
      .where('id', '=', other.id)
      .execute();
    wait(2 * minuteMs);
    await tell();
    assert.deepEqual(
      (await told(ana)).map((one) => 'excerpt' in one && one.excerpt),
      ['Asamblea domingo 28 de marzo'],
    );
    // A digest of few lines has it, whatever is newer.
    const mine = await forum().comment(ana, _id, '¿A qué hora?');
    await forum().comment(eva, _id, 'A las ocho', { replyTo: mine.number });
    const range = { after: 0, upTo: newestId };
    const shown = { most: 1, kinds: ['reply', 'announcement'] as const, follow: 'mine' as const };
    const { db } = forum().services;
    const digest = await listNewNotifications(db, ana.id, range, {
      ...shown,
      kinds: [...shown.kinds],
    });
    assert.deepEqual([digest.data[0]?.kind, digest.more], ['announcement', 1]);
    const { announcements = [] } = await forum().json<ChannelPage>('GET', apiRoutes.channels);
    const texts = announcements.map(({ comment }) => comment);
    assert.ok(texts.includes('Asamblea\ndomingo 28 de marzo'), texts.join());
    const list = await forum().call('GET', apiRoutes.acknowledgements(_id, number), {
      token: eva.token,
    });
    await expectProblem(list, 404, 'comment_not_found');
  });
});
