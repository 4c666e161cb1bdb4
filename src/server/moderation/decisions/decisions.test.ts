import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import {
  comment,
  type Draft,
  decide,
  decided,
  openCase,
  staff,
  undo,
  undone,
  user,
} from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Decision, Log, Subject } from '../../../shared/moderation.ts';
import { setRole } from '../members/roles.ts';
import { requireDecision } from './decision-log.ts';
import { eraseContent } from './erase-content.ts';

onBothEngines('decisions', (forum, wait) => {
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
        const both = [await decided(forum(), eva, one), await decided(forum(), eva, other)];
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

  test('the order and the effect of decisions do not depend on the clock', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    wait(6 * 3_600_000);
    const early = await decided(forum(), eva, { subject: comment(id, 1), action: 'hide' });
    wait(-6 * 3_600_000);
    await undone(forum(), eva, early);
    assert.deepEqual(await texts(id), ['uno']);
    const late = await decided(forum(), eva, { subject: comment(id, 1), action: 'hide' });
    const { data } = await forum().json<Log>('GET', apiRoutes.log);
    assert.deepEqual(
      data.slice(0, 3).map(({ action, isUndone }) => [action, isUndone]),
      [
        ['hide', false],
        ['undo', false],
        ['hide', true],
      ],
    );
    await undone(forum(), eva, late);
    assert.deepEqual(await texts(id), ['uno']);
  });

  test('a version is refused once the content has changed, and an undo is the outcome of its reports', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    const caseId = await openCase(forum(), subject, author.id);
    await forum().json('PATCH', apiRoutes.channelComment(id, 1), {
      token: author.token,
      headers: { 'if-match': '"1"' },
      body: { comment: 'dos' },
    });
    const stale = await decide(forum(), eva, { subject, version: `${caseId}.1`, action: 'hide' });
    assert.match((await expectProblem(stale, 409, 'already_decided')).detail, /Cambió/);
    assert.equal((await caseOf(caseId)).decided_at_ms, null);
    const hidden = await decided(forum(), eva, {
      ...{ subject, version: `${caseId}.2`, action: 'hide' },
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

  test('a version of another case is refused', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno', 'dos');
    await openCase(forum(), comment(id, 1), author.id);
    const other = await openCase(forum(), comment(id, 2), author.id);
    const draft = { subject: comment(id, 1), action: 'hide' };
    for (const version of [`${other}.1`, `${crypto.randomUUID()}.1`, '.1']) {
      await expectProblem(
        await decide(forum(), eva, { ...draft, version }),
        409,
        'already_decided',
      );
    }
    assert.deepEqual(await texts(id), ['uno', 'dos']);
  });

  test('nobody decides about themselves or those above them, nor once they are no moderators', async () => {
    const [eva, ida, ada] = [
      await staff(forum()),
      await staff(forum()),
      await staff(forum(), 'admin'),
    ];
    const own = comment(await written(eva, 'uno'), 1);
    await expectProblem(
      await decide(forum(), eva, { subject: own, action: 'hide' }),
      403,
      'staff_only',
    );
    const suspension = { subject: user(ida), action: 'suspend' };
    await expectProblem(await decide(forum(), eva, suspension), 403, 'staff_only');
    const suspended = await decided(forum(), ada, suspension);
    await expectProblem(await undo(forum(), eva, suspended.id), 403, 'staff_only');
    await expectProblem(await undo(forum(), ida, suspended.id), 403, 'suspended');
    await undone(forum(), ada, suspended);
    const operator = { ...forum().services, actorName: 'ada', note: '' };
    await setRole(operator, ida.id, 'member');
    await expectProblem(await undo(forum(), ida, suspended.id), 404, 'not_found');
  });

  test('invalid decisions are refused and name the field', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    const people = { kind: 'users' as const, ids: [author.id] };
    const many = { ...people, ids: Array.from({ length: 201 }, () => crypto.randomUUID()) };
    for (const [draft, field] of [
      [{ subject, action: 'hide', reason: '' }, 'reason'],
      [{ subject, action: 'hide', reason: ' \u200b ' }, 'reason'],
      [{ subject, action: 'hide', reason: 'x'.repeat(2001) }, 'reason'],
      [{ subject, action: 'hide', reason: 'x'.repeat(10_000) }, 'reason'],
      [{ subject, action: 'silence' }, 'days'],
      [{ subject, action: 'silence', days: 0 }, 'days'],
      [{ subject, action: 'suspend', days: 366 }, 'days'],
      [{ subject, action: 'suspend', days: 1.5 }, 'days'],
      [{ subject, action: 'publish' }, 'action'],
      [{ subject, action: 'hide', category: 'otra' }, 'category'],
      [{ subject: user(author), action: 'hide' }, 'action'],
      [{ subject: people, action: 'suspend' }, 'action'],
      [{ subject: many, action: 'hideAll' }, 'subject'],
      [{ subject: { ...people, ids: [] }, action: 'hideAll' }, 'subject'],
      [{ subject, action: 'undo' }, 'action'],
      [{ subject: { kind: 'appeal', id }, action: 'hide' }, 'action'],
      [{ subject: { kind: 'appeal', id }, action: 'dismiss', reason: '' }, 'reason'],
    ] as [Draft, string][]) {
      const problem = await expectProblem(await decide(forum(), eva, draft), 400, 'invalid_fields');
      assert.ok(
        problem.errors?.some((one) => one.field === field),
        JSON.stringify([draft, problem]),
      );
    }
    for (const [kind, code] of [
      ['comment', 'comment_not_found'],
      ['channel', 'channel_not_found'],
      ['user', 'user_not_found'],
    ] as const) {
      for (const unknown of [
        '',
        'x',
        `${id}-0`,
        `${id}-99`,
        `${id}-9999999999`,
        id.replace(/.$/, 'z'),
        crypto.randomUUID(),
      ]) {
        const draft = { subject: { kind, id: unknown }, action: 'suspend' };
        await expectProblem(await decide(forum(), eva, draft), 404, code);
      }
    }
    const dismissal = await decide(forum(), eva, { subject, action: 'dismiss' });
    await expectProblem(dismissal, 409, 'already_decided');
    for (const unknown of ['x', crypto.randomUUID()]) {
      await expectProblem(await undo(forum(), eva, unknown), 404, 'decision_not_found');
      const url = apiRoutes.undoDecision(unknown);
      const blank = await forum().call('POST', url, { token: eva.token, body: { reason: ' ' } });
      await expectProblem(blank, 400, 'invalid_fields');
      const appeal = { kind: 'appeal' as const, id: unknown };
      const upheld = await decide(forum(), eva, { subject: appeal, action: 'dismiss' });
      await expectProblem(upheld, 404, 'appeal_not_found');
      const raid = { kind: 'users' as const, ids: [unknown] };
      const hidden = await decide(forum(), eva, { subject: raid, action: 'hideAll' });
      await expectProblem(hidden, 404, 'user_not_found');
    }
    const hidden = await decided(forum(), eva, { subject, action: 'hide' });
    for (const body of [{}, { reason: '' }, { reason: ' \u200b' }, undefined]) {
      const { token } = eva;
      const url = apiRoutes.undoDecision(hidden.id);
      const refused = await forum().call('POST', url, { token, ...(body && { body }) });
      assert.equal(refused.status, 400);
    }
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
    await expectProblem(await write(author, id), 403, 'silenced');
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
});
