import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { hideContent } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import type { DeletedContent, DeletionRequested } from '../../../shared/account-settings.ts';
import type { Profile } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { waiting } from '../../accounts/standing/admission.ts';
import { readAudit } from '../../database/audit-log.ts';
import { hashAccount, ledgerIn, readLedger } from '../erasure/erasure-ledger.ts';

onEngine('sqlite', 'a request to delete an account', (forum, wait) => {
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
    await hideContent(forum(), `${_id}-2`);
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

  test('is in the ledger, with its end, before it is answered, and so are another one in its place and its cancellation', async () => {
    const ana = await forum().person();
    const accountHash = hashAccount(ana.id);
    const { ledgerFolder } = forum().services;
    const lines = async () =>
      (await readLedger(ledgerIn(ledgerFolder))).filter((one) => one.accountHash === accountHash);
    const requested = async (content: DeletedContent) => {
      const { receipt, endsAt } = (await (await ask(ana, content)).json()) as DeletionRequested;
      const requestedAtMs = Date.parse(receipt.requestedAt);
      const line = { kind: 'requested' as const, accountHash, content, requestedAtMs };
      return { ...line, endsAtMs: Date.parse(endsAt) };
    };
    const first = await requested('anonymous');
    assert.deepEqual(await lines(), [first]);
    wait(1000);
    const second = await requested('erase');
    const ended = ({ requestedAtMs }: typeof first) => ({
      kind: 'cancelled',
      accountHash,
      requestedAtMs,
    });
    assert.deepEqual(await lines(), [first, ended(first), second]);
    assert.equal((await cancel(ana)).status, 204);
    assert.deepEqual(await lines(), [first, ended(first), second, ended(second)]);
  });

  test('is not confirmed while the ledger cannot be written, and is once it can', async () => {
    const ana = await forum().person();
    const file = ledgerIn(forum().services.ledgerFolder);
    await rm(file, { force: true });
    await mkdir(file, { recursive: true });
    assert.equal((await ask(ana, 'erase')).status, 500);
    const printed = operate(forum(), 'erase-account', ana.id, '--now');
    await assert.rejects(printed, /EISDIR/);
    await rm(file, { recursive: true });
    assert.equal((await ask(ana, 'erase')).status, 202);
    assert.equal((await readLedger(file)).length, 1);
    await cancel(ana);
  });

  test('is cancelled by the operator only, once its time has come and the erasure is held', async () => {
    const ana = await forum().person();
    await operate(forum(), 'erase-account', ana.id, '--now');
    await expectProblem(await cancel(ana), 409, 'not_restorable');
    assert.ok(await deletionOf(ana));
    await operate(forum(), 'cancel-erasure', ana.id);
    assert.equal(await deletionOf(ana), null);
  });

  test('once cancelled, leaves an account that waits for approval its thirty days', async () => {
    const { id } = await forum().person();
    const { db, now } = forum().services;
    const account = db.updateTable('accounts').where('id', '=', id);
    await account.set({ ...waiting(now()), disabled_at_ms: now() }).execute();
    await operate(forum(), 'erase-account', id);
    await operate(forum(), 'cancel-erasure', id);
    const row = await db
      .selectFrom('accounts')
      .select(['deletion_at_ms', 'deletion_content', 'admission'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const days = Math.round(((row.deletion_at_ms ?? 0) - now()) / 86_400_000);
    assert.deepEqual([row.admission, row.deletion_content, days], ['pending', 'erase', 30]);
  });

  test('requires the password, and can be cancelled any number of times', async () => {
    const ana = await forum().person('Ana');
    await expectProblem(await ask(ana, 'erase', 'otra'), 403, 'wrong_password');
    assert.equal(await deletionOf(ana), null);
    await ask(ana, 'erase');
    for (let i = 0; i < 2; i++) assert.equal((await cancel(ana)).status, 204);
    assert.equal(await deletionOf(ana), null);
    const entries = (await readAudit(forum().services.db, 10)).filter(
      (one) => one.subject === ana.id,
    );
    assert.deepEqual(
      entries.map(({ actor, action, note }) => [actor, action, note]),
      [
        ['owner', 'request-deletion', ''],
        ['owner', 'cancel-deletion', ''],
      ],
    );
  });
});
