import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { decideRow } from '../../../../test/forum/decide-row.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { insertPendingPost } from '../../../../test/forum/insert-pending-post.ts';
import { makeStaff } from '../../../../test/forum/make-staff.ts';
import {
  decide,
  decided,
  hideContent,
  openAppeal,
  undone,
} from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CommentVersions, Queue, Receipt, SubjectKind } from '../../../shared/moderation.ts';
import type { News } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import { readQueue } from './queue-queries.ts';

const hostile = '<script>alert(1)</script> \u202e"\'{{7*7}} https://ejemplo.es @nadie';

onBothEngines('the queue', (forum, _wait, engine) => {
  const read = ({ token }: Person, state?: string, after?: string | null) =>
    forum().json<Queue>('GET', withQuery(apiRoutes.queue, { state, after }), { token });
  const report = async (kind: SubjectKind, id: string, text = '', reporter?: Person) => {
    const reason = reporter ? 'illegal' : 'spam';
    const body = { kind, id, reason, text };
    return forum().json<Receipt>('POST', apiRoutes.reports, { ...reporter, body });
  };
  const empty = async () => {
    for (const table of ['reports', 'cases', 'appeals'] as const)
      await forum().services.db.deleteFrom(table).execute();
  };

  test('has the content in its context, its author with the history, and who reported it', async () => {
    await empty();
    const moderator = await makeStaff(forum());
    const author = await forum().person('Autora');
    const { _id } = await forum().channel(author);
    for (const text of ['Uno', 'Dos', 'Tres', 'oculto', hostile, 'Seis']) {
      await forum().comment(author, _id, text);
    }
    await hideContent(forum(), `${_id}-4`);
    await decideRow(forum(), { action: 'silence', accountId: author.id });
    await report('comment', `${_id}-5`, hostile);
    const other = await forum().person();
    await decideRow(forum(), { action: 'silence', accountId: other.id });
    await report('user', other.id);
    const { data, next, counts } = await read(moderator);
    assert.deepEqual([next, counts], [null, { open: 2, pending: 0 }]);
    const [item] = data;
    assert.ok(item);
    assert.deepEqual(item.subject, { kind: 'comment', id: `${_id}-5` });
    assert.match(item.version, /^[0-9a-f-]{36}\.1$/);
    assert.deepEqual([item.text, item.textNow, item.state], [hostile, hostile, 'visible']);
    assert.deepEqual(item.context, {
      channel: { _id, name: 'Cine de barrio' },
      before: [
        { autor: 'Autora', comment: 'Dos' },
        { autor: 'Autora', comment: 'Tres' },
      ],
      after: [{ autor: 'Autora', comment: 'Seis' }],
    });
    assert.deepEqual(
      [item.author.name, item.author.role, item.author.history.map(({ action }) => action)],
      ['Autora', 'member', ['silence', 'hide']],
    );
    assert.deepEqual(
      item.reports.texts.map(({ text, from }) => [text, from]),
      [[hostile, '']],
    );
    assert.deepEqual([item.appeal, item.decision, item.refusal], [null, null, null]);
  });

  test('comes in pages, first what somebody reported as illegal, then the oldest', async () => {
    await empty();
    const moderator = await makeStaff(forum());
    const [author, reporter] = [await forum().person(), await forum().person()];
    const ids: string[] = [];
    for (let index = 0; index < 24; index++) {
      const { _id } = await forum().channel(author, `Canal ${index}`);
      ids.push(_id);
      await report('channel', _id);
    }
    const illegal = ids.filter((_id, index) => index % 8 !== 0);
    // Reported as something else before, and once more after that.
    for (const id of illegal.toReversed()) await report('channel', id, '', reporter);
    for (const id of illegal) await report('channel', id);
    const { id } = await decideRow(forum(), { action: 'silence', accountId: author.id }).then(
      (decision) => openAppeal(forum(), decision, author.id),
    );
    const found: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { data, next }: Queue = await read(moderator, 'open', after);
      found.push(...data.map(({ subject, appeal }) => appeal?.id ?? subject.id));
      after = next;
    }
    assert.deepEqual(found, [...illegal, ...ids.filter((one) => !illegal.includes(one)), id]);
  });

  test('has the dates of comments as they are, and the words of those that were reported once they change', async () => {
    await empty();
    const [eva, ana] = [await makeStaff(forum()), await forum().person('Ana')];
    const { _id } = await forum().channel(ana);
    const start = `${new Date().getFullYear() + 2}-06-03T20:30`;
    const event = { title: 'Ensayo', location: 'Plaza', allDay: false, capacity: 9 };
    const { id } = await forum().comment(ana, _id, 'Venid', {
      event: { ...event, dates: [{ start }] },
    });
    const change = (revision: number, title: string) =>
      forum().json('PATCH', apiRoutes.event(_id, 1), {
        token: ana.token,
        headers: { 'if-match': `"${revision}"` },
        body: { title },
      });
    await report('comment', id);
    const [item] = (await read(eva)).data;
    const [shown] = await forum().allComments(_id);
    assert.equal(shown?.event?.dates[0]?.start, start);
    assert.deepEqual([item?.event, item?.text, item?.textNow], [shown?.event, 'Venid', 'Venid']);

    await change(1, 'Compra ya');
    await report('comment', id, 'Vende', await forum().person('Bea'));
    const [changed] = (await read(eva)).data;
    assert.equal(changed?.event?.title, 'Compra ya');
    assert.match(changed?.text ?? '', /^Venid\n\nEnsayo\nPlaza\n.*20:30$/);
    assert.match(changed?.textNow ?? '', /^Venid\n\nCompra ya\nPlaza\n.*20:30$/);
    const said = changed?.reports.texts.find(({ text }) => text === 'Vende')?.said;
    assert.match(said ?? '', /Compra ya/);
    await change(2, 'Ensayo');
    const draft = { subject: { kind: 'comment', id }, action: 'hide' } as const;
    const late = await decide(forum(), eva, { ...draft, version: changed?.version });
    assert.match((await expectProblem(late, 409, 'already_decided')).detail, /Cambió mientras/);
    const [again] = (await read(eva)).data;
    await decided(forum(), eva, { ...draft, version: again?.version });
    const [hidden] = (await read(eva, 'decided')).data;
    assert.deepEqual([hidden?.state, hidden?.event?.title], ['hidden', 'Ensayo']);
  });

  test('has the dates of comments that wait, as they will be', async () => {
    await empty();
    const eva = await makeStaff(forum());
    const { _id } = await forum().channel(eva);
    await changeSettings(forum(), { zone: 'Europe/Madrid', reviewsFirstPosts: true });
    const event = { title: 'Ensayo', location: 'Plaza', allDay: false, capacity: 9 };
    const start = `${new Date().getFullYear() + 2}-06-03T20:30`;
    const body = { id: _id, comment: '', event: { ...event, dates: [{ start }] } };
    const { token } = await forum().person();
    await forum().json('PUT', apiRoutes.comment, { token, body });
    await changeSettings(forum(), {});
    const [item] = (await read(eva, 'pending')).data;
    await decided(forum(), eva, {
      subject: item?.subject ?? assert.fail(),
      version: item?.version,
      action: 'approve',
    });
    const [published] = await forum().allComments(_id);
    assert.equal(published?.event?.title, 'Ensayo');
    assert.deepEqual([item?.text, item?.event], ['', published?.event]);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('leaves out items about the caller, who would learn who reported them, and says which ones others decide', async () => {
    await empty();
    const [eva, other] = [await makeStaff(forum()), await makeStaff(forum())];
    const { _id } = await forum().channel(eva);
    await forum().json('POST', apiRoutes.reports, {
      body: {
        kind: 'channel',
        id: _id,
        reason: 'illegal',
        text: 'Es mío',
        name: 'Zoe Trantova',
        email: 'zoe@ejemplo.es',
        goodFaith: true,
      },
    });
    const silenced = await decideRow(forum(), { action: 'dismiss', accountId: eva.id });
    const { token } = eva;
    for (const state of ['open', 'pending', 'decided']) {
      const queue = await read(eva, state);
      assert.ok(!JSON.stringify(queue).includes('Trantova'));
      assert.ok(queue.others.every(({ id }) => id !== silenced));
      assert.deepEqual(queue.counts, { open: 0, pending: 0 });
    }
    assert.equal((await forum().json<News>('GET', apiRoutes.news, { token })).pendingModeration, 0);
    await report('channel', (await forum().channel(await makeStaff(forum(), 'admin')))._id);
    const refusals = async (person: Person) =>
      (await read(person)).data.map(({ refusal }) => refusal !== null);
    assert.deepEqual(await refusals(other), [false, true]);
    assert.deepEqual(await refusals(await makeStaff(forum(), 'admin')), [false, false]);
    const [item] = (await read(other)).data;
    assert.equal(item?.reports.texts[0]?.from, 'Zoe Trantova <zoe@ejemplo.es>');
    await decided(forum(), other, {
      subject: { kind: 'channel', id: _id },
      version: item?.version,
      action: 'dismiss',
    });
    assert.ok(!JSON.stringify(await read(eva, 'decided')).includes('Trantova'));
  });

  test('comes in pages, and decided items newest first', async () => {
    await empty();
    const moderator = await makeStaff(forum());
    const author = await forum().person();
    const ids: string[] = [];
    for (let index = 0; index < 23; index++) {
      const { _id } = await forum().channel(author, `Canal ${index}`);
      ids.push(_id);
      const { receipt } = await report('channel', _id);
      if (index > 20) await decideRow(forum(), { action: 'dismiss', receipt });
    }
    const idsOf = ({ data }: Queue) => data.map(({ subject }) => subject.id);
    const first = await read(moderator);
    assert.deepEqual(idsOf(first), ids.slice(0, 20));
    const second = await read(moderator, 'open', first.next);
    assert.deepEqual([idsOf(second), second.next], [ids.slice(20, 21), null]);
    const decided = await read(moderator, 'decided');
    assert.deepEqual(idsOf(decided), ids.slice(21).reverse());
    assert.deepEqual(
      decided.data.map(({ decision }) => decision?.action),
      ['dismiss', 'dismiss'],
    );
    const counted = await forum().json<News>('GET', apiRoutes.news, { token: moderator.token });
    assert.deepEqual([counted.role, counted.pendingModeration], ['moderator', 21]);
    const own = await forum().json<News>('GET', apiRoutes.news, { token: author.token });
    assert.equal(own.pendingModeration, 0);

    await empty();
    await forum().services.db.deleteFrom('pending_posts').execute();
    const waiting = { open: [] as string[], pending: [] as string[] };
    for (let index = 0; index < 21; index++) {
      const decision = await decideRow(forum(), { action: 'silence', accountId: author.id });
      waiting.open.push((await openAppeal(forum(), decision, author.id)).id);
      waiting.pending.push(await insertPendingPost(forum(), author, ids[0] ?? ''));
    }
    for (const state of ['open', 'pending'] as const) {
      const pages: string[][] = [];
      for (let after: string | null | undefined; after !== null && pages.length < 4; ) {
        const { data, next }: Queue = await read(moderator, state, after);
        pages.push(data.map(({ subject, appeal }) => appeal?.id ?? subject.id));
        after = next;
      }
      const all = waiting[state];
      assert.deepEqual(pages, [all.slice(0, 20), all.slice(20)]);
    }
  });

  test('has the decisions in force without a case beside the decided items, page by page', async () => {
    await empty();
    const moderator = await makeStaff(forum());
    const author = await forum().person();
    const { receipt } = await report('user', author.id);
    const dismissed = await decideRow(forum(), { action: 'dismiss', receipt });
    const made: string[] = [];
    const suspended = await decideRow(forum(), { action: 'suspend', accountId: author.id });
    await undone(forum(), moderator, { id: suspended });
    for (let index = 0; index < 25; index++) {
      const action = index % 2 ? 'silence' : 'suspend';
      made.push(await decideRow(forum(), { action, accountId: author.id }));
    }
    assert.deepEqual((await read(moderator)).others, []);
    const found: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { data, others, next }: Queue = await read(moderator, 'decided', after);
      assert.ok(data.length + others.length <= 20);
      found.push(...others.map(({ id }) => id), ...data.map(({ decision }) => decision?.id ?? ''));
      after = next;
    }
    assert.deepEqual(found.slice(0, made.length), made.reverse());
    assert.ok(found.includes(dismissed) && !found.includes(suspended));
    assert.equal(new Set(found).size, found.length);
  });

  test('has a decision that closed several cases once, with the first of them', async () => {
    await empty();
    const author = await forum().person();
    const channels = [await forum().channel(author), await forum().channel(author)];
    for (const { _id } of channels) await report('channel', _id);
    const eva = await makeStaff(forum());
    const subject = { kind: 'user', id: author.id } as const;
    const { id } = await decided(forum(), eva, { subject, action: 'hideAll' });
    const { data } = await read(eva, 'decided');
    assert.deepEqual(
      data.map((item) => [item.subject.id, item.decision?.id]),
      [[channels[0]?._id, id]],
    );
    await undone(forum(), eva, { id });
    assert.deepEqual((await read(eva, 'decided')).data, []);
    assert.deepEqual((await read(eva)).data, [], 'the reports stay answered');
  });

  test('shows the latest posts of an account, hidden or not, in items about the whole account', async () => {
    await empty();
    const [eva, ana] = [await makeStaff(forum()), await makeStaff(forum())];
    const author = await forum().person();
    const { _id } = await forum().channel(await forum().person());
    for (const text of ['Cero', 'Uno', 'Dos', 'Tres', 'Cuatro'])
      await forum().comment(author, _id, text);
    await forum().json('DELETE', apiRoutes.channelComment(_id, 5), { token: author.token });
    await hideContent(forum(), `${_id}-4`);
    await report('user', author.id);
    await report('comment', `${_id}-1`);
    const wrote = ({ data }: Queue) => data.map((item) => [item.subject.kind, item.wrote]);
    const newest = ['Tres', 'Dos', 'Uno'];
    assert.deepEqual(wrote(await read(eva)), [
      ['user', newest],
      ['comment', []],
    ]);
    const subject = { kind: 'user', id: author.id } as const;
    const { id } = await decided(forum(), ana, { subject, action: 'hideAll' });
    assert.deepEqual(wrote(await read(eva, 'decided')), [['user', newest]]);
    await openAppeal(forum(), id, author.id);
    assert.deepEqual(wrote(await read(eva)), [['user', newest]]);
    const other = await forum().person();
    await forum().channel(other, 'Un canal');
    const { id: raid } = await decided(forum(), ana, {
      subject: { kind: 'users', ids: [author.id, other.id] },
      action: 'hideAll',
    });
    await openAppeal(forum(), raid, other.id);
    const [, [, texts] = []] = wrote(await read(eva));
    assert.match(String(texts), /^Un canal/);
  });

  test('leaves the shown decision and answers to appeals out of the history of an author', async () => {
    await empty();
    const [eva, ana, author] = [
      await makeStaff(forum()),
      await makeStaff(forum()),
      await forum().person(),
    ];
    const subject = { kind: 'user', id: author.id } as const;
    const silenced = await decided(forum(), ana, { subject, action: 'silence', days: 1 });
    const earlier = await openAppeal(forum(), silenced.id, author.id);
    await decided(forum(), eva, { subject: earlier, action: 'dismiss' });
    await report('user', author.id);
    const { id } = await decided(forum(), ana, { subject, action: 'suspend' });
    await openAppeal(forum(), id, author.id);
    for (const state of ['open', 'decided']) {
      const [item] = (await read(eva, state)).data;
      assert.deepEqual(
        item?.author.history.map((one) => one.id),
        [silenced.id],
      );
    }
  });

  test('takes as many queries for many cases as for one, and counts them up to a thousand', async () => {
    await empty();
    const moderator = await makeStaff(forum());
    const author = await forum().person();
    const { db } = forum().services;
    const rows = Array.from({ length: 1001 }, () => ({
      id: uuidv7(),
      subject_kind: 'user' as const,
      subject_id: uuidv7(),
      text: toStoredText(''),
      account_id: author.id,
      images: '[]',
      revision: 0,
      report_count: 1,
      opened_at_ms: 1,
      decided_at_ms: null,
      decision_id: null,
    }));
    for (const some of [rows.slice(500), rows.slice(0, 500)])
      await db.insertInto('cases').values(some).execute();
    const { data, next, counts } = await read(moderator);
    assert.deepEqual([data.length, counts.open], [20, 1000]);
    assert.equal(data[0]?.state, 'erased');
    assert.equal((await read(moderator, 'open', next)).data.length, 20);
    await empty();
    const { _id } = await forum().channel(author);
    const queries = async (wanted: number) => {
      let count = 0;
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          count++;
          return result;
        },
      };
      const caller = { id: moderator.id, role: 'moderator' } as const;
      const counting = db.withPlugin(plugin);
      const queue = await readQueue(counting, caller, { state: 'open' }, Date.now());
      assert.equal(queue.data.length, wanted);
      return count;
    };
    const reportOne = async () => {
      const { number } = await forum().comment(await forum().person(), _id, 'Uno');
      await report('comment', `${_id}-${number}`);
    };
    await reportOne();
    const one = await queries(1);
    for (let index = 1; index < 10; index++) await reportOne();
    assert.equal(await queries(10), one);
  });

  test('lets moderators read the earlier versions of a hidden or deleted comment', async () => {
    const { token } = await makeStaff(forum());
    const author = await forum().person();
    const { _id } = await forum().channel(author);
    await forum().comment(author, _id, 'Antes');
    await forum().edit(author, _id, 1, hostile);
    await forum().json('DELETE', apiRoutes.channelComment(_id, 1), { token: author.token });
    await hideContent(forum(), _id);
    const { data } = await forum().json<CommentVersions>('GET', apiRoutes.versions(_id, 1), {
      token,
    });
    assert.deepEqual(
      data.map(({ revision, text, until }) => [revision, text, until === null]),
      [
        [1, 'Antes', false],
        [2, hostile, true],
      ],
    );
    for (const number of ['2', '0', 'x', '99999999999']) {
      const url = apiRoutes.versions(_id, number);
      await expectProblem(await forum().call('GET', url, { token }), 404, 'comment_not_found');
    }
  });
});
