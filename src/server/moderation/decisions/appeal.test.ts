import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { decideRow } from '../../../../test/forum/decide-row.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import {
  decide,
  decided,
  openAppeal,
  staff,
  undo,
  undone,
  user,
} from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Log, OwnDecision, OwnDecisions, Queue } from '../../../shared/moderation.ts';
import { withQuery } from '../../../shared/routes.ts';

onEngine('sqlite', 'decisions about the caller', (forum) => {
  const own = async ({ token }: Person) =>
    (await forum().json<OwnDecisions>('GET', apiRoutes.ownDecisions, { token })).data;
  const appeal = ({ token }: Person, id: string, text = 'No es verdad') =>
    forum().call('POST', apiRoutes.appeal(id), { token, body: { text } });
  /** The appeal against a decision in the queue. */
  const itemOf = async ({ token }: Person, id: string) => {
    const { data } = await forum().json<Queue>('GET', apiRoutes.queue, { token });
    return data.find((item) => item.appeal?.decision.id === id);
  };

  test('can be appealed against once, and somebody else upholds them, with a reason and for good', async () => {
    const [eva, ida, author] = [await staff(forum()), await staff(forum()), await forum().person()];
    const { _id } = await forum().channel(author);
    const hidden = await decided(forum(), eva, {
      ...{ subject: { kind: 'channel', id: _id }, action: 'hide' },
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
    await operate(forum(), 'silence', ida.email, '1');
    assert.equal((await itemOf(eva, id))?.refusal, null);
    await decided(forum(), eva, { subject, action: 'dismiss' });
  });

  test('are listed except dismissals, and cannot be appealed against when they are about others, over or no restriction', async () => {
    const person = await forum().person();
    const accountId = person.id;
    const others = await decideRow(forum(), {
      ...{ action: 'hide', accountId: (await forum().person()).id },
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
      ...{ action: 'hideAll', accountId, subject_kind: 'users', subject_id: '' },
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
    const log = (after?: string | null) =>
      forum().json<Log>('GET', withQuery(apiRoutes.log, { after }));
    await log();
    const { id: accountId } = await forum().person();
    for (let index = 0; index < 50; index++) await decideRow(forum(), { action: 'hide' });
    await decideRow(forum(), { action: 'suspend', accountId });
    await decideRow(forum(), { action: 'dismiss', accountId });
    const { data, next } = await log();
    assert.deepEqual([data.length, data[0]?.action, data[1]?.action], [50, 'suspend', 'hide']);
    assert.deepEqual(Object.keys(data[0] ?? {}).sort(), ['action', 'at', 'category', 'isUndone']);
    const rest = await log(next);
    assert.equal(rest.data[0]?.action, 'hide');
    assert.ok(rest.data.every(({ action }) => action !== 'dismiss'));
  });
});
