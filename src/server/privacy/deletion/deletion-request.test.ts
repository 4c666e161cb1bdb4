import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import type { DeletedContent, DeletionRequested } from '../../../shared/account-settings.ts';
import type { Profile } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { readAudit } from '../../database/audit-log.ts';

onBothEngines('a request to delete an account', (forum, wait) => {
  const ask = (person: Person, content: DeletedContent, currentPassword = person.password) =>
    forum().call('DELETE', apiRoutes.me, {
      token: person.token,
      body: { currentPassword, content },
    });
  const cancel = ({ token }: Person) => forum().call('POST', apiRoutes.restoreMe, { token });
  const deletionOf = async ({ token }: Person) =>
    (await forum().json<Profile>('GET', apiRoutes.me, { token })).deletion;

  test('the receipt counts everything written, says what stays, and does not change when requested again', async () => {
    const ana = await forum().person('Ana');
    const { _id } = await forum().channel(ana);
    for (let i = 0; i < 3; i++) await forum().comment(ana, _id, 'Hola');
    await forum().json('DELETE', apiRoutes.channelComment(_id, 1), { token: ana.token });
    await operate(forum(), 'hide', `${_id}-2`);
    assert.equal(await deletionOf(ana), null);
    const first = await ask(ana, 'anonymous');
    assert.equal(first.status, 202);
    const requested = (await first.json()) as DeletionRequested;
    const { receipt, endsAt } = requested;
    assert.deepEqual([receipt.comments, receipt.channels, receipt.images], [3, 1, 0]);
    assert.equal(Date.parse(endsAt) - Date.parse(receipt.requestedAt), 14 * 86_400_000);
    assert.equal(receipt.stays.length, 5);
    assert.ok(receipt.stays.every(({ what, why, until }) => what && why && until));
    wait(1000);
    assert.deepEqual(await (await ask(ana, 'anonymous')).json(), requested);
    assert.deepEqual(await deletionOf(ana), requested);
    const other = (await (await ask(ana, 'erase')).json()) as DeletionRequested;
    assert.notEqual(other.endsAt, endsAt);
  });

  test('requires the password, and can be cancelled any number of times', async () => {
    const ana = await forum().person('Ana');
    await expectProblem(await ask(ana, 'erase', 'otra'), 403, 'wrong_password');
    assert.equal(await deletionOf(ana), null);
    await ask(ana, 'erase');
    for (let i = 0; i < 2; i++) assert.equal((await cancel(ana)).status, 204);
    assert.equal(await deletionOf(ana), null);
    const entries = (await readAudit(forum().services.db, 10)).filter((one) => one.subject === ana.id);
    assert.deepEqual(
      entries.map(({ actor, action, note }) => [actor, action, note]),
      [
        ['owner', 'request-deletion', ''],
        ['owner', 'cancel-deletion', ''],
      ],
    );
  });
});
