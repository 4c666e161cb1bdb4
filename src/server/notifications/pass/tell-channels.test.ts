import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { comment, decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { notificationKinds } from '../../../shared/notification-kinds.ts';
import type { Level, NotificationPage } from '../../../shared/notifications.ts';
import type { News } from '../../../shared/people.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import { dayMs } from '../../system/times.ts';
import { tellOfChannels } from './tell-channels.ts';

const minuteMs = 60_000;

onBothEngines('channels', (forum, wait) => {
  const pass = () => tellOfChannels(forum().services);
  /** A pass, so much later. */
  const later = async (ms = 21_000) => {
    wait(ms);
    await pass();
  };
  const list = ({ token }: Person) =>
    forum().json<NotificationPage>('GET', apiRoutes.notifications, { token });
  /** Titles of the notifications, new ones with an asterisk, with how many are unread. */
  const told = async (person: Person) => {
    const { data } = await list(person);
    const { token } = person;
    const { unreadNotifications } = await forum().json<News>('GET', apiRoutes.news, { token });
    const titles = data.map((one) => {
      const parts = notificationKinds[one.kind].title(one);
      const words = parts.map((part) =>
        typeof part === 'string' ? part : 'person' in part ? part.person : part.channel,
      );
      return `${one.isNew ? '* ' : ''}${words.join('')}`;
    });
    return [...titles, unreadNotifications];
  };
  const setLevel = ({ token }: Person, channelId: string, level: Level) =>
    forum().json('PUT', apiRoutes.level(channelId), { token, body: { level } });
  const read = ({ token }: Person, channelId: string, number: number) =>
    forum().json('PUT', apiRoutes.reads, { token, body: { channelId, number } });
  const see = async (person: Person) => {
    const [newest] = (await list(person)).data;
    const { token } = person;
    const body = { id: newest?.id };
    await forum().json('PUT', apiRoutes.notificationsSeen, { token, body });
  };
  const settings = ({ token }: Person, body: object) =>
    forum().json('PATCH', apiRoutes.notificationSettings, { token, body });
  /** A channel that is not told as a new one. */
  const channelBy = async (person: Person, name = 'Ensayos') => {
    const { _id } = await forum().channel(person, name);
    const { db } = forum().services;
    await db.updateTable('channels').set({ is_told: 1 }).where('id', '=', _id).execute();
    return _id;
  };

  test('are told once to those who follow them, until they look, twenty seconds after a comment', async () => {
    const [ana, marga, bea] = [
      await forum().person('Ana'),
      await forum().person('Marga'),
      await forum().person('Bea'),
    ];
    const id = await channelBy(ana);
    for (const person of [ana, marga]) await setLevel(person, id, 'all');
    await forum().comment(marga, id, 'Mañana no hay ensayo');
    await later(19_000);
    assert.deepEqual(await told(ana), [0]);
    await later();
    assert.deepEqual(await told(ana), ['* Marga escribió en Ensayos', 1]);
    assert.deepEqual([await told(marga), await told(bea)], [[0], [0]]);
    await forum().comment(bea, id, '¿Por qué?');
    await later();
    await later();
    assert.deepEqual(await told(ana), ['* Bea y Marga escribieron en Ensayos', 1]);
    assert.deepEqual(await told(marga), ['* Bea escribió en Ensayos', 1]);
    const [first] = (await list(ana)).data;
    assert.deepEqual(first?.kind === 'comment' && [first.number, first.count, first.excerpt], [
      1,
      2,
      'Mañana no hay ensayo',
    ]);
    await read(ana, id, 1);
    assert.deepEqual(await told(ana), ['Bea y Marga escribieron en Ensayos', 0]);
    await forum().comment(marga, id, 'Estoy mala');
    await later();
    const rest = ['Marga escribió en Ensayos', 'Bea y Marga escribieron en Ensayos'];
    assert.equal((await told(ana)).at(-1), 1);
    assert.equal((await told(ana)).length, rest.length + 1);
    await see(ana);
    assert.equal((await told(ana)).at(-1), 0);
    await forum().comment(marga, id, 'Ya estoy bien');
    await later();
    assert.equal((await told(ana)).at(-1), 1);
    await see(ana);
    // A reply to a follower is told as a reply only.
    await forum().comment(ana, id, 'Cuídate');
    await forum().comment(marga, id, 'Gracias', { replyTo: 5 });
    await later();
    assert.deepEqual(
      [(await told(ana))[0], (await told(ana)).at(-1)],
      ['* Marga te respondió en Ensayos', 1],
    );
  });

  test('are told in spite of a reply of the same moments that was read, seen in the list or deleted', async () => {
    const ana = await forum().person('Ana');
    const [bea, eva] = [await forum().person('Bea'), await forum().person('Eva')];
    const id = await channelBy(ana);
    await setLevel(ana, id, 'all');
    const { number } = await forum().comment(ana, id, '¿Hay ensayo?');
    const answer = () => forum().comment(bea, id, 'Creo que sí', { replyTo: number });
    const newest = async () => (await told(ana))[0];
    await later();

    await read(ana, id, (await answer()).number);
    await forum().comment(eva, id, 'Mañana no hay');
    await later();
    assert.equal(await newest(), '* Eva escribió en Ensayos');

    await answer();
    await see(ana);
    await forum().comment(eva, id, 'Pasado tampoco');
    await later();
    assert.equal(await newest(), '* Eva y Bea escribieron en Ensayos');

    await see(ana);
    const deleted = await answer();
    const { token } = bea;
    await forum().json('DELETE', apiRoutes.channelComment(id, deleted.number), { token });
    await forum().comment(eva, id, 'El lunes sí');
    await later();
    assert.equal(await newest(), '* Eva escribió en Ensayos');
  });

  test('are told to nobody who has read the comment, silenced or left the channel, is suspended, or cannot see it', async () => {
    const eva = await staff(forum());
    const ana = await forum().person('Ana');
    const id = await channelBy(ana);
    const people = await Promise.all(
      ['Reader', 'Silenced', 'Left', 'Suspended', 'Follower'].map((name) => forum().person(name)),
    );
    for (const person of people) await setLevel(person, id, 'all');
    const [reader, silenced, left, suspended, follower] = people as [
      ...[Person, Person, Person, Person, Person],
    ];
    await setLevel(silenced, id, 'none');
    await setLevel(left, id, 'mine');
    const suspending = { subject: user(suspended), action: 'suspend' as const };
    const { id: decision } = await decided(forum(), eva, suspending);
    const { number } = await forum().comment(ana, id, 'Hola');
    await read(reader, id, number);
    await later();
    await undone(forum(), eva, { id: decision });
    for (const person of [reader, silenced, left, suspended]) {
      const { data } = await list(person);
      assert.deepEqual(
        data.filter(({ kind }) => kind !== 'decision'),
        [],
      );
    }
    assert.deepEqual(await told(follower), ['* Ana escribió en Ensayos', 1]);
    const hidden = await decided(forum(), eva, { subject: comment(id, number), action: 'hide' });
    assert.deepEqual(await told(follower), [0]);
    await undone(forum(), eva, hidden);
    assert.deepEqual(await told(follower), ['* Ana escribió en Ensayos', 1]);

    // While what a row is about is hidden, it does not hold back the next one.
    const again = await decided(forum(), eva, { subject: comment(id, number), action: 'hide' });
    await forum().comment(ana, id, 'Otra cosa');
    await later();
    assert.deepEqual(await told(follower), ['* Ana escribió en Ensayos', 1]);
    await undone(forum(), eva, again);

    const other = await forum().comment(ana, id, 'Esto se oculta antes');
    await see(follower);
    await decided(forum(), eva, { subject: comment(id, other.number), action: 'hide' });
    await later();
    assert.equal((await told(follower)).at(-1), 0);

    await forum().comment(ana, id, 'Se oculta el canal');
    const channel = { subject: { kind: 'channel' as const, id }, action: 'hide' as const };
    const channelHidden = await decided(forum(), eva, channel);
    await later();
    await undone(forum(), eva, channelHidden);
    assert.equal((await told(follower)).at(-1), 0);
    await later();
    assert.equal((await told(follower))[0], '* Ana escribió en Ensayos');
  });

  test('are followed by those who chose none, if they or the community say so', async () => {
    const ana = await forum().person('Ana');
    const [all, mine, none] = await Promise.all([
      forum().person('All'),
      forum().person('Mine'),
      forum().person('None'),
    ]);
    const id = await channelBy(ana);
    await settings(all, { follow: 'all' });
    await forum().comment(ana, id, 'Uno');
    await later();
    assert.deepEqual([await told(all), await told(mine)], [['* Ana escribió en Ensayos', 1], [0]]);
    await changeSettings(forum(), { follow: 'all' });
    await settings(mine, { follow: 'mine' });
    const { token } = none;
    const reads = await forum().json<News>('GET', apiRoutes.news, { token });
    assert.equal(reads.follow, 'all');
    await see(all);
    await forum().comment(ana, id, 'Dos');
    await later();
    assert.deepEqual(await told(all), ['* Ana escribió en Ensayos', 'Ana escribió en Ensayos', 1]);
    assert.deepEqual(await told(mine), [0]);
    assert.deepEqual(await told(none), ['* Ana escribió en Ensayos', 1]);
    await changeSettings(forum(), {});
  });

  test('that are new are told to all members but their author, and those who joined later, after ten minutes, as one', async () => {
    const eva = await staff(forum());
    const ana = await forum().person('Ana');
    const [bea, off] = [await forum().person('Bea'), await forum().person('Off')];
    await settings(off, { channels: false });
    const { _id } = await forum().channel(ana, 'Excursiones');
    const hidden = await forum().channel(ana, 'Anuncios baratos');
    await decided(forum(), eva, {
      subject: { kind: 'channel', id: hidden._id },
      action: 'hide',
    });
    await later(9 * minuteMs);
    assert.deepEqual(await told(bea), [0]);
    const late = await forum().person('Late');
    await later(2 * minuteMs);
    await pass();
    assert.deepEqual(await told(bea), ['* Ana abrió el canal Excursiones', 1]);
    assert.deepEqual([(await told(ana)).at(-1), await told(off), await told(late)], [1, [0], [0]]);
    await forum().channel(ana, 'Cocina');
    await later(11 * minuteMs);
    assert.deepEqual(await told(bea), ['* 2 canales nuevos', 1]);
    await read(bea, _id, 0);
    assert.deepEqual(await told(bea), [
      '* Ana abrió el canal Cocina',
      'Ana abrió el canal Excursiones',
      1,
    ]);
    const { token } = ana;
    const { _id: gone } = await forum().channel(ana, 'Se borra');
    await later(11 * minuteMs);
    assert.equal((await told(bea))[0], '* 2 canales nuevos');
    await forum().json('DELETE', apiRoutes.channel(gone), { token });
    assert.equal((await told(bea))[0], '* Ana abrió el canal Cocina');
    wait(31 * dayMs);
    await eraseExpired(forum().services);
    const rows = forum().services.db.selectFrom('notifications').select('id');
    assert.deepEqual(await rows.where('channel_id', '=', gone).execute(), []);
  });
});
