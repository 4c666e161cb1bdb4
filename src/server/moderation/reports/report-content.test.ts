import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { decideRow } from '../../../../test/forum/decide-row.ts';
import { editComment } from '../../../../test/forum/edit-comment.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { makeStaff } from '../../../../test/forum/make-staff.ts';
import { hideContent } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { OwnReports, Queue, Receipt, ReportState } from '../../../shared/moderation.ts';

const send = (forum: Forum, body: object, token?: string) =>
  forum.json<Receipt>('POST', apiRoutes.reports, { ...(token && { token }), body });

async function commentIn(forum: Forum, text = 'Un texto') {
  const author = await forum.person('Autora');
  const { _id } = await forum.channel(author);
  return { author, comment: await forum.comment(author, _id, text), channelId: _id };
}

onEngine('sqlite', 'reports', (forum) => {
  const report = (body: object, token?: string) => send(forum(), body, token);
  const commented = (text?: string) => commentIn(forum(), text);
  const stateOf = ({ receipt }: Receipt) =>
    forum().json<ReportState>('GET', apiRoutes.report(receipt));
  const refused = async (body: object, person?: Person) =>
    forum().call('POST', apiRoutes.reports, { ...(person && { token: person.token }), body });
  /** The newest item of the queue. */
  const newest = async () => {
    const { token } = await makeStaff(forum());
    const { data } = await forum().json<Queue>('GET', apiRoutes.queue, { token });
    const last = data.toSorted((one, other) => (one.version < other.version ? -1 : 1)).at(-1);
    assert.ok(last);
    return last;
  };

  test('merge while their case is open, with one receipt for each person, and open another one once it is decided', async () => {
    const { comment } = await commented('Primera versión');
    const body = { kind: 'comment', id: comment.id, reason: 'abuse', text: 'Me insulta' };
    const one = await forum().person('Una');
    const first = await report(body, one.token);
    assert.deepEqual(await report(body, one.token), first);
    assert.deepEqual(await report({ ...body, reason: 'spam', text: 'Y vende' }, one.token), first);
    const guest = await report({ ...body, reason: 'other', text: '' });
    assert.deepEqual(await report({ ...body, reason: 'other' }), guest);
    assert.notEqual(guest.receipt, first.receipt);
    assert.deepEqual(await stateOf(first), { state: 'open' });
    const { reports, text, refusal } = await newest();
    assert.equal(text, 'Primera versión');
    assert.equal(refusal, null);
    assert.deepEqual([reports.count, reports.reasons], [2, { spam: 1, other: 1 }]);
    assert.deepEqual(
      reports.texts.map(({ text, from }) => [text, from]),
      [
        ['Me insulta\n\nY vende', 'Una'],
        ['Me insulta', ''],
      ],
    );
    const { reporter_key } = await forum()
      .services.db.selectFrom('reports')
      .select('reporter_key')
      .where('receipt', '=', guest.receipt)
      .executeTakeFirstOrThrow();
    assert.doesNotMatch(reporter_key, /127|::/);
    await decideRow(forum(), { action: 'dismiss', receipt: first.receipt });
    for (const answered of [first, guest])
      assert.deepEqual(await stateOf(answered), { state: 'decided', outcome: 'dismiss' });
    const next = await report(body, one.token);
    assert.notEqual(next.receipt, first.receipt);
    assert.deepEqual(await stateOf(next), { state: 'open' });
  });

  test('keep the text as first reported, and as it was at each later report', async () => {
    const { author, comment, channelId } = await commented('Lo primero');
    const body = { kind: 'comment', id: comment.id, reason: 'abuse' };
    await report(body);
    await editComment(forum(), { channelId, number: 1 }, 'Lo segundo');
    await report(body, (await forum().person()).token);
    await forum().json('DELETE', apiRoutes.channelComment(channelId, 1), { token: author.token });
    const item = await newest();
    assert.deepEqual(
      [item.text, item.textNow, item.state],
      ['Lo primero', 'Lo segundo', 'deleted'],
    );
    assert.deepEqual(
      item.reports.texts.map(({ said }) => said),
      [undefined, 'Lo segundo'],
    );
  });

  test('are listed for their reporter, newest first, without the reported content', async () => {
    const { author, comment, channelId } = await commented();
    const { token } = await forum().person();
    const sentAtMs = forum().services.now();
    const own = async () => {
      const { data } = await forum().json<OwnReports>('GET', apiRoutes.ownReports, { token });
      return data.map(({ createdAt, ...more }) => {
        assert.ok(
          Date.parse(createdAt) >= sentAtMs && Date.parse(createdAt) <= forum().services.now(),
        );
        return more;
      });
    };
    assert.deepEqual(await own(), []);
    const onChannel = { kind: 'channel', id: channelId, reason: 'other', text: '' };
    const first = { kind: 'comment', id: comment.id, reason: 'abuse', text: 'Me insulta' };
    const { receipt } = await report(first, token);
    const expected: object[] = [{ ...first, receipt, state: 'open' }];
    for (const body of [onChannel, { ...onChannel, kind: 'user', id: author.id }]) {
      expected.unshift({ ...body, ...(await report(body, token)), state: 'open' });
    }
    await report(onChannel, (await forum().person()).token);
    await report(onChannel);
    assert.deepEqual(await own(), expected);
    await decideRow(forum(), { action: 'hide', receipt });
    assert.deepEqual(await own(), [
      ...expected.slice(0, 2),
      { ...first, receipt, state: 'decided', outcome: 'hide' },
    ]);
  });

  test('are also accepted about channels and people, but not about hidden content', async () => {
    const { author, comment, channelId } = await commented();
    await report({ kind: 'channel', id: channelId, reason: 'other' });
    assert.deepEqual((await newest()).context.channel, { _id: channelId, name: 'Cine de barrio' });
    await report({ kind: 'user', id: author.id, reason: 'other' });
    assert.equal((await newest()).text, 'Autora');
    await hideContent(forum(), comment.id);
    for (const [kind, id] of [
      ['comment', comment.id],
      ['comment', `${channelId}-7`],
      ['comment', `${channelId}-99999999999`],
      ['comment', channelId],
      ['comment', '-'],
      ['comment', ''],
      ['channel', 'nada'],
      ['channel', "' or 1=1"],
      ['user', '\ud800'],
      ['user', channelId],
    ] as const) {
      const code = `${kind}_not_found` as const;
      await expectProblem(await refused({ kind, id, reason: 'spam' }), 404, code);
    }
    const own = { kind: 'channel', id: channelId, reason: 'spam' };
    await expectProblem(await refused(own, author), 400, 'invalid_request');
    await expectProblem(await forum().call('GET', apiRoutes.report('x')), 404, 'report_not_found');
  });

  test('a report of illegal content requires the name of a guest, but not of a member', async () => {
    const { channelId } = await commented();
    const body = { kind: 'channel', id: channelId, reason: 'illegal' };
    const { errors } = await expectProblem(await refused(body), 400, 'invalid_fields');
    assert.deepEqual(
      errors?.map(({ field }) => field),
      ['text', 'name', 'email', 'goodFaith'],
    );
    const said = { text: 'Es mi foto', name: 'Ana Gil', email: 'ana@ejemplo.es' };
    await expectProblem(
      await refused({ ...body, ...said, goodFaith: false }),
      400,
      'invalid_fields',
    );
    await report({ ...body, ...said, goodFaith: true });
    const other = { text: 'Y la mía', name: 'Luis Rey', email: 'luis@ejemplo.es' };
    await report({ ...body, ...other, goodFaith: true });
    await report(body, (await forum().person('Socia')).token);
    assert.deepEqual(
      (await newest()).reports.texts.map(({ from, text }) => [from, text]),
      [
        ['Ana Gil <ana@ejemplo.es>', 'Es mi foto'],
        ['Luis Rey <luis@ejemplo.es>', 'Y la mía'],
        ['Socia', ''],
      ],
    );
  });

  test('invented legal notices by one guest leave room for other reports, and one e-mail counts once', async () => {
    const { channelId } = await commented();
    const body = { kind: 'channel', id: channelId, reason: 'illegal', goodFaith: true };
    const notice = (number: number, email = `n${number}@ejemplo.es`) =>
      report({ ...body, text: `Aviso ${number}`, name: 'Nadie', email });
    for (let number = 0; number < 12; number++) await notice(number);
    const again = await notice(0, 'N0@EJEMPLO.ES');
    assert.equal(again.receipt, (await notice(0)).receipt);
    const { token } = await forum().person('Socia');
    await report(
      { kind: 'channel', id: channelId, reason: 'personal_data', text: 'Soy yo' },
      token,
    );
    const { count, texts } = (await newest()).reports;
    assert.equal(count, 13);
    assert.deepEqual([texts.length, texts[0]?.text, texts.at(-1)?.text], [10, 'Aviso 0', 'Soy yo']);
  });

  test('after a hundred on one case are stored of members and of guests who say who they are alone', async () => {
    const { comment } = await commented();
    const { db } = forum().services;
    const body = { kind: 'comment', id: comment.id, reason: 'spam' };
    await report(body, (await forum().person()).token);
    const { case_id } = await db
      .selectFrom('reports')
      .select('case_id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const row = { case_id, account_id: null, reason: 'spam' as const, name: '', email: '' };
    await db
      .insertInto('reports')
      .values(
        Array.from({ length: 99 }, () => ({
          ...row,
          id: uuidv7(),
          receipt: crypto.randomUUID(),
          reporter_key: crypto.randomUUID(),
          text: 'bla',
          created_at_ms: 0,
        })),
      )
      .execute();
    await db.updateTable('cases').set({ report_count: 100 }).where('id', '=', case_id).execute();
    const nameless = await report(body);
    assert.deepEqual(await stateOf(nameless), { state: 'open' });
    const guest = { name: 'Luz Legal', email: 'luz@ejemplo.es', goodFaith: true };
    const notice = { ...body, reason: 'illegal', text: 'Es una amenaza', ...guest };
    const receipt = await report(notice);
    assert.deepEqual(await report(notice), receipt);
    const { token } = await forum().person('Ana');
    const other = await report({ ...body, text: 'Es grave' }, token);
    assert.deepEqual(await report({ ...body, text: 'Es grave' }, token), other);
    assert.notDeepEqual(other, receipt);
    const { count, texts } = (await newest()).reports;
    assert.equal(count, 102);
    assert.deepEqual(
      texts.slice(0, 2).map(({ from, text }) => [from, text]),
      [
        ['Luz Legal <luz@ejemplo.es>', 'Es una amenaza'],
        ['Ana', 'Es grave'],
      ],
    );
  });
});

// On SQLite, transactions run one after the other.
onEngine('postgres', 'reports at the same moment', (forum) => {
  test('open one case for many people', async () => {
    const { channelId } = await commentIn(forum());
    const people = await Promise.all(Array.from({ length: 8 }, () => forum().person()));
    const body = { kind: 'channel', id: channelId, reason: 'spam' };
    const receipts = await Promise.all(people.map(({ token }) => send(forum(), body, token)));
    assert.equal(new Set(receipts.map(({ receipt }) => receipt)).size, 8);
    const cases = await forum().services.db.selectFrom('cases').select('report_count').execute();
    assert.deepEqual(cases, [{ report_count: 8 }]);
  });
});

test('a guest can send twenty reports in an hour, of whatever size', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on' });
  const { _id } = await forum.channel(await forum.person());
  const body = { kind: 'channel', id: _id, reason: 'other', text: 'x'.repeat(2000) };
  const sendOne = () => forum.call('POST', apiRoutes.reports, { body });
  for (let index = 0; index < 20; index++) assert.equal((await sendOne()).status, 202);
  await expectProblem(await sendOne(), 429, 'too_many_requests');
});
