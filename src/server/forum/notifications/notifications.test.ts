import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { comment, decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import type { Level, NotificationPage } from '../../../shared/notifications.ts';
import type { News } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';
import type { StoredText } from '../../database/stored-text.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';

const dayMs = 86_400_000;

onBothEngines('notifications', (forum, wait, engine) => {
  const list = ({ token }: Person, after?: string) =>
    forum().json<NotificationPage>('GET', withQuery(apiRoutes.notifications, { after }), { token });
  const news = ({ token }: Person, channels = '') =>
    forum().json<News>('GET', withQuery(apiRoutes.news, { channels }), { token });
  const unread = async (person: Person) => (await news(person)).unreadNotifications;
  const see = ({ token }: Person, id: unknown) =>
    forum().call('PUT', apiRoutes.notificationsSeen, { token, body: { id } });
  const setLevel = ({ token }: Person, channelId: string, level: unknown) =>
    forum().call('PUT', apiRoutes.level(channelId), { token, body: { level } });
  const follow = async (person: Person, channelId: string, level: Level) =>
    assert.equal((await setLevel(person, channelId, level)).status, 204);
  const read = ({ token }: Person, channelId: string, number: number) =>
    forum().json('PUT', apiRoutes.reads, { token, body: { channelId, number } });
  const thank = ({ token }: Person, channelId: string, number: number, method = 'PUT') =>
    forum().json(method, apiRoutes.thanks(channelId, number), { token });
  const reply = (person: Person, channelId: string, replyTo: number, text = 'Sí') =>
    forum().comment(person, channelId, text, { replyTo });
  /** Writes a comment that only mentions these people. */
  const mention = (person: Person, channelId: string, people: Person[], more = {}) => {
    let text = '';
    const mentions = people.map(({ id, name }) => {
      const start = text.length;
      text += `@${name} `;
      return { start, length: name.length + 1, accountId: id };
    });
    return forum().comment(person, channelId, text, { mentions, ...more });
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
  /** The notification list, without ids and times. */
  const told = async (person: Person) =>
    (await list(person)).data.map(({ kind, channel, number, people, count, isNew }) => [
      kind,
      channel.name,
      number,
      people.map(({ name }) => name).join(),
      count,
      isNew,
    ]);
  const people = (...names: string[]) => Promise.all(names.map((name) => forum().person(name)));
  /** Creates a channel by this person with one comment by them. */
  async function begun(person: Person, name = 'Cine'): Promise<string> {
    const { _id } = await forum().channel(person, name);
    await forum().comment(person, _id, 'Empiezo yo');
    return _id;
  }
  /** Writes many replies to the first comment of a channel at once. */
  async function replyOften(actor: Person, to: Person, channelId: string, count: number) {
    const event = { channel_id: channelId, created_at_ms: forum().services.now() };
    const numbers = Array.from({ length: count }, (_, i) => i + 2);
    const { db } = forum().services;
    const comment = { ...event, account_id: actor.id, text: 'Sí' as StoredText };
    await db
      .insertInto('comments')
      .values(numbers.map((number) => ({ ...comment, number })))
      .execute();
    const notification = {
      ...event,
      kind: 'reply' as const,
      account_id: to.id,
      actor_id: actor.id,
    };
    await db
      .insertInto('notifications')
      .values(numbers.map((number) => ({ ...notification, number })))
      .execute();
    const last = { last_comment_number: count + 1, comment_count: count + 1 };
    await db.updateTable('channels').set(last).where('id', '=', channelId).execute();
  }

  test('are stored once for each reply, mention and thanks, whatever is repeated', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    const id = await begun(ana);
    const answer = { token: bea.token, headers: { 'idempotency-key': 'una-vez' } };
    for (let i = 0; i < 2; i++) {
      const body = { id, comment: 'Sí', replyTo: 1 };
      await forum().json<Comment>('PUT', apiRoutes.comment, { ...answer, body });
    }
    for (const method of ['PUT', 'PUT', 'DELETE', 'PUT']) await thank(bea, id, 1, method);
    await mention(bea, id, [ana, ana]);
    assert.deepEqual(await rowsOf(id), [
      'Ana reply 2 Bea',
      'Ana thanks 1 Bea',
      'Ana mention 3 Bea',
    ]);
    assert.equal(await unread(ana), 3);
    assert.equal(await unread(bea), 0);
  });

  test('are new until the comment is read or the list is seen, or for thanks until the list is seen', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
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
    const [newest] = (await list(ana)).data;
    assert.equal((await see(ana, newest?.id)).status, 204);
    assert.equal(await unread(ana), 0);
    // A request from another device that has seen less changes nothing.
    assert.equal((await see(ana, 1)).status, 204);
    assert.equal(await unread(ana), 0);
    assert.deepEqual(await told(ana), [
      ['thanks', 'Cine', 1, 'Bea', 1, false],
      ['reply', 'Cine', 3, 'Bea', 1, false],
    ]);
  });

  test('are merged by channel and kind, show the most recent people first, and link to the first new one', async () => {
    const [ana, ...others] = await people('Ana', 'Bea', 'Carla', 'Dora', 'Eva');
    assert.ok(ana);
    const id = await begun(ana);
    const other = await begun(ana, 'Libros');
    for (const each of others) await reply(each, id, 1, `Yo, ${each.name}`);
    await mention(others[0] as Person, other, [ana]);
    await reply(others[0] as Person, id, 1);
    assert.deepEqual(await told(ana), [
      ['reply', 'Cine', 2, 'Bea,Eva,Dora', 4, true],
      ['mention', 'Libros', 2, 'Bea', 1, true],
    ]);
    const [first] = (await list(ana)).data;
    assert.equal(first?.excerpt, 'Yo, Bea');
    assert.equal(await unread(ana), 2);
  });

  test('come in pages', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    const names = Array.from({ length: limits.notificationsPerPage + 2 }, (_, i) => `Canal ${i}`);
    for (const name of names) await reply(bea, await begun(ana, name), 1);
    const first = await list(ana);
    assert.equal(first.data.length, limits.notificationsPerPage);
    await see(ana, first.data[0]?.id);
    const second = await list(ana, first.next ?? '');
    assert.equal(second.next, null);
    assert.ok(second.data.every(({ isNew }) => isNew));
    assert.deepEqual(
      [...first.data, ...second.data].map(({ channel }) => channel.name),
      names.toReversed(),
    );
    const { token } = ana;
    for (const after of ['x', '1', '1_', `1_${'9'.repeat(16)}`]) {
      const wrong = await forum().call('GET', `${apiRoutes.notifications}?after=${after}`, {
        token,
      });
      await expectProblem(wrong, 400, 'invalid_cursor');
    }
  });

  test('about hidden content are in no list, and return when it is shown again', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    const eva = await staff(forum());
    const id = await begun(ana);
    await reply(bea, id, 1);
    await mention(bea, id, [ana]);
    await thank(bea, id, 1);
    const all = await told(ana);
    assert.equal(all.length, 3);
    const without = async (...kinds: string[]) => {
      const left = all.filter(([kind]) => !kinds.includes(String(kind)));
      assert.deepEqual(await told(ana), left);
      assert.equal(await unread(ana), left.length);
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

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('are at most one reply and five mentions per comment, and a reply with a mention counts as a reply', async () => {
    const [ana, ...others] = await people('Ana', 'B', 'C', 'D', 'E', 'F', 'G', 'H');
    assert.ok(ana);
    const id = await begun(ana);
    const [writer, ...mentioned] = others;
    assert.ok(writer);
    await mention(writer, id, [writer, ana, ...mentioned], { replyTo: 1 });
    const rows = await rowsOf(id);
    assert.deepEqual(rows.sort(), [
      'Ana reply 2 B',
      ...['C', 'D', 'E', 'F', 'G'].map((name) => `${name} mention 2 B`),
    ]);
  });

  test("are not written about people's own acts, or by an edit", async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    const id = await begun(ana);
    await mention(ana, id, [ana], { replyTo: 1 });
    const { token } = ana;
    const mentions = [{ start: 0, length: 4, accountId: bea.id }];
    const edit = { token, headers: { 'if-match': '"1"' }, body: { comment: '@Bea', mentions } };
    await forum().json('PATCH', apiRoutes.channelComment(id, 1), edit);
    assert.deepEqual(await rowsOf(id), []);
  });

  test('are new if they were written after the seen ones, whatever id was sent', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    const id = await begun(ana);
    await reply(bea, id, 1);
    assert.equal((await see(ana, Number.MAX_SAFE_INTEGER)).status, 204);
    assert.equal(await unread(ana), 0);
    await reply(bea, id, 1);
    assert.equal(await unread(ana), 1);
  });

  test('show the own words of a reply, however long the quotation before them', async () => {
    const [ana, bea] = await people('Ana', 'Bea');
    assert.ok(ana && bea);
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

  test('are limited to the newest thousand for a person who returns after a year', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    await mention(bea, await begun(ana, 'Libros'), [ana]);
    const id = await begun(ana);
    await replyOften(bea, ana, id, 1000);
    assert.equal(await unread(ana), 1);
    assert.deepEqual(await told(ana), [['reply', 'Cine', 2, 'Bea', 1, true]]);
    await read(ana, id, 1001);
    const [line, ...others] = await told(ana);
    assert.deepEqual([line, others], [['reply', 'Cine', 1001, 'Bea', 1, false], []]);
  });

  test('about a hidden raid do not displace the others from the list', async () => {
    const [ana, bea, carla] = (await people('Ana', 'Bea', 'Carla')) as [Person, Person, Person];
    await mention(carla, await begun(ana, 'Libros'), [ana]);
    const id = await begun(ana);
    await replyOften(bea, ana, id, 1001);
    await decided(forum(), await staff(forum()), { subject: user(bea), action: 'hideAll' });
    assert.deepEqual(await told(ana), [['mention', 'Libros', 2, 'Carla', 1, true]]);
  });

  test('are counted even below many that have been read', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    await mention(bea, await begun(ana, 'Libros'), [ana]);
    const id = await begun(ana);
    await replyOften(bea, ana, id, 200);
    await read(ana, id, 201);
    assert.equal(await unread(ana), 1);
  });

  test('notifications written after the clock was set back are new and come first', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    const id = await begun(ana);
    await reply(bea, id, 1);
    await see(ana, Number.MAX_SAFE_INTEGER);
    wait(-dayMs);
    await mention(bea, id, [ana]);
    assert.equal(await unread(ana), 1);
    wait(dayMs);
    assert.deepEqual(await told(ana), [
      ['mention', 'Cine', 3, 'Bea', 1, true],
      ['reply', 'Cine', 2, 'Bea', 1, false],
    ]);
  });

  test('stay as they were when their comment is edited, and when a person is silenced', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    const id = await begun(ana);
    await mention(bea, id, [ana]);
    const edit = { headers: { 'if-match': '"1"' }, body: { comment: 'Nadie' } };
    await forum().json('PATCH', apiRoutes.channelComment(id, 2), { token: bea.token, ...edit });
    const eva = await staff(forum());
    for (const one of [ana, bea])
      await decided(forum(), eva, { subject: user(one), action: 'silence', days: 1 });
    assert.deepEqual(await told(ana), [['mention', 'Cine', 2, 'Bea', 1, true]]);
    assert.equal((await list(ana)).data[0]?.excerpt, 'Nadie');
    assert.equal(await unread(ana), 1);
  });

  test('about the reply of an erased account name it as erased, and its other notifications are erased', async () => {
    const [ana, bea, carla] = (await people('Ana', 'Bea', 'Carla')) as [Person, Person, Person];
    const id = await begun(ana);
    await reply(bea, id, 1);
    await thank(bea, id, 1);
    await reply(carla, id, 2);
    await mention(carla, id, [ana]);
    await askForDeletion(forum(), bea, 'anonymous');
    await askForDeletion(forum(), carla, 'erase');
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().services);
    assert.deepEqual(await rowsOf(id), ['Ana reply 2 cuenta eliminada']);
    assert.deepEqual(await told(ana), [['reply', 'Cine', 2, 'cuenta eliminada', 1, true]]);
    // Comments in it can still be replied to.
    await reply(ana, id, 2);
    assert.equal((await rowsOf(id)).length, 1);
  });

  test('are erased after 90 days', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
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
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    const id = await begun(ana);
    await reply(bea, id, 1);
    await follow(ana, id, 'none');
    await reply(bea, id, 1);
    await mention(bea, id, [ana]);
    await thank(bea, id, 1);
    assert.deepEqual(await rowsOf(id), ['Ana reply 2 Bea']);
    await follow(ana, id, 'mine');
    await mention(bea, id, [ana]);
    assert.deepEqual(await rowsOf(id), ['Ana reply 2 Bea', 'Ana mention 5 Bea']);
  });

  test('a followed channel is listed with the comments that are new since then', async () => {
    const [ana, bea] = (await people('Ana', 'Bea')) as [Person, Person];
    const id = await begun(ana);
    await forum().comment(ana, id, 'Dos');
    const readsOf = async () => (await news(bea, id)).reads[id];
    assert.equal(await readsOf(), undefined);
    await read(bea, id, 1);
    assert.deepEqual(await readsOf(), { number: 1, unread: 1, level: 'mine' });
    assert.deepEqual((await list(bea)).channels, []);
    await follow(bea, id, 'all');
    assert.deepEqual(await readsOf(), { number: 2, unread: 0, level: 'all' });
    await forum().comment(ana, id, 'Tres');
    // A repeated request does not mark it as read.
    await follow(bea, id, 'all');
    assert.deepEqual((await list(bea)).channels, [{ _id: id, name: 'Cine', unread: 1 }]);
    await follow(bea, id, 'mine');
    assert.deepEqual(await readsOf(), { number: 2, unread: 1, level: 'mine' });
    assert.deepEqual((await list(bea)).channels, []);
  });
});
