import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { decideRow } from '../../../../test/forum/decide-row.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import {
  comment,
  type Draft,
  decide,
  decided,
  openAppeal,
  openCase,
  staff,
  undo,
  undone,
  user,
} from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { ProblemCode } from '../../../shared/errors.ts';
import type {
  Decision,
  Log,
  OwnDecision,
  OwnDecisions,
  Queue,
  Subject,
} from '../../../shared/moderation.ts';
import { withQuery } from '../../../shared/routes.ts';
import { eraseContent } from '../erasure/erase-content.ts';
import { requireDecision } from './decision-log.ts';

onEngine('sqlite', 'decisions', (forum, wait) => {
  /** Creates a channel by another person with comments by the author. */
  async function written(author: Person, ...texts: string[]): Promise<string> {
    const { _id } = await forum().channel(await forum().person());
    for (const text of texts) await forum().comment(author, _id, text);
    return _id;
  }
  const texts = async (channelId: string) =>
    (await forum().allComments(channelId)).map(({ comment }) => comment);
  const write = ({ token }: Person, id: string) =>
    forum().call('PUT', apiRoutes.comment, { token, body: { id, comment: 'hola' } });
  const openCaseOf = async ({ id }: Subject) => {
    const open = forum().services.db.selectFrom('cases').select('id').where('subject_id', '=', id);
    return (await open.where('decided_at_ms', 'is', null).executeTakeFirst())?.id;
  };
  const caseOf = (id: string) =>
    forum()
      .services.db.selectFrom('cases')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const own = async ({ token }: Person) =>
    (await forum().json<OwnDecisions>('GET', apiRoutes.ownDecisions, { token })).data;
  const appeal = ({ token }: Person, id: string, text = 'No es verdad') =>
    forum().call('POST', apiRoutes.appeal(id), { token, body: { text } });
  /** The appeal against a decision in the queue. */
  const itemOf = async ({ token }: Person, id: string) => {
    const { data } = await forum().json<Queue>('GET', apiRoutes.queue, { token });
    return data.find((item) => item.appeal?.decision.id === id);
  };

  test('content hidden by two decisions stays hidden until both are undone, in either order', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno', 'dos');
    const ofComment = { subject: comment(id, 1), action: 'hide' };
    const ofAuthor = { subject: user(author), action: 'hideAll' };
    const raid = { kind: 'users' as const, ids: [author.id, (await forum().person()).id] };
    for (const [one, other, shownWithoutOther] of [
      [ofComment, ofAuthor, ['dos']],
      [ofAuthor, { subject: raid, action: 'hideAll' }, []],
    ] as const)
      for (const isOtherUndoneFirst of [false, true]) {
        // The clock of the first decision was ahead.
        wait(6 * 3_600_000);
        const earlier = await decided(forum(), eva, one);
        wait(-6 * 3_600_000);
        const both = [earlier, await decided(forum(), eva, other)];
        assert.deepEqual(await texts(id), []);
        const [first, last] = (isOtherUndoneFirst ? both.toReversed() : both) as [
          Decision,
          Decision,
        ];
        await undone(forum(), eva, first);
        assert.deepEqual(await texts(id), isOtherUndoneFirst ? shownWithoutOther : []);
        // The last of both decisions still hides the text, so hiding it again is refused.
        const again = await decide(forum(), eva, isOtherUndoneFirst ? one : ofAuthor);
        const { decision } = await expectProblem(again, 409, 'already_decided');
        assert.equal(decision?.id, last.id);
        await undone(forum(), eva, last);
        assert.deepEqual(await texts(id), ['uno', 'dos']);
      }
  });

  test('thanks that a hidden account takes back are not shown again', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const { _id } = await forum().channel(eva);
    await forum().comment(eva, _id, 'Hola');
    const thank = (method: 'PUT' | 'DELETE') =>
      forum().json(method, apiRoutes.thanks(_id, 1), { token: author.token });
    const shown = async () => (await forum().allComments(_id))[0]?.thanks;
    await thank('PUT');
    const hidden = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    await thank('DELETE');
    await undone(forum(), eva, hidden);
    assert.deepEqual(await shown(), { count: 0, names: [] });
    await thank('PUT');
    assert.deepEqual(await shown(), { count: 1, names: [author.name] });
  });

  test('a version of other or changed content is refused, and an undo is the outcome of the reports', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno', 'otro');
    const subject = comment(id, 1);
    const caseId = await openCase(forum(), subject, author.id);
    await forum().edit(author, id, 1, 'dos');
    const stale = await decide(forum(), eva, { subject, version: `${caseId}.1`, action: 'hide' });
    assert.match((await expectProblem(stale, 409, 'already_decided')).detail, /Cambió/);
    const other = await openCase(forum(), comment(id, 2), author.id);
    for (const version of [`${other}.1`, `${crypto.randomUUID()}.1`, '.1']) {
      const foreign = await decide(forum(), eva, { subject, version, action: 'hide' });
      await expectProblem(foreign, 409, 'already_decided');
    }
    assert.equal((await caseOf(caseId)).decided_at_ms, null);
    const hidden = await decided(forum(), eva, {
      subject,
      version: `${caseId}.2`,
      action: 'hide',
    });
    assert.equal((await caseOf(caseId)).decision_id, hidden.id);
    const late = await decide(forum(), eva, { subject, version: `${caseId}.2`, action: 'dismiss' });
    assert.equal((await expectProblem(late, 409, 'already_decided')).decision?.id, hidden.id);
    await undone(forum(), eva, hidden);
    const { decision_id } = await caseOf(caseId);
    const undoing = await requireDecision(forum().services.db, decision_id ?? '');
    assert.equal(undoing.undoes, hidden.id);
    assert.equal(await openCaseOf(subject), undefined);
    const newer = await openCase(forum(), subject, author.id);
    const dismissed = await decided(forum(), eva, { subject, action: 'dismiss' });
    assert.equal((await caseOf(newer)).decision_id, dismissed.id);
    const last = await openCase(forum(), subject, author.id);
    const all = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    assert.equal((await caseOf(last)).decision_id, all.id, 'it answers all about the account');
  });

  test('nobody decides about themselves or those above them', async () => {
    const [eva, ida] = [await staff(forum()), await staff(forum())];
    const own = { subject: comment(await written(eva, 'uno'), 1), action: 'hide' };
    await expectProblem(await decide(forum(), eva, own), 403, 'staff_only');
    const suspension = { subject: user(ida), action: 'suspend' };
    await expectProblem(await decide(forum(), eva, suspension), 403, 'staff_only');
    const suspended = await decided(forum(), await staff(forum(), 'admin'), suspension);
    await expectProblem(await undo(forum(), eva, suspended.id), 403, 'staff_only');
    await expectProblem(await undo(forum(), ida, suspended.id), 403, 'suspended');
  });

  test('decisions about what does not exist are refused', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const refused = async (draft: Draft, code: ProblemCode) =>
      expectProblem(await decide(forum(), eva, draft), 404, code);
    const unknown = ['', 'x', `${id}-0`, `${id}-99`, `${id}-9999999999`, crypto.randomUUID()];
    for (const kind of ['comment', 'channel', 'user'] as const)
      for (const id of unknown)
        await refused({ subject: { kind, id }, action: 'suspend' }, `${kind}_not_found`);
    for (const id of ['x', crypto.randomUUID()]) {
      await expectProblem(await undo(forum(), eva, id), 404, 'decision_not_found');
      await refused({ subject: { kind: 'appeal', id }, action: 'dismiss' }, 'appeal_not_found');
      await refused({ subject: { kind: 'users', ids: [id] }, action: 'hideAll' }, 'user_not_found');
    }
    const dismissal = await decide(forum(), eva, { subject: comment(id, 1), action: 'dismiss' });
    await expectProblem(dismissal, 409, 'already_decided');
  });

  test('a case whose content is erased can be dismissed, or answered with its author', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    await openCase(forum(), subject, author.id);
    const operator = { ...forum().services, actorName: 'ada', note: '' };
    await eraseContent(operator, { kind: 'comment', channelId: id, number: 1 });
    await expectProblem(
      await decide(forum(), eva, { subject, action: 'hide' }),
      404,
      'comment_not_found',
    );
    await decided(forum(), eva, { subject, action: 'silence', days: 1 });
    await expectProblem(await write(author, id), 403, 'silenced');
    const caseId = await openCase(forum(), subject, author.id);
    await decided(forum(), eva, { subject, version: `${caseId}.0`, action: 'dismiss', reason: '' });
    await expectProblem(
      await decide(forum(), eva, { subject, action: 'dismiss' }),
      404,
      'comment_not_found',
    );
  });

  test('the strictest restriction counts, until it ends or is undone', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const subject = user(author);
    const suspended = await decided(forum(), eva, { subject, action: 'suspend', days: 30 });
    const silenced = await decided(forum(), eva, { subject, action: 'silence', days: 1 });
    const problem = await expectProblem(await write(author, id), 403, 'suspended');
    assert.equal(problem.until, suspended.until);
    assert.match(problem.detail, /Motivo: Es publicidad\./);
    assert.doesNotMatch(problem.detail, /hasta|\d/);
    await undone(forum(), eva, suspended);
    const longer = await decided(forum(), eva, { subject, action: 'silence', days: 2 });
    const { until } = await expectProblem(await write(author, id), 403, 'silenced');
    assert.equal(until, longer.until);
    await undone(forum(), eva, longer);
    wait(86_400_000);
    assert.equal((await write(author, id)).status, 200, 'a day later');
    await undone(forum(), eva, silenced);
    const endlessly = await decided(forum(), eva, { subject, action: 'suspend' });
    assert.equal((await expectProblem(await write(author, id), 403, 'suspended')).until, null);
    await undone(forum(), eva, endlessly);
    assert.equal((await write(author, id)).status, 200);
  });

  test('a repeated restriction is refused with the first decision', async () => {
    const [eva, ada] = [await staff(forum()), await staff(forum(), 'admin')];
    const author = await forum().person();
    for (const action of ['silence', 'suspend']) {
      const draft = { subject: user(author), action, days: 7, reason: 'Insulta.' };
      const { id } = await decided(forum(), eva, draft);
      const again = await decide(forum(), eva, draft);
      assert.equal((await expectProblem(again, 409, 'already_decided')).decision?.id, id);
      await decided(forum(), eva, { ...draft, days: 30 });
      await decided(forum(), eva, { ...draft, reason: 'Sigue.' });
      await decided(forum(), ada, draft);
      await undone(forum(), eva, { id });
      await decided(forum(), eva, draft);
    }
  });

  test('are listed in the log in pages of fifty, of which the last may be full', async () => {
    const author = await forum().person();
    const pages = async () => {
      const counts: number[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page: Log = await forum().json('GET', withQuery(apiRoutes.log, { after }));
        counts.push(page.data.length);
        after = page.next;
      }
      return counts;
    };
    const add = () => decideRow(forum(), { action: 'silence', accountId: author.id });
    const listed = (await pages()).reduce((sum, count) => sum + count, 0);
    for (let count = listed % 50; count < 50; count++) await add();
    assert.ok((await pages()).every((count) => count === 50));
    await add();
    assert.equal((await pages()).at(-1), 1);
  });

  test('can be appealed against once, and somebody else upholds them, with a reason and for good', async () => {
    const [eva, ida, author] = [await staff(forum()), await staff(forum()), await forum().person()];
    const { _id } = await forum().channel(author);
    const hidden = await decided(forum(), eva, {
      subject: { kind: 'channel', id: _id },
      action: 'hide',
    });
    const { id } = hidden;
    const answered = await appeal(author, id);
    assert.equal(answered.status, 201);
    const first = (await answered.json()) as OwnDecision;
    const again = await appeal(author, id);
    assert.deepEqual([again.status, await again.json()], [201, first]);
    await expectProblem(await appeal(author, id, 'Otra cosa'), 409, 'already_decided');

    const item = await itemOf(ida, id);
    assert.deepEqual([item?.appeal?.text, item?.refusal], ['No es verdad', null]);
    assert.match((await itemOf(eva, id))?.refusal ?? '', /tuya/);
    const subject = { kind: 'appeal', id: item?.appeal?.id ?? '' } as const;
    const answer = { subject, action: 'dismiss', reason: 'Sí lo es' };
    await expectProblem(await decide(forum(), eva, answer), 403, 'staff_only');
    const { db, now } = forum().services;
    const leaving = { deletion_at_ms: now() + 86_400_000 };
    await db.updateTable('accounts').set(leaving).where('id', '=', eva.id).execute();
    await expectProblem(await decide(forum(), eva, answer), 403, 'staff_only');
    const upheld = await decided(forum(), ida, answer);
    assert.equal(upheld.isFinal, true);
    const state = (await own(author)).find((one) => one.id === id);
    assert.deepEqual(
      [state?.appeal?.state, state?.appeal?.reason, state?.isInForce],
      ['upheld', 'Sí lo es', true],
    );
    assert.equal(await itemOf(ida, id), undefined);
    const late = await undo(forum(), ida, id, subject.id);
    assert.equal((await expectProblem(late, 409, 'already_decided')).decision?.id, upheld.id);
    await expectProblem(await undo(forum(), ida, upheld.id), 409, 'already_decided');
    // The decision itself can still be undone.
    await undone(forum(), ida, hidden);
  });

  test('are undone for an appeal against them, and not for one against another decision', async () => {
    const [eva, ida, author] = [await staff(forum()), await staff(forum()), await forum().person()];
    const draft = { subject: user(author), action: 'silence' };
    const [one, other] = [
      await decided(forum(), eva, { ...draft, days: 1 }),
      await decided(forum(), eva, { ...draft, days: 2 }),
    ];
    const subject = await openAppeal(forum(), one.id, author.id);
    for (const id of [subject.id, 'x'])
      await expectProblem(await undo(forum(), eva, other.id, id), 404, 'appeal_not_found');
    const granted = await undone(forum(), ida, one);
    for (const late of [
      await decide(forum(), ida, { subject, action: 'dismiss' }),
      await undo(forum(), eva, one.id, subject.id),
    ])
      assert.equal((await expectProblem(late, 409, 'already_decided')).decision?.id, granted.id);
    assert.deepEqual(
      (await own(author)).map(({ action, isInForce }) => [action, isInForce]),
      [
        ['undo', true],
        ['silence', true],
        ['silence', false],
      ],
    );
  });

  test('are upheld by the one who made them while nobody else may write', async () => {
    await forum().services.db.updateTable('accounts').set({ role: 'member' }).execute();
    const [eva, ida, author] = [await staff(forum()), await staff(forum()), await forum().person()];
    const { id } = await decided(forum(), eva, { subject: user(author), action: 'suspend' });
    const subject = await openAppeal(forum(), id, author.id);
    assert.ok((await itemOf(eva, id))?.refusal);
    await decideRow(forum(), { action: 'silence', accountId: ida.id });
    assert.equal((await itemOf(eva, id))?.refusal, null);
    await decided(forum(), eva, { subject, action: 'dismiss' });
  });

  test('are listed except dismissals, and cannot be appealed against when they are about others, over or no restriction', async () => {
    const person = await forum().person();
    const accountId = person.id;
    const others = await decideRow(forum(), {
      action: 'hide',
      accountId: (await forum().person()).id,
    });
    for (const id of [others, 'x', ' '])
      await expectProblem(await appeal(person, id), 404, 'decision_not_found');
    await decideRow(forum(), { action: 'dismiss', accountId });
    const until_ms = forum().services.now();
    const over = await decideRow(forum(), { action: 'silence', accountId, until_ms });
    const rejection = await decideRow(forum(), { action: 'reject', accountId });
    for (const id of [over, rejection])
      await expectProblem(await appeal(person, id), 409, 'already_decided');
    await decideRow(forum(), {
      action: 'hideAll',
      accountId,
      subject_kind: 'users',
      subject_id: '',
    });
    const subject = user(person);
    assert.deepEqual(
      (await own(person)).map((one) => [one.action, one.subject, one.isInForce, one.appeal]),
      [
        ['hideAll', subject, true, null],
        ['reject', subject, true, null],
        ['silence', subject, false, null],
      ],
    );
  });

  test('are in the public log at once, without names, texts and dismissals', async () => {
    const log = () => forum().json<Log>('GET', apiRoutes.log);
    await log();
    const { id: accountId } = await forum().person();
    for (const action of ['suspend', 'dismiss'] as const)
      await decideRow(forum(), { action, accountId });
    const { data } = await log();
    assert.equal(data[0]?.action, 'suspend');
    assert.deepEqual(Object.keys(data[0] ?? {}).sort(), ['action', 'at', 'category', 'isUndone']);
    assert.ok(data.every(({ action }) => action !== 'dismiss'));
  });
});
