import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import type { Person } from '../../../test/forum/forum.ts';
import { insertComments } from '../../../test/forum/insert-comments.ts';
import { askForDeletion } from '../../../test/forum/leave-traces.ts';
import { comment, decided, staff, undone, user } from '../../../test/forum/moderators.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { limits } from '../../shared/limits.ts';
import type { Level, NotificationPage } from '../../shared/notifications.ts';
import type { News } from '../../shared/people.ts';
import { withQuery } from '../../shared/routes.ts';
import { eraseExpired } from '../operation/housekeeping/erase-expired.ts';
import { eraseDueAccounts } from '../privacy/erasure/erase-account.ts';
import { toStoredText } from '../texts/stored-text.ts';
import { kindsOf } from './write-notifications.ts';

const dayMs = 86_400_000;

onBothEngines('notifications', (forum, wait, engine) => {
  const list = ({ token }: Person, after?: string) =>
    forum().json<NotificationPage>('GET', withQuery(apiRoutes.notifications, { after }), { token });
  const news = ({ token }: Person, channels = '') =>
    forum().json<News>('GET', withQuery(apiRoutes.news, { channels }), { token });
  const unread = async (person: Person) => (await news(person)).unreadNotifications;
  const see = ({ token }: Person, id: unknown) =>
    forum().json('PUT', apiRoutes.notificationsSeen, { token, body: { id } });
  const follow = ({ token }: Person, channelId: string, level: Level) =>
    forum().json('PUT', apiRoutes.level(channelId), { token, body: { level } });
  const read = ({ token }: Person, channelId: string, number: number) =>
    forum().json('PUT', apiRoutes.reads, { token, body: { channelId, number } });
  const thank = ({ token }: Person, channelId: string, number: number, method = 'PUT') =>
    forum().json(method, apiRoutes.thanks(channelId, number), { token });
  const reply = (person: Person, channelId: string, replyTo: number, text = 'Sí') =>
    forum().comment(person, channelId, text, { replyTo });
  const mention = (person: Person, channelId: string, { id, name }: Person, more = {}) => {
    const mentions = [{ start: 0, length: name.length + 1, accountId: id }];
    return forum().comment(person, channelId, `@${name}`, { mentions, ...more });
  };
  /** Rows of one channel, as `account kind number actor`. */
  async function rowsOf(channelId: string): Promise<string[]> {
    const rows = await forum()
      .services.db.selectFrom('notifications')
      .innerJoin('accounts as one', 'one.id', 'notifications.account_id')
      .innerJoin('accounts as actor', 'actor.id', 'notifications.actor_id')
      .select(['one.name as account', 'kind', 'number', 'actor.name as actor'])
      .where('channel_id', '=', channelId)
      .orderBy('notifications.id')
      .execute();
    return rows.map(({ account, kind, number, actor }) => `${account} ${kind} ${number} ${actor}`);
  }
  /** The notification list, without decisions, ids and times. */
  const told = async (person: Person) =>
    (await list(person)).data.flatMap((one) => {
      if (!('people' in one)) return [];
      const { kind, channel, number, people, count, isNew } = one;
      return [[kind, channel.name, number, people.map(({ name }) => name).join(), count, isNew]];
    });
  const people = async <Names extends string[]>(...names: [...Names]) =>
    (await Promise.all(names.map((name) => forum().person(name)))) as {
      [Index in keyof Names]: Person;
    };
  /** Creates a channel by this person with one comment by them. */
  async function begun(person: Person, name = 'Cine'): Promise<string> {
    const { _id } = await forum().channel(person, name);
    await insertComments(forum(), _id, person.id, 1);
    return _id;
  }

  test('are stored once for each reply, mention and thanks, whatever is repeated, and not for own acts or edits', async () => {
    const [ana, bea] = await people('Ana', 'Bea');
    const id = await begun(ana);
    const { token } = bea;
    const headers = { 'idempotency-key': 'una-vez' };
    for (let i = 0; i < 2; i++) {
      const body = { id, comment: 'Sí', replyTo: 1 };
      await forum().json('PUT', apiRoutes.comment, { token, headers, body });
    }
    for (const method of ['PUT', 'PUT', 'DELETE', 'PUT']) await thank(bea, id, 1, method);
    const { number, mentions, comment } = await mention(bea, id, ana);
    await mention(ana, id, ana, { replyTo: 1 });
    await forum().edit(bea, id, 2, comment, { mentions });
    assert.deepEqual(await rowsOf(id), [
      'Ana reply 2 Bea',
      'Ana thanks 1 Bea',
      `Ana mention ${number} Bea`,
    ]);
    assert.deepEqual([await unread(ana), await unread(bea)], [3, 0]);
    assert.deepEqual(await told(ana), [
      ['mention', 'Cine', number, 'Bea', 1, true],
      ['thanks', 'Cine', 1, 'Bea', 1, true],
      ['reply', 'Cine', 2, 'Bea', 1, true],
    ]);
  });

  test('are stored for those whom an edit mentions and the comment did not before, five mentioned people of a comment in all', async () => {
    const author = await forum().person('Autora');
    const [ana, ...others] = await people('Ana', 'Bea', 'Cleo', 'Dana', 'Eva', 'Flor', 'Gala');
    const id = await begun(ana);
    const text = (people: Person[]) => people.map(({ name }) => `@${name}`).join(' ');
    const mentions = (people: Person[]) =>
      people.map(({ id: accountId, name }, index) => {
        const start = text(people.slice(0, index)).length + (index > 0 ? 1 : 0);
        return { start, length: name.length + 1, accountId };
      });
    let revision = 0;
    const edit = (people: Person[]) =>
      forum().json('PATCH', apiRoutes.channelComment(id, 2), {
        token: author.token,
        headers: { 'if-match': `"${++revision}"` },
        body: { comment: text(people), mentions: mentions(people) },
      });
    const [bea, cleo, dana, ...rest] = others as [Person, Person, Person, ...Person[]];
    const more = { replyTo: 1, mentions: mentions([bea]) };
    await forum().comment(author, id, text([bea]), more);
    await edit([bea, cleo, ana, author]);
    await edit([cleo]);
    const read = { channelId: id, number: 2 };
    await forum().json('PUT', apiRoutes.reads, { token: dana.token, body: read });
    await edit([bea, cleo, dana]);
    const told = ['Ana reply', 'Bea mention', 'Cleo mention', 'Dana mention'];
    const stored = (names: string[]) => names.map((name) => `${name} 2 Autora`);
    // One statement writes those of a comment, in any order.
    assert.deepEqual((await rowsOf(id)).toSorted(), stored(told));
    await edit([bea, ...rest]);
    const all = stored([...told, 'Eva mention', 'Flor mention']);
    assert.deepEqual((await rowsOf(id)).toSorted(), all);
    assert.equal(await unread(cleo), 1);
    // She had read the comment before it mentioned her.
    assert.equal(await unread(dana), 1);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('about hidden content are in no list, and return when it is shown again', async () => {
    const [ana, bea] = await people('Ana', 'Bea');
    const eva = await staff(forum());
    const id = await begun(ana);
    await reply(bea, id, 1);
    await mention(bea, id, ana);
    await thank(bea, id, 1);
    const all = await told(ana);
    assert.equal(all.length, 3);
    const without = async (...kinds: string[]) => {
      const left = all.filter(([kind]) => !kinds.includes(String(kind)));
      assert.deepEqual(await told(ana), left);
      const { data } = await list(ana);
      const decisions = data.filter(({ kind }) => kind === 'decision').length;
      assert.equal(await unread(ana), left.length + decisions);
    };

    await forum().json('DELETE', apiRoutes.channelComment(id, 2), { token: bea.token });
    await without('reply');
    await forum().json('POST', apiRoutes.restoreComment(id, 2), { token: bea.token });
    await thank(bea, id, 1, 'DELETE');
    await without('thanks');
    await thank(bea, id, 1);
    for (const [subject, action, kinds] of [
      [comment(id, 3), 'hide', ['mention']],
      [comment(id, 1), 'hide', ['thanks']],
      [user(bea), 'hideAll', ['reply', 'mention', 'thanks']],
      [{ kind: 'channel' as const, id }, 'hide', ['reply', 'mention', 'thanks']],
    ] as const) {
      const decision = await decided(forum(), eva, { subject, action });
      await without(...kinds);
      await undone(forum(), eva, decision);
      await without();
    }
  });

  test('are new until the comment is read or the list is seen, or for thanks until the list is seen', async () => {
    const [ana, bea] = await people('Ana', 'Bea');
    const id = await begun(ana);
    await reply(bea, id, 1);
    await reply(bea, id, 1);
    await thank(bea, id, 1);
    assert.equal(await unread(ana), 2);
    await read(ana, id, 2);
    assert.equal(await unread(ana), 2);
    assert.deepEqual(await told(ana), [
      ['thanks', 'Cine', 1, 'Bea', 1, true],
      ['reply', 'Cine', 3, 'Bea', 1, true],
      ['reply', 'Cine', 2, 'Bea', 1, false],
    ]);
    await read(ana, id, 3);
    assert.equal(await unread(ana), 1);
    // The second request comes from a device that has seen less, the third names an id that does not exist yet.
    for (const seen of [(await list(ana)).data[0]?.id, 1, Number.MAX_SAFE_INTEGER]) {
      await see(ana, seen);
      assert.equal(await unread(ana), 0);
    }
    assert.deepEqual(await told(ana), [
      ['thanks', 'Cine', 1, 'Bea', 1, false],
      ['reply', 'Cine', 3, 'Bea', 1, false],
    ]);
    await reply(bea, id, 1);
    assert.equal(await unread(ana), 1);
  });

  test('are merged by channel and kind, show the most recent people first, and link to the first new one', async () => {
    const [ana, bea, ...others] = await people('Ana', 'Bea', 'Carla', 'Dora', 'Eva');
    const id = await begun(ana);
    const other = await begun(ana, 'Libros');
    for (const each of [bea, ...others]) await reply(each, id, 1, `Yo, ${each.name}`);
    await mention(bea, other, ana);
    await reply(bea, id, 1);
    assert.deepEqual(await told(ana), [
      ['reply', 'Cine', 2, 'Bea,Eva,Dora', 4, true],
      ['mention', 'Libros', 2, 'Bea', 1, true],
    ]);
    const [first] = (await list(ana)).data;
    assert.equal(first?.excerpt, 'Yo, Bea');
    assert.equal(await unread(ana), 2);
  });

  test('come in pages, each of which shows what was new when the first one was read', async () => {
    const [ana, bea] = await people('Ana', 'Bea');
    const names = Array.from({ length: limits.notificationsPerPage + 2 }, (_, i) => `Canal ${i}`);
    for (const name of names) await reply(bea, await begun(ana, name), 1);
    const first = await list(ana);
    assert.equal(first.data.length, limits.notificationsPerPage);
    await see(ana, first.data[0]?.id);
    const second = await list(ana, first.next ?? '');
    assert.equal(second.next, null);
    assert.ok(second.data.every(({ isNew }) => isNew));
    assert.deepEqual(
      [...first.data, ...second.data].map(({ channel }) => channel?.name),
      names.toReversed(),
    );
  });

  test('show the own words of a reply, however long the quotation before them', async () => {
    const [ana, bea] = await people('Ana', 'Bea');
    const id = await begun(ana);
    for (const [quotation, text, excerpt] of [
      ['> ¿Vienes?\n>\n> > Di algo', 'Claro\n> que sí\na las seis', 'Claro a las seis'],
      [`> ${'palabras '.repeat(500)}`, 'Claro', 'Claro'],
      ['> ¿Vienes?\n> > Di algo', '', '¿Vienes? Di algo'],
    ] as const) {
      const { number } = await reply(bea, id, 1, `${quotation}\n\n${text}`);
      assert.equal((await list(ana)).data[0]?.excerpt, excerpt);
      await read(ana, id, number);
    }
  });

  test('are limited to the newest thousand, which hidden ones do not displace from the list', async () => {
    const [ana, bea, carla] = await people('Ana', 'Bea', 'Carla');
    await mention(carla, await begun(ana, 'Libros'), ana);
    const id = await begun(ana);
    await insertComments(forum(), id, bea.id, 999);
    const { db, now } = forum().services;
    const answers = Array.from({ length: 999 }, (_, i) => ({
      account_id: ana.id,
      channel_id: id,
      number: i + 2,
      kind: 'reply' as const,
      actor_id: bea.id,
      created_at_ms: now(),
    }));
    await db.insertInto('notifications').values(answers).execute();
    await read(ana, id, 1000);
    assert.equal(await unread(ana), 1, 'the mention is counted below many that were read');
    await reply(bea, id, 1);
    assert.deepEqual(await told(ana), [
      ['reply', 'Cine', 1001, 'Bea', 1, true],
      ['reply', 'Cine', 1000, 'Bea', 1, false],
    ]);
    await decided(forum(), await staff(forum()), { subject: user(bea), action: 'hideAll' });
    assert.deepEqual(await told(ana), [['mention', 'Libros', 2, 'Carla', 1, true]]);
  });

  test('about the reply of an erased account name it as erased, and its other notifications are erased', async () => {
    const [ana, bea, carla] = await people('Ana', 'Bea', 'Carla');
    const id = await begun(ana);
    await reply(bea, id, 1);
    await thank(bea, id, 1);
    await reply(carla, id, 2);
    await mention(carla, id, ana);
    await askForDeletion(forum(), bea, 'anonymous');
    await askForDeletion(forum(), carla, 'erase');
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().services);
    assert.deepEqual(await rowsOf(id), ['Ana reply 2 cuenta eliminada']);
    assert.deepEqual(await told(ana), [['reply', 'Cine', 2, 'cuenta eliminada', 1, true]]);
    // A reply to the comment of an erased account notifies nobody.
    await reply(ana, id, 2);
    assert.equal((await rowsOf(id)).length, 1);
  });

  test('are erased after 90 days', async () => {
    const [ana, bea] = await people('Ana', 'Bea');
    const id = await begun(ana);
    await reply(bea, id, 1);
    wait(90 * dayMs - 60_000);
    await eraseExpired(forum().services);
    assert.equal((await rowsOf(id)).length, 1);
    wait(60_001);
    await eraseExpired(forum().services);
    assert.deepEqual(await rowsOf(id), []);
  });

  test('are not written for a person who silenced the channel, and earlier ones stay', async () => {
    const [ana, bea] = await people('Ana', 'Bea');
    const id = await begun(ana);
    await reply(bea, id, 1);
    await follow(ana, id, 'none');
    await reply(bea, id, 1);
    await mention(bea, id, ana);
    await thank(bea, id, 1);
    assert.deepEqual(await rowsOf(id), ['Ana reply 2 Bea']);
    await follow(ana, id, 'mine');
    await mention(bea, id, ana);
    assert.deepEqual(await rowsOf(id), ['Ana reply 2 Bea', 'Ana mention 5 Bea']);
  });

  test('list a followed channel with the comments after the reading position, if there is none, with those written since', async () => {
    const [ana, bea] = await people('Ana', 'Bea');
    const id = await begun(ana);
    await forum().comment(ana, id, 'Dos');
    const last = { autor: 'Ana', excerpt: 'Dos' };
    const readsOf = async () => (await news(bea, id)).reads[id];
    assert.equal(await readsOf(), undefined);
    await read(bea, id, 1);
    assert.deepEqual(await readsOf(), { number: 1, unread: 1, level: 'mine', last });
    assert.deepEqual((await list(bea)).channels, []);
    await follow(bea, id, 'all');
    assert.deepEqual(await readsOf(), { number: 1, unread: 1, level: 'all', last });
    assert.deepEqual((await list(bea)).channels, [{ _id: id, name: 'Cine', unread: 1 }]);
    await follow(bea, id, 'mine');
    assert.deepEqual(await readsOf(), { number: 1, unread: 1, level: 'mine', last });
    assert.deepEqual((await list(bea)).channels, []);
    const [carla] = await people('Carla');
    await follow(carla, id, 'all');
    assert.deepEqual((await list(carla)).channels, [{ _id: id, name: 'Cine', unread: 0 }]);
    await forum().comment(ana, id, 'Tres');
    assert.deepEqual((await list(carla)).channels, [{ _id: id, name: 'Cine', unread: 1 }]);
  });
});

test('a comment notifies the author it replies to and the first five other people it mentions', () => {
  const ids = ['author', 'answered', 'a', 'b', 'c', 'd', 'e', 'f'];
  const mentions = ids.map((accountId, index) => ({ start: 2 * index, length: 2, accountId }));
  const text = toStoredText('@x'.repeat(ids.length), mentions);
  assert.deepEqual(Object.entries(Object.fromEntries(kindsOf('author', text, 'answered'))), [
    ['answered', 'reply'],
    ...['a', 'b', 'c', 'd', 'e'].map((id) => [id, 'mention']),
  ]);
  assert.deepEqual([...kindsOf('a', toStoredText('Sí'), 'a')], []);
});
