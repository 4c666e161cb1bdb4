import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { decideRow } from '../../../../test/forum/decide-row.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { makeStaff } from '../../../../test/forum/make-staff.ts';
import { decided, undone } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Log, OwnDecision, OwnDecisions, Queue } from '../../../shared/moderation.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';

onBothEngines('decisions about the caller', (forum, wait) => {
  const own = async ({ token }: Person) =>
    (await forum().json<OwnDecisions>('GET', apiRoutes.ownDecisions, { token })).data;
  const appeal = ({ token }: Person, id: string, text = 'No es verdad') =>
    forum().call('POST', apiRoutes.appeal(id), { token, body: { text } });

  test('are listed with their reasons, and no others are', async () => {
    const person = await forum().person();
    const { _id } = await forum().channel(person, 'Mi canal');
    const accountId = person.id;
    await decideRow(forum(), { action: 'dismiss', accountId });
    await decideRow(forum(), {
      ...{ action: 'hide', accountId, subject_kind: 'channel', subject_id: _id },
    });
    await decideRow(forum(), {
      ...{ action: 'hideAll', accountId, subject_kind: 'users', subject_id: '' },
    });
    await decideRow(forum(), {
      action: 'silence',
      accountId,
      until_ms: forum().services.now() + 1,
    });
    wait(2);
    const decisions = await own(person);
    assert.deepEqual(
      decisions.map(({ action, subject, excerpt, isInForce }) => [
        ...[action, subject, excerpt.slice(0, 8), isInForce],
      ]),
      [
        ['silence', { kind: 'user', id: accountId }, '', false],
        ['hideAll', { kind: 'user', id: accountId }, '', true],
        ['hide', { kind: 'channel', id: _id }, 'Mi canal', true],
      ],
    );
    assert.equal(decisions[0]?.reason, 'Porque sí');
    assert.deepEqual(await own(await forum().person()), []);
  });

  test('can be appealed against once, which another moderator decides', async () => {
    const [one, other] = [await makeStaff(forum()), await makeStaff(forum())];
    const person = await forum().person();
    const id = await decideRow(forum(), {
      ...{ action: 'suspend', accountId: person.id, decided_by: one.id },
    });
    const answered = await appeal(person, id);
    assert.equal(answered.status, 201);
    const first = (await answered.json()) as OwnDecision;
    const { appeal: mine } = first;
    assert.deepEqual([mine?.text, mine?.state], ['No es verdad', 'open']);
    const again = await appeal(person, id);
    assert.deepEqual([again.status, await again.json()], [201, first]);
    await expectProblem(await appeal(person, id, 'Otra cosa'), 409, 'already_decided');
    const itemOf = async ({ token }: Person) => {
      const { data } = await forum().json<Queue>('GET', apiRoutes.queue, { token });
      return data.find((item) => item.appeal?.decision.id === id);
    };
    const item = await itemOf(other);
    assert.deepEqual([item?.appeal?.text, item?.refusal], ['No es verdad', null]);
    assert.ok((await itemOf(one))?.refusal);
    const subject = { kind: 'appeal', id: item?.appeal?.id ?? '' } as const;
    await decided(forum(), other, { subject, action: 'dismiss', reason: 'Sí lo es' });
    const state = async () => {
      const { appeal, isInForce } = (await own(person)).find((each) => each.id === id) ?? {};
      return [appeal?.state, appeal?.reason, isInForce];
    };
    assert.deepEqual(await state(), ['upheld', 'Sí lo es', true]);
    assert.equal(await itemOf(other), undefined);

    const silenced = await decideRow(forum(), {
      ...{ action: 'silence', accountId: person.id, decided_by: one.id },
    });
    await appeal(person, silenced);
    await undone(forum(), other, { id: silenced });
    const [undo, granted] = await own(person);
    assert.deepEqual(
      [undo?.action, undo?.undoes, undo?.reason, granted?.id],
      ['undo', silenced, 'Me equivoqué.', silenced],
    );
    assert.deepEqual(
      [granted?.appeal?.state, granted?.appeal?.reason, granted?.isInForce],
      ['granted', 'Me equivoqué.', false],
    );
  });

  test('cannot be appealed against when they are about others, not in force or no restriction', async () => {
    const person = await forum().person();
    const accountId = person.id;
    const others = await decideRow(forum(), {
      ...{ action: 'hide', accountId: (await forum().person()).id },
    });
    for (const id of [others, 'x', ' ']) {
      await expectProblem(await appeal(person, id), 404, 'decision_not_found');
    }
    const over = await decideRow(forum(), { action: 'silence', accountId, until_ms: 1 });
    const rejection = await decideRow(forum(), { action: 'reject', accountId });
    for (const id of [over, rejection]) {
      await expectProblem(await appeal(person, id), 409, 'already_decided');
    }
    const id = await decideRow(forum(), { action: 'hideAll', accountId });
    assert.ok((await own(person)).every(({ appeal }) => appeal === null));
    const tries = await Promise.all(['uno', 'dos', 'tres'].map((text) => appeal(person, id, text)));
    assert.deepEqual(tries.map(({ status }) => status).sort(), [201, 409, 409]);
    await expectProblem(await forum().call('GET', apiRoutes.ownDecisions), 401, 'not_signed_in');
  });

  test('are in the public log at once, without names, texts and dismissals', async () => {
    const log = (after?: string | null) =>
      forum().json<Log>('GET', withQuery(apiRoutes.log, { after }));
    const page = async () => (await forum().call('GET', pageRoutes.log)).status;
    await log();
    assert.equal(await page(), 200);
    const { id: accountId } = await forum().person();
    await decideRow(forum(), { action: 'dismiss', accountId });
    for (let index = 0; index < 50; index++) await decideRow(forum(), { action: 'hide' });
    const id = await decideRow(forum(), { action: 'suspend', accountId });
    const { data, next } = await log();
    assert.deepEqual([data.length, data[0]?.action, data[1]?.action], [50, 'suspend', 'hide']);
    assert.deepEqual(Object.keys(data[0] ?? {}).sort(), ['action', 'at', 'category', 'isUndone']);
    await decideRow(forum(), { action: 'undo', accountId, undoes: id });
    await decideRow(forum(), { action: 'dismiss', accountId });
    assert.deepEqual(
      (await log()).data.slice(0, 2).map(({ action, isUndone }) => [action, isUndone]),
      [
        ['undo', false],
        ['suspend', true],
      ],
    );
    const rest = await log(next);
    assert.equal(rest.data[0]?.action, 'hide');
    assert.ok(rest.data.every(({ action }) => action !== 'dismiss'));
    assert.equal(await page(), 200);
  });

  test('have no open appeal once they are undone', async () => {
    const [eva, person] = [await makeStaff(forum()), await forum().person()];
    for (let round = 0; round < 10; round++) {
      const id = await decideRow(forum(), { action: 'silence', accountId: person.id });
      await Promise.all([appeal(person, id), undone(forum(), eva, { id })]);
      const open = await forum()
        .services.db.selectFrom('appeals')
        .select('id')
        .where('decision_id', '=', id)
        .where('answer', 'is', null)
        .execute();
      assert.deepEqual(open, []);
    }
  });
});
