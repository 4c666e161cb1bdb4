import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../test/forum/forum.ts';
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
} from '../../../test/forum/moderators.ts';
import { operate } from '../../../test/forum/operator.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Queue, Role } from '../../shared/moderation.ts';
import { readAudit } from '../database/audit-log.ts';
import { eraseContent } from './content.ts';
import { decide as decideDirectly } from './make-decision.ts';
import { setRole } from './roles.ts';
import { continueWaves } from './waves.ts';

onBothEngines('decisions', (forum, wait) => {
  /** A channel of somebody else with comments of the author. */
  async function written(author: Person, ...texts: string[]): Promise<string> {
    const { _id } = await forum().channel(await forum().person());
    for (const text of texts) await forum().comment(author, _id, text);
    return _id;
  }
  const texts = async (channelId: string) =>
    (await forum().allComments(channelId)).map(({ comment }) => comment);
  const write = ({ token }: Person, id: string) =>
    forum().call('PUT', apiRoutes.comment, { token, body: { id, comment: 'hola' } });
  const caseOf = (id: string) =>
    forum().deps.db.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('a comment is hidden once, restored, and changed back by undoing each', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    const hidden = await decided(forum(), eva, { subject, action: 'hide' });
    assert.deepEqual(
      [hidden.decidedBy, hidden.category, hidden.reason, hidden.accounts, hidden.remaining],
      ['Eva', 'other', 'Es publicidad.', 1, 0],
    );
    assert.equal(hidden.author, author.name);
    assert.deepEqual(await texts(id), []);
    const again = await decide(forum(), eva, { subject, action: 'hide' });
    assert.equal((await expectProblem(again, 409, 'already_decided')).decision?.id, hidden.id);
    const restored = await decided(forum(), eva, { subject, action: 'restore' });
    assert.deepEqual(await texts(id), ['uno']);
    await undone(forum(), eva, restored);
    assert.deepEqual(await texts(id), []);
    await undone(forum(), eva, hidden);
    assert.deepEqual(await texts(id), ['uno']);
    const refused = await expectProblem(
      await undo(forum(), eva, hidden.id),
      409,
      'already_decided',
    );
    assert.equal(refused.decision?.id, hidden.id);
    const read = await forum().call('GET', apiRoutes.decision(hidden.id), { token: eva.token });
    assert.ok(((await read.json()) as typeof hidden).undoneAt);
    const audited = await readAudit(forum().deps.db, 4);
    assert.deepEqual(
      audited.map(({ actor, action }) => [actor, action]),
      ['hide-comment', 'restore-comment', 'undo-restore', 'undo-hide'].map((one) => [eva.id, one]),
    );
  });

  test('undoing in any order leaves what the decisions in force say', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const make = async () => {
      const id = await written(author, 'uno');
      const hidden = await decided(forum(), eva, { subject: comment(id, 1), action: 'hide' });
      const wave = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
      return { id, hidden, wave };
    };
    const first = await make();
    await undone(forum(), eva, first.hidden);
    assert.deepEqual(await texts(first.id), [], 'the wave hides it');
    await undone(forum(), eva, first.wave);
    assert.deepEqual(await texts(first.id), ['uno']);

    const second = await make();
    await undone(forum(), eva, second.wave);
    assert.deepEqual(await texts(second.id), []);
    await undone(forum(), eva, second.hidden);
    assert.deepEqual(await texts(second.id), ['uno']);

    const third = await make();
    await undone(forum(), eva, third.hidden);
    const restored = await decided(forum(), eva, {
      subject: comment(third.id, 1),
      action: 'restore',
    });
    assert.deepEqual(await texts(third.id), ['uno']);
    await undone(forum(), eva, third.wave);
    await undone(forum(), eva, restored);
    assert.deepEqual(await texts(third.id), ['uno'], 'no decision in force hides it');

    const fourth = await make();
    const subject = comment(fourth.id, 1);
    const shown = await decided(forum(), eva, { subject, action: 'restore' });
    const again = await decided(forum(), eva, { subject, action: 'hide' });
    await undone(forum(), eva, shown);
    await undone(forum(), eva, fourth.wave);
    assert.deepEqual(await texts(fourth.id), []);
    await undone(forum(), eva, again);
    assert.deepEqual(await texts(fourth.id), [], 'the first decision is in force again');
    await undone(forum(), eva, fourth.hidden);
    assert.deepEqual(await texts(fourth.id), ['uno']);

    const fifth = await make();
    const kept = { subject: comment(fifth.id, 1), action: 'restore' };
    await decided(forum(), eva, kept);
    const hiddenAgain = await decided(forum(), eva, { ...kept, action: 'hide' });
    await undone(forum(), eva, hiddenAgain);
    assert.deepEqual(await texts(fifth.id), ['uno'], 'it was restored out of the wave');
    const appealed = await decided(forum(), eva, { ...kept, action: 'hide' });
    const version = `${await openCase(forum(), kept.subject, author.id, appealed.id)}.1`;
    await decided(forum(), await staff(forum()), { ...kept, version });
    assert.deepEqual(await texts(fifth.id), ['uno']);
  });

  test('of ten moderators who decide a case at once, one does', async () => {
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

  test('a version is refused once the content has changed, and undoing opens the case again', async () => {
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
    assert.equal((await caseOf(caseId)).decided_at_ms, null);
    const withoutVersion = await decided(forum(), eva, { subject, action: 'dismiss' });
    assert.equal((await caseOf(caseId)).decision_id, withoutVersion.id);
    const newer = await openCase(forum(), subject, author.id);
    await undone(forum(), eva, withoutVersion);
    assert.notEqual((await caseOf(caseId)).decided_at_ms, null, 'a newer case waits');
    assert.equal((await caseOf(newer)).decided_at_ms, null);
    const wave = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    assert.equal((await caseOf(newer)).decision_id, wave.id, 'it answers all about the account');
  });

  test('nobody decides about themselves, or about those above them', async () => {
    const people: Record<Role, Person> = {
      member: await forum().person(),
      moderator: await staff(forum()),
      admin: await staff(forum(), 'admin'),
    };
    const { db } = forum().deps;
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
      [eva, people.moderator, 'release', false],
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
    await setRole({ ...forum().deps, actor: 'ada', note: '' }, people.member.id, 'moderator');
    await expectProblem(await undo(forum(), people.member, hidden.id), 403, 'staff_only');
    await setRole({ ...forum().deps, actor: 'ada', note: '' }, eva.id, 'member');
    await expectProblem(await undo(forum(), eva, hidden.id), 404, 'not_found');
  });

  test('invalid decisions are refused and name the field', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    const arrivals = { kind: 'arrivals', from: '2020-01-01T00:00:00.000Z', except: [] } as const;
    const past = { ...arrivals, to: '2020-01-02T00:00:00.000Z' };
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
      [{ subject, action: 'hide', version: 'x\0' }, 'version'],
      [{ subject: user(author), action: 'hide' }, 'action'],
      [{ subject: past, action: 'suspend' }, 'action'],
      [{ subject: past, action: 'hideAll' }, 'subject'],
      [{ subject: { ...past, to: '2999-01-01T00:00:00.000Z' }, action: 'hideAll' }, 'to'],
      [{ subject: { ...past, to: '2019-01-01T00:00:00.000Z' }, action: 'hideAll' }, 'from'],
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
        '\0',
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
    const restore = await decide(forum(), eva, { subject, action: 'restore' });
    await expectProblem(restore, 409, 'already_decided');
    for (const unknown of ['x', crypto.randomUUID()])
      await expectProblem(await undo(forum(), eva, unknown), 404, 'decision_not_found');
  });

  test('a case whose content is erased can be dismissed, or answered with its author', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    await openCase(forum(), subject, author.id);
    const operator = { ...forum().deps, actor: 'ada', note: '' };
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

  test('the strictest restriction counts, until it ends, is undone or the account is released', async () => {
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
    await expectProblem(
      await decide(forum(), eva, { subject, action: 'release' }),
      409,
      'already_decided',
    );
    await undone(forum(), eva, silenced);

    await decided(forum(), eva, { subject, action: 'suspend' });
    await decided(forum(), eva, { subject: comment(id, 1), action: 'silence', days: 1 });
    const released = await decided(forum(), eva, { subject, action: 'release' });
    assert.equal((await write(author, id)).status, 200);
    await undone(forum(), eva, released);
    const endless = await expectProblem(await write(author, id), 403, 'suspended');
    assert.equal(endless.until, null);
  });

  test('an appeal is upheld or granted by somebody else, and granting ends that decision alone', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno', 'dos');
    const subject = comment(id, 1);
    const hidden = await decided(forum(), eva, { subject, action: 'hide' });
    const appeal = `${await openCase(forum(), subject, author.id, hidden.id)}.1`;
    // Other tests of this file have made moderators.
    const own = await decide(forum(), eva, { subject, version: appeal, action: 'restore' });
    await expectProblem(own, 403, 'staff_only');
    const leaving = { deletion_at_ms: forum().deps.now() + 86_400_000 };
    const { db } = forum().deps;
    await db.updateTable('accounts').set(leaving).where('id', '=', eva.id).execute();
    const stillOwn = await decide(forum(), eva, { subject, version: appeal, action: 'restore' });
    await expectProblem(stillOwn, 403, 'staff_only');
    const ana = await staff(forum());
    const wrong = await decide(forum(), ana, { subject, version: appeal, action: 'suspend' });
    await expectProblem(wrong, 400, 'invalid_fields');
    await decided(forum(), ana, { subject, version: appeal, action: 'restore' });
    assert.deepEqual(await texts(id), ['uno', 'dos']);

    await decided(forum(), eva, { subject, action: 'hide' });
    const wave = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    const other = await openCase(forum(), user(author), author.id, wave.id);
    const answer = { subject: user(author), version: `${other}.0`, action: 'release' };
    await decided(forum(), ana, answer);
    assert.deepEqual(await texts(id), ['dos'], 'the first is still hidden by itself');
    assert.equal((await write(author, id)).status, 200);
  });

  test('an appeal is answered with a reason, for good', async () => {
    const [eva, ida, author] = [await staff(forum()), await staff(forum()), await forum().person()];
    const id = await written(author, 'uno');
    const content = comment(id, 1);
    for (const [action, grant, subject] of [
      ['hide', 'restore', content],
      ['suspend', 'release', user(author)],
      ['hideAll', 'release', user(author)],
    ] as const) {
      for (const answer of ['dismiss', grant]) {
        const decision = await decided(forum(), eva, { subject, action });
        assert.equal(decision.isFinal, false);
        const revision = subject === content ? 1 : 0;
        const version = `${await openCase(forum(), subject, author.id, decision.id)}.${revision}`;
        const draft = { subject, version, action: answer };
        for (const reason of [undefined, ' \n', '\u200b\u2060', 'x'.repeat(10_000)]) {
          const refused = await decide(forum(), ida, { ...draft, reason });
          const { errors } = await expectProblem(refused, 400, 'invalid_fields');
          assert.equal(errors?.[0]?.field, 'reason');
        }
        const made = await decided(forum(), ida, draft);
        assert.equal(made.isFinal, true, `${answer} after ${action}`);
        for (const isErased of [false, true]) {
          // Cases are erased 30 days after the answer.
          if (isErased) await forum().deps.db.deleteFrom('cases').execute();
          for (const one of [eva, ida]) {
            const refused = await undo(forum(), one, made.id);
            const { detail, decision } = await expectProblem(refused, 409, 'already_decided');
            assert.deepEqual([decision?.id, detail.includes('recurso')], [made.id, true]);
          }
        }
        await undone(forum(), eva, decision);
      }
    }
  });

  test('an appeal is closed, for good, by a decision that ends what it is against', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const subject = user(author);
    const silenced = await decided(forum(), eva, { subject, action: 'silence', days: 1 });
    const appeal = await openCase(forum(), subject, author.id, silenced.id);
    const released = await decided(forum(), eva, { subject, action: 'release' });
    assert.equal((await caseOf(appeal)).decision_id, released.id);
    await expectProblem(await undo(forum(), eva, released.id), 409, 'already_decided');
  });

  test('an appeal is granted by the action that fits what it is against', async () => {
    const [ada, author] = [await staff(forum(), 'admin'), await staff(forum())];
    const [eva, channelId] = [await staff(forum()), await written(author, 'uno')];
    const subject = comment(channelId, 1);
    const suspended = await decided(forum(), ada, { subject, action: 'suspend' });
    const version = `${await openCase(forum(), subject, author.id, suspended.id)}.1`;
    for (const action of ['restore', 'hide']) {
      const wrong = await decide(forum(), eva, { subject, version, action });
      await expectProblem(wrong, 400, 'invalid_fields');
    }
    const release = await decide(forum(), eva, { subject, version, action: 'release' });
    await expectProblem(release, 403, 'staff_only');
    await expectProblem(await write(author, channelId), 403, 'suspended');
  });

  test('what a decision in force hides stays hidden after a wave, also when its end is undone', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno', 'dos');
    const hide = (number: number) =>
      decided(forum(), eva, { subject: comment(id, number), action: 'hide' });
    await hide(1);
    const restored = await decided(forum(), eva, { subject: comment(id, 1), action: 'restore' });
    await hide(2);
    const wave = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    const second = await decided(forum(), eva, { subject: comment(id, 2), action: 'restore' });
    await undone(forum(), eva, restored);
    await undone(forum(), eva, second);
    await undone(forum(), eva, wave);
    assert.deepEqual(await texts(id), []);
  });

  test('a wave leaves what moderators restored out of it', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno', 'dos');
    const { _id: own } = await forum().channel(author);
    const wave = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    const restored = await decided(forum(), eva, { subject: comment(id, 1), action: 'restore' });
    await decided(forum(), eva, { subject: { kind: 'channel', id: own }, action: 'restore' });
    assert.deepEqual(await texts(id), ['uno']);
    assert.equal((await forum().call('GET', apiRoutes.channel(own))).status, 200);
    await undone(forum(), eva, restored);
    assert.deepEqual(await texts(id), []);
    await undone(forum(), eva, wave);
    assert.deepEqual(await texts(id), ['uno', 'dos']);
  });

  test('content that is restored while a wave is hiding its author stays visible', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 'uno', 'dos');
    const subject = comment(id, 1);
    await decided(forum(), eva, { subject, action: 'hide' });
    const wave = await decideDirectly(
      { ...forum().deps, actor: 'ada', note: '' },
      {
        ...{ subject: user(author), action: 'hideAll', category: 'spam', reason: 'Robots.' },
        ...{ days: null, version: undefined },
      },
    );
    const restored = await decided(forum(), eva, { subject, action: 'restore' });
    await continueWaves(forum().deps);
    assert.deepEqual(await texts(id), ['uno']);
    await undone(forum(), eva, restored);
    assert.deepEqual(await texts(id), []);
    await undone(forum(), eva, { id: wave });
    assert.deepEqual(await texts(id), ['dos']);
  });

  test('the one who decided decides an appeal when nobody else can', async () => {
    const { db } = forum().deps;
    await db.updateTable('accounts').set({ role: 'member' }).execute();
    const [ada, author] = [await staff(forum(), 'admin'), await staff(forum())];
    const id = await written(author, 'uno');
    const subject = comment(id, 1);
    const appealed = async (action: string) => {
      const { id } = await decided(forum(), ada, { subject, action });
      return `${await openCase(forum(), subject, author.id, id)}.1`;
    };
    const refusal = async ({ token }: Person, version: string) =>
      (await forum().json<Queue>('GET', apiRoutes.queue, { token })).data.find(
        (item) => item.version === version,
      )?.refusal;
    const first = await appealed('hide');
    assert.equal(await refusal(ada, first), '', 'the only other one is who appeals');
    await decided(forum(), ada, { subject, version: first, action: 'restore' });
    const eva = await staff(forum());
    const second = await appealed('hide');
    assert.match((await refusal(ada, second)) ?? '', /tuya/);
    assert.equal(await refusal(eva, second), '');
    const silenced = await decided(forum(), ada, {
      subject: user(eva),
      action: 'silence',
      days: 1,
    });
    await decided(forum(), ada, { subject, version: second, action: 'restore' });
    await undone(forum(), ada, silenced);
    const third = await appealed('suspend');
    assert.notEqual(await refusal(eva, third), '');
    const upheld = await decide(forum(), eva, { subject, version: third, action: 'dismiss' });
    await expectProblem(upheld, 403, 'staff_only');
    assert.equal(await refusal(ada, third), '', 'a moderator cannot release another one');
    await decided(forum(), ada, { subject, version: third, action: 'release' });
  });

  test('a release says what else keeps the person from writing', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const wave = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    const release = await decide(forum(), eva, { subject: user(author), action: 'release' });
    const problem = await expectProblem(release, 409, 'already_decided');
    assert.equal(problem.decision?.id, wave.id);
    assert.match(problem.detail, /deshaz/);
    await decided(forum(), eva, { subject: user(author), action: 'suspend' });
    const said = await operate(forum(), 'release', author.email);
    assert.doesNotMatch(said, /can write again/);
    assert.match(said, new RegExp(`undo ${wave.id}`));
  });

  test('a restriction that is sent again is refused with the first one', async () => {
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

  test('a release or a restoration that is sent again is refused with the first one', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const subject = comment(await written(author, 'Hola'), 1);
    for (const [earlier, draft] of [
      [
        { subject: user(author), action: 'silence', days: 7 },
        { subject: user(author), action: 'release' },
      ],
      [
        { subject, action: 'hide' },
        { subject, action: 'restore' },
      ],
    ] as const) {
      await decided(forum(), eva, earlier);
      const { id } = await decided(forum(), eva, draft);
      const again = await decide(forum(), eva, draft);
      assert.equal((await expectProblem(again, 409, 'already_decided')).decision?.id, id);
    }
  });
});
