import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import type { Person } from '../../../test/forum/forum.ts';
import {
  comment,
  decided,
  openAppeal,
  staff,
  undone,
  user,
} from '../../../test/forum/moderators.ts';
import { pendingPosts } from '../../../test/forum/pending-posts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { OwnDecisions } from '../../shared/moderation.ts';
import type { DecisionNotification, NotificationPage } from '../../shared/notifications.ts';
import type { News } from '../../shared/people.ts';
import { withQuery } from '../../shared/routes.ts';
import { eraseExpired } from '../operation/housekeeping/erase-expired.ts';
import { dayMs } from '../system/times.ts';

onBothEngines('decisions in the list of notifications', (forum, wait, engine) => {
  const posts = pendingPosts(forum);
  const list = ({ token }: Person, after?: string | null) =>
    forum().json<NotificationPage>('GET', withQuery(apiRoutes.notifications, { after }), { token });
  const unread = async ({ token }: Person) =>
    (await forum().json<News>('GET', apiRoutes.news, { token })).unreadNotifications;
  const told = async (person: Person) =>
    (await list(person)).data.filter((one): one is DecisionNotification => one.kind === 'decision');
  const seen = ({ token }: Person, decisionId?: string) =>
    forum().call('PUT', apiRoutes.notificationsSeen, { token, body: { id: 0, decisionId } });
  /** Actions and subjects, of which the count must say how many are new. */
  async function expectTold(person: Person, expected: string[], isNew = true): Promise<void> {
    const rows = await told(person);
    assert.deepEqual(
      rows.map(({ action, subject }) => `${action} ${subject}`),
      expected,
    );
    assert.ok(rows.every((row) => row.isNew === isNew));
    assert.equal(await unread(person), isNew ? expected.length : 0);
  }

  test('have the reason, are new until they are seen, and give way to the undo; dismissed reports are not told', async () => {
    const [eva, ana] = [await staff(forum()), await posts.known()];
    const { number } = await forum().comment(ana, posts.channel._id, 'Sois unos necios');
    const on = comment(posts.channel._id, number);
    const body = { ...on, reason: 'abuse', text: 'Secreto de quien denuncia' };
    await forum().json('POST', apiRoutes.reports, { token: posts.host.token, body });
    await decided(forum(), eva, { subject: on, action: 'dismiss' });
    await expectTold(ana, []);
    const hidden = await decided(forum(), eva, { subject: on, action: 'hide' });
    const { id } = await decided(forum(), eva, { subject: user(ana), action: 'silence', days: 1 });
    await expectTold(ana, ['silence user', 'hide comment']);
    const [row] = await told(ana);
    assert.deepEqual(
      [row?.decisionId, row?.excerpt, row?.channel, row?.number],
      [id, 'Es publicidad.', null, null],
    );
    assert.doesNotMatch(JSON.stringify(await list(ana)), /Secreto|"Ana"|"Eva"/);
    await seen(ana, hidden.id);
    assert.deepEqual(
      [await unread(ana), (await told(ana)).map(({ isNew }) => isNew)],
      [1, [true, false]],
    );
    await undone(forum(), eva, { id });
    await expectTold(await forum().person(), []);
    assert.deepEqual(
      (await told(ana)).map(({ action, isNew }) => [action, isNew]),
      [
        ['undo', true],
        ['hide', false],
      ],
    );
    await seen(ana, (await told(ana))[0]?.decisionId);
    await seen(ana, hidden.id);
    await expectTold(ana, ['undo user', 'hide comment'], false);
  });

  test('say where a post was published, and are then seen by reading it there', async () => {
    const [eva, ana] = [await staff(forum()), await forum().person('Ana')];
    const one = await posts.pending(await posts.put(ana, 'Hola, soy nueva'));
    const two = await posts.pending(await posts.put(ana, 'Compra esto'));
    const three = await posts.pending(await posts.newChannel(ana));
    await decided(forum(), eva, { subject: { kind: 'comment', id: two.id }, action: 'reject' });
    await decided(forum(), eva, { subject: { kind: 'comment', id: one.id }, action: 'approve' });
    await decided(forum(), eva, { subject: { kind: 'channel', id: three.id }, action: 'approve' });
    await expectTold(ana, ['approve channel', 'approve comment', 'reject comment']);
    const [channel, published] = await told(ana);
    assert.deepEqual([channel?.channel?.name, channel?.number], ['Bancal', null]);
    const channelId = posts.channel._id;
    assert.equal(published?.channel?._id, channelId);
    const { token } = ana;
    const body = { channelId, number: published?.number };
    await forum().json('PUT', apiRoutes.reads, { token, body });
    assert.equal(await unread(ana), 2);
    assert.deepEqual(
      (await told(ana)).map(({ isNew }) => isNew),
      [true, false, true],
    );
  });

  test('come in pages with the other notifications, each once, newest first, new as on the first page', async () => {
    const [eva, ana] = [await staff(forum()), await posts.known()];
    await changeSettings(forum(), {});
    for (let index = 0; index < 23; index++) {
      const { _id } = await forum().channel(posts.host, `Canal ${index}`);
      await forum().comment(ana, _id, 'Uno');
      await forum().comment(posts.host, _id, 'Dos', { replyTo: 1 });
      wait(1);
      await decided(forum(), eva, { subject: comment(_id, 1), action: 'hide' });
      wait(1);
    }
    const found: NotificationPage['data'] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { data, next }: NotificationPage = await list(ana, after);
      assert.ok(data.length <= 20);
      found.push(...data);
      const newest = data.find((one) => one.kind === 'decision');
      if (newest?.kind === 'decision' && after === undefined) await seen(ana, newest.decisionId);
      after = next;
    }
    assert.equal(found.length, 46);
    assert.ok(found.every(({ isNew }) => isNew));
    const times = found.map(({ createdAt }) => createdAt);
    assert.deepEqual(times, times.toSorted().reverse());
    const ids = found.map((one) => (one.kind === 'decision' ? one.decisionId : one.id));
    assert.equal(new Set(ids).size, 46);
  });

  // The test below does not depend on the engine.
  if (engine === 'postgres') return;

  test('say that an appeal was answered; a suspended person sees them in the settings only, where they are then seen', async () => {
    const [eva, luis] = [await staff(forum()), await staff(forum())];
    const [ana, bea] = [await forum().person(), await forum().person()];
    for (const [person, isGranted] of [
      [ana, false],
      [bea, true],
    ] as const) {
      const action = isGranted ? 'suspend' : 'silence';
      const { id } = await decided(forum(), eva, { subject: user(person), action, days: 9 });
      const subject = await openAppeal(forum(), id, person.id);
      assert.equal((await seen(person, id)).status, 204);
      if (isGranted) {
        assert.equal((await forum().call('GET', apiRoutes.notifications, person)).status, 403);
        await undone(forum(), luis, { id });
      } else await decided(forum(), luis, { subject, action: 'dismiss', reason: 'Insultaba.' });
    }
    const [upheld] = await told(ana);
    assert.deepEqual(
      [upheld?.action, upheld?.excerpt, upheld?.isNew, await unread(ana)],
      ['dismiss', 'Insultaba.', true, 1],
    );
    const { data } = await forum().json<OwnDecisions>('GET', apiRoutes.ownDecisions, ana);
    assert.equal(data[0]?.appeal?.answerId, upheld?.decisionId);
    // She had seen the decision that was undone.
    assert.deepEqual(
      (await told(bea)).map(({ action, isNew }) => [action, isNew]),
      [
        ['undo', true],
        ['suspend', false],
      ],
    );
    wait(90 * dayMs + 1000);
    await eraseExpired(forum().services);
    const session = await forum().signIn(bea.email, bea.password);
    const { token } = (await session.json()) as Pick<Person, 'token'>;
    await expectTold({ ...bea, token }, []);
  });
});
