import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import {
  comment,
  decide,
  decided,
  openAppeal,
  openCase,
  staff,
  undo,
  undone,
  user,
} from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Log, Queue, Role, Subject } from '../../../shared/moderation.ts';
import { readAudit } from '../../database/audit-log.ts';
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

  test('a comment is hidden once and shown again by one undo, each with a row in the log', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    const hidden = await decided(forum(), eva, { subject, action: 'hide' });
    assert.deepEqual(
      [hidden.decidedBy, hidden.category, hidden.reason, hidden.accounts, hidden.undoes],
      ['Eva', 'other', 'Es publicidad.', 1, null],
    );
    assert.equal(hidden.author, author.name);
    assert.deepEqual(await texts(id), []);
    const again = await decide(forum(), eva, { subject, action: 'hide' });
    assert.equal((await expectProblem(again, 409, 'already_decided')).decision?.id, hidden.id);
    const shown = await undone(forum(), eva, hidden);
    assert.deepEqual(
      [shown.action, shown.undoes, shown.subject, shown.reason, shown.isFinal, shown.undoneAt],
      ['undo', hidden.id, subject, 'Me equivoqué.', true, null],
    );
    assert.deepEqual(await texts(id), ['uno']);
    for (const one of [hidden, shown]) {
      const refused = await undo(forum(), eva, one.id);
      const { decision } = await expectProblem(refused, 409, 'already_decided');
      assert.equal(decision?.id, one.id);
    }
    const read = await forum().call('GET', apiRoutes.decision(hidden.id), { token: eva.token });
    assert.ok(((await read.json()) as typeof hidden).undoneAt);
    const audited = await readAudit(forum().services.db, 2);
    assert.deepEqual(
      audited.map(({ actor, action, subject }) => [actor, action, subject]),
      [
        [eva.id, 'hide-comment', subject.id],
        [eva.id, 'undo-hide', hidden.id],
      ],
    );
  });

  test('content hidden by two decisions stays hidden until both are undone, in either order', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno', 'dos');
    const shownChannels = async () =>
      (await forum().call('GET', apiRoutes.channel(id))).status === 200;
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const both = [
        await decided(forum(), eva, { subject: comment(id, 1), action: 'hide' }),
        await decided(forum(), eva, { subject: user(author), action: 'hideAll' }),
      ];
      assert.deepEqual(await texts(id), []);
      for (const [step, index] of order.entries()) {
        await undone(forum(), eva, both[index] ?? assert.fail());
        const left = index === 1 ? ['dos'] : [];
        assert.deepEqual(await texts(id), step === 1 ? ['uno', 'dos'] : left);
      }
    }
    const people = [author, await forum().person()];
    const raid = { kind: 'users' as const, ids: people.map((one) => one.id) };
    for (const isFirst of [true, false]) {
      const one = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
      const all = await decided(forum(), eva, { subject: raid, action: 'hideAll' });
      assert.deepEqual([all.accounts, all.author], [2, '']);
      await undone(forum(), eva, isFirst ? one : all);
      assert.deepEqual(await texts(id), []);
      const refused = await decide(forum(), eva, { subject: user(author), action: 'hideAll' });
      const { decision } = await expectProblem(refused, 409, 'already_decided');
      assert.equal(decision?.id, isFirst ? all.id : one.id);
      await undone(forum(), eva, isFirst ? all : one);
      assert.deepEqual(await texts(id), ['uno', 'dos']);
    }
    assert.ok(await shownChannels());
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

  test('only one of ten moderators who decide a case at once succeeds', async () => {
    const author = await forum().person();
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    const version = `${await openCase(forum(), subject, author.id)}.1`;
    const ten = await Promise.all(Array.from({ length: 10 }, () => staff(forum())));
    const answers = await Promise.all(
      ten.map((eva, i) => {
        const action = ['hide', 'dismiss', 'suspend'][i % 3] ?? '';
        return decide(forum(), eva, { subject, version, action });
      }),
    );
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as {
      id: string;
      decision: { id: string };
    }[];
    const winners = bodies.filter((_, i) => answers[i]?.status === 201);
    assert.equal(winners.length, 1, JSON.stringify(bodies));
    const others = bodies.filter((_, i) => answers[i]?.status === 409);
    assert.deepEqual([...new Set(others.map(({ decision }) => decision.id))], [winners[0]?.id]);
    assert.equal(others.length, 9);
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

  test('nobody decides about themselves, or about people of a higher role', async () => {
    const people: Record<Role, Person> = {
      member: await forum().person(),
      moderator: await staff(forum()),
      admin: await staff(forum(), 'admin'),
    };
    const { db } = forum().services;
    const eva = await staff(forum());
    const ada = await staff(forum(), 'admin');
    const rules: [by: Person, about: Person, action: string, isAllowed: boolean][] = [
      [eva, people.moderator, 'hide', true],
      [eva, people.moderator, 'suspend', false],
      [eva, people.moderator, 'hideAll', false],
      [eva, people.admin, 'hide', false],
      [eva, eva, 'hide', false],
      [eva, eva, 'suspend', false],
      [eva, eva, 'dismiss', false],
      [ada, people.moderator, 'silence', true],
      [ada, people.admin, 'hide', true],
      [ada, people.admin, 'suspend', false],
      [ada, ada, 'hide', false],
    ];
    for (const [by, about, action, isAllowed] of rules) {
      const id = await written(by, 'uno').catch(() => undefined);
      await db
        .updateTable('comments')
        .set({ account_id: about.id })
        .where('channel_id', '=', id ?? '')
        .execute();
      const answer = await decide(forum(), by, { subject: comment(id ?? '', 1), action, days: 1 });
      if (isAllowed) assert.equal(answer.status, 201, await answer.text());
      else await expectProblem(answer, 403, 'staff_only');
    }
    const hidden = await decided(forum(), eva, {
      ...{ subject: comment(await written(people.member, 'uno'), 1), action: 'hide' },
    });
    await setRole(
      { ...forum().services, actorName: 'ada', note: '' },
      people.member.id,
      'moderator',
    );
    await expectProblem(await undo(forum(), people.member, hidden.id), 403, 'staff_only');
    const silenced = await decided(forum(), ada, {
      ...{ subject: user(people.moderator), action: 'silence', days: 1 },
    });
    await expectProblem(await undo(forum(), eva, silenced.id), 403, 'staff_only');
    await undone(forum(), ada, silenced);
    await setRole({ ...forum().services, actorName: 'ada', note: '' }, eva.id, 'member');
    await expectProblem(await undo(forum(), eva, hidden.id), 404, 'not_found');
  });

  test('decisions about what does not exist are refused', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
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

  test('an appeal is upheld by somebody else, with a reason and finally', async () => {
    const [eva, ida, author] = [await staff(forum()), await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const hidden = await decided(forum(), eva, { subject: comment(id, 1), action: 'hide' });
    const subject = await openAppeal(forum(), hidden.id, author.id);
    const answer = { subject, action: 'dismiss' };
    await expectProblem(await decide(forum(), eva, answer), 403, 'staff_only');
    const leaving = { deletion_at_ms: forum().services.now() + 86_400_000 };
    const { db } = forum().services;
    await db.updateTable('accounts').set(leaving).where('id', '=', eva.id).execute();
    await expectProblem(await decide(forum(), eva, answer), 403, 'staff_only');
    await expectProblem(await decide(forum(), author, answer), 404, 'not_found');
    for (const reason of [undefined, ' \n', '\u200b\u2060', 'x'.repeat(10_000)]) {
      const refused = await decide(forum(), ida, { ...answer, reason });
      const { errors } = await expectProblem(refused, 400, 'invalid_fields');
      assert.equal(errors?.[0]?.field, 'reason');
    }
    const answers = await Promise.all([1, 2].map(() => decide(forum(), ida, answer)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const bodies = (await Promise.all(answers.map((one) => one.json()))) as {
      id: string;
      isFinal: boolean;
      decision?: { id: string };
    }[];
    const upheld = bodies.find(({ decision }) => !decision) ?? assert.fail();
    assert.equal(bodies.find(({ decision }) => decision)?.decision?.id, upheld.id);
    assert.equal(upheld.isFinal, true);
    await expectProblem(await undo(forum(), ida, upheld.id), 409, 'already_decided');
    assert.deepEqual(await texts(id), []);
    const late = await undo(forum(), ida, hidden.id, subject.id);
    assert.equal((await expectProblem(late, 409, 'already_decided')).decision?.id, upheld.id);
    assert.deepEqual(await texts(id), []);
    await undone(forum(), ida, hidden);
    assert.deepEqual(await texts(id), ['uno'], 'the decision itself can still be undone');
  });

  test('an appeal is finally granted by undoing the decision that it is against, and by nothing else', async () => {
    const [eva, ana, author] = [await staff(forum()), await staff(forum()), await forum().person()];
    const id = await written(author, 'uno', 'dos');
    await decided(forum(), eva, { subject: comment(id, 1), action: 'hide' });
    const all = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    const subject = await openAppeal(forum(), all.id, author.id);
    const granted = await undone(forum(), ana, all);
    assert.deepEqual(await texts(id), ['dos'], 'the first is still hidden by itself');
    assert.equal((await write(author, id)).status, 200);
    const late = await decide(forum(), ana, { subject, action: 'dismiss' });
    assert.equal((await expectProblem(late, 409, 'already_decided')).decision?.id, granted.id);
    await expectProblem(await undo(forum(), eva, granted.id), 409, 'already_decided');
    const again = await undo(forum(), eva, all.id, subject.id);
    assert.equal((await expectProblem(again, 409, 'already_decided')).decision?.id, granted.id);
  });

  test('a decision is not undone for an appeal against another one', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const draft = { subject: user(author), action: 'silence', days: 1 };
    const [one, other] = [
      await decided(forum(), eva, draft),
      await decided(forum(), eva, { ...draft, days: 2 }),
    ];
    const { id } = await openAppeal(forum(), one.id, author.id);
    for (const appeal of [id, 'x'])
      await expectProblem(await undo(forum(), eva, other.id, appeal), 404, 'appeal_not_found');
  });

  test('a moderator decides an appeal against their own decision when nobody else can', async () => {
    const { db } = forum().services;
    await db.updateTable('accounts').set({ role: 'member' }).execute();
    const [ada, author] = [await staff(forum(), 'admin'), await staff(forum())];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    const appealed = async (action: string) => {
      const { id } = await decided(forum(), ada, { subject, action });
      return { id, appeal: await openAppeal(forum(), id, author.id) };
    };
    const refusal = async ({ token }: Person, { id }: { id: string }) =>
      (await forum().json<Queue>('GET', apiRoutes.queue, { token })).data.find(
        (item) => item.appeal?.decision.id === id,
      )?.refusal;
    const first = await appealed('hide');
    assert.equal(await refusal(ada, first), null, 'the only other one is who appeals');
    await undone(forum(), ada, first);
    const eva = await staff(forum());
    const second = await appealed('hide');
    assert.match((await refusal(ada, second)) ?? '', /tuya/);
    assert.equal(await refusal(eva, second), null);
    const silenced = await decided(forum(), ada, {
      subject: user(eva),
      action: 'silence',
      days: 1,
    });
    await decided(forum(), ada, { subject: second.appeal, action: 'dismiss' });
    await undone(forum(), ada, silenced);
    const third = await appealed('suspend');
    assert.ok(await refusal(eva, third));
    const upheld = await decide(forum(), eva, { subject: third.appeal, action: 'dismiss' });
    await expectProblem(upheld, 403, 'staff_only');
    assert.equal(await refusal(ada, third), null, 'a moderator cannot release another one');
    await undone(forum(), ada, third);
  });

  test('the operator releases an account, and reads what else keeps it from writing', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    await assert.rejects(operate(forum(), 'release', author.email), { code: 'already_decided' });
    const all = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    for (const action of ['suspend', 'silence'])
      await decided(forum(), eva, { subject: user(author), action, days: 1 });
    const said = await operate(forum(), 'release', author.email);
    assert.doesNotMatch(said, /can write again/);
    assert.match(said, new RegExp(`undo ${all.id}`));
    await operate(forum(), 'undo', all.id);
    const id = await written(await forum().person());
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
