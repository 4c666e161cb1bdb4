import assert from 'node:assert/strict';
import {
  copyFile,
  mkdir,
  mkdtempDisposable,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { findText } from '../../../../test/forum/find-text.ts';
import {
  createPostgresDatabase,
  engines,
  Forum,
  type Person,
} from '../../../../test/forum/forum.ts';
import { askForDeletion, leaveTraces, readAll } from '../../../../test/forum/leave-traces.ts';
import type { Profile } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { waiting } from '../../accounts/standing/admission.ts';
import { backupFolder } from '../../operation/backups/backup-folder.ts';
import { makeBackup } from '../../operation/backups/make-backup.ts';
import { restoreBackup } from '../../operation/backups/restore-backup.ts';
import { buildIndex } from '../../search-index/build-index.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { sqliteFile } from '../../system/settings/data-dir.ts';
import { applyToRestored } from './apply-ledger.ts';
import { completeLedger } from './complete-ledger.ts';
import { eraseDueAccounts } from './erase-account.ts';
import {
  addToLedger,
  groupRequests,
  hashAccount,
  type LedgerLine,
  ledgerIn,
  readLedger,
} from './erasure-ledger.ts';

const dayMs = 86_400_000;

for (const engine of engines) {
  const other = engine === 'sqlite' ? 'postgres' : 'sqlite';
  test(`a backup of ${engine} restored on ${other} shows nothing of an account erased since`, async (t) => {
    await using temporary = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-erased-'));
    const folder = temporary.path;
    await using former = await Forum.start(engine);
    const traces = await leaveTraces(former, 'zoraida@ejemplo.es');
    const { zoraida, berta, shared, rehearsals, own, img } = traces;
    // Anybody can take the id of another account as their e-mail address.
    const taker = await former.person('Carla', zoraida.id);
    const [diana, elsa] = [await former.person('Diana'), await former.person('Elsa')];
    const fina = await former.person('Fina');
    const gala = await former.person('Gala');
    const requestedAtMs = Date.now() - 2 * 3_600_000;
    const asked = { requestedAtMs, endsAtMs: requestedAtMs + 14 * dayMs };
    const oldFolder = path.join(folder, 'old');
    await addToLedger(oldFolder, [
      { kind: 'requested', accountHash: hashAccount(gala.id), content: 'erase', ...asked },
    ]);
    for (const one of [berta, elsa, fina]) await askForDeletion(former, one, 'anonymous');
    const { id } = await former.person();
    await former.services.db
      .updateTable('accounts')
      .set(waiting(Date.now()))
      .where('id', '=', id)
      .execute();
    const file = path.join(folder, 'daily.tar');
    await makeBackup(former.services, file, async () => {});
    await askForDeletion(former, zoraida, 'erase');
    await former.json('POST', apiRoutes.restoreMe, { token: berta.token });
    const requested = { deletion_at_ms: Date.now() };
    await former.services.db
      .updateTable('accounts')
      .set(requested)
      .where('id', '=', zoraida.id)
      .execute();
    await eraseDueAccounts(former.services);
    for (const one of [diana, fina]) await askForDeletion(former, one, 'erase');
    assert.equal((await former.signIn(taker.email, taker.password)).status, 200);
    const { config } = former.services;
    await copyFile(ledgerIn(backupFolder(config)), ledgerIn(folder));

    const database = other === 'postgres' ? await createPostgresDatabase() : undefined;
    t.after(() => database?.drop());
    const env = {
      DATA_DIR: path.join(folder, 'restored'),
      ...(database ? { DATABASE_URL: database.url } : {}),
    };
    await mkdir(env.DATA_DIR);
    await restoreBackup(parseConfig(env), file);
    await using restored = await Forum.start(other, env);
    await buildIndex(restored.services, new AbortController().signal);
    assert.deepEqual(await findText(restored, 'Quintanar'), []);
    assert.deepEqual(await findText(restored, zoraida.email), []);
    assert.ok(!(await readAll(restored, shared)).includes('Quintanar'));
    for (const url of [img, apiRoutes.channel(own._id), pageRoutes.user(zoraida.id)]) {
      assert.equal((await restored.call('GET', url)).status, 404, url);
    }
    const [rehearsal] = await restored.allComments(rehearsals._id);
    const [first] = rehearsal?.event?.dates ?? [];
    assert.deepEqual(
      [first?.yes, first?.waiting],
      [1, 0],
      'only who waited behind it has answered',
    );
    assert.equal((await restored.signIn(taker.email, taker.password)).status, 200);
    const deletionOf = async (person: Person) => {
      const { token } = await restored.newSession(person);
      return (await restored.json<Profile>('GET', apiRoutes.me, { token })).deletion;
    };
    assert.equal(await deletionOf(berta), null, 'she cancelled her request after the backup');
    for (const [person, content] of [
      [elsa, 'anonymous'],
      [diana, 'erase'],
      [fina, 'erase'],
    ] as const) {
      const deletion = await deletionOf(person);
      assert.equal(
        deletion?.receipt.content,
        content,
        'whether requested before the backup, after it, or both',
      );
      assert.ok(Date.parse(deletion.endsAt) > Date.now() + 13 * dayMs, 'with all of its days');
    }
    const { deletion_at_ms } = await restored.services.db
      .selectFrom('accounts')
      .select('deletion_at_ms')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.ok(
      (deletion_at_ms ?? 0) > Date.now() + 29 * dayMs,
      'who was not let in is kept 30 days',
    );
    const kinds = (await readLedger(ledgerIn(backupFolder(restored.services.config)))).map(
      (line) => line.kind,
    );
    assert.equal(kinds.filter((kind) => kind === 'erased').length, 1);
    await completeLedger(restored.services.ledgerFolder, restored.services.db);
    const lines = await readLedger(ledgerIn(restored.services.ledgerFolder));
    const requests = groupRequests(lines).get(hashAccount(diana.id));
    assert.equal(requests?.cancelled.size, 0, 'a renewed request keeps its line');
    await using older = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-older-'));
    const without = { DATA_DIR: path.join(older.path, 'restored') };
    await copyFile(file, path.join(older.path, 'daily.tar'));
    const { ledger } = await restoreBackup(
      parseConfig(without),
      path.join(older.path, 'daily.tar'),
    );
    assert.deepEqual(ledger, { files: [], applied: { erased: 0, requested: 0, cancelled: 0 } });
    const again = parseConfig({ DATA_DIR: path.join(older.path, 'again') });
    const copy = path.join(older.path, 'daily.tar');
    const { applied } = (await restoreBackup(again, copy, { ledgerFile: ledgerIn(oldFolder) }))
      .ledger;
    assert.equal(applied.requested, 0, 'the backup is right about requests of long before it');
  });
}

test('a restore renews requests of the hour before the backup, which may have been in progress, and all when the backup is of the future', async () => {
  await using forum = await Forum.start('sqlite');
  const nowMs = Date.now();
  const hourMs = 3_600_000;
  const renewed = async (requestedAtMs: number, madeAtMs: number) => {
    const { id } = await forum.person();
    const line: LedgerLine = {
      kind: 'requested',
      accountHash: hashAccount(id),
      content: 'erase',
      requestedAtMs,
      endsAtMs: requestedAtMs + 14 * dayMs,
    };
    return (await applyToRestored(forum.services.db, [line], madeAtMs, nowMs)).requested;
  };
  const madeAtMs = nowMs - dayMs;
  assert.equal(await renewed(madeAtMs - hourMs / 2, madeAtMs), 1);
  assert.equal(await renewed(madeAtMs - 2 * hourMs, madeAtMs), 0);
  assert.equal(await renewed(nowMs - 2 * hourMs, nowMs + dayMs), 1);
});

test('a ledger put beside a database that lacks its requests keeps them open for the next restore, also after another request', async () => {
  await using forum = await Forum.start('sqlite');
  const { ledgerFolder, db } = forum.services;
  const [ana, eva] = [await forum.person(), await forum.person()];
  await askForDeletion(forum, ana, 'erase');
  await forum.json('POST', apiRoutes.restoreMe, ana);
  await askForDeletion(forum, eva, 'anonymous');
  const laterMs = Date.now() + dayMs;
  for (const { id } of [ana, eva]) {
    await addToLedger(ledgerFolder, [
      {
        kind: 'requested',
        accountHash: hashAccount(id),
        content: 'erase',
        requestedAtMs: laterMs,
        endsAtMs: laterMs + 14 * dayMs,
      },
    ]);
  }
  await completeLedger(ledgerFolder, db);
  const requests = groupRequests(await readLedger(ledgerIn(ledgerFolder)));
  for (const { id } of [ana, eva])
    assert.equal(requests.get(hashAccount(id))?.open[0]?.requestedAtMs, laterMs);
});

test('an older copy of the database file shows nothing of an account erased since', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-copied-'));
  const dataDir = folder.path;
  let aheadMs = 0;
  const options = { now: () => Date.now() + aheadMs };
  const former = await Forum.start('sqlite', { DATA_DIR: dataDir }, options);
  const { zoraida, shared } = await leaveTraces(former, 'zoraida@ejemplo.es');
  await askForDeletion(former, zoraida, 'erase');
  const copy = path.join(dataDir, 'copy.sqlite');
  await sql`vacuum into ${copy}`.execute(former.services.db);
  aheadMs = 14 * dayMs + 1;
  await eraseDueAccounts(former.services);
  await former.stop();
  const file = sqliteFile(dataDir);
  for (const suffix of ['-wal', '-shm']) await rm(file + suffix, { force: true });
  await rename(copy, file);
  aheadMs = 0;
  await using copied = await Forum.start('sqlite', { DATA_DIR: dataDir }, options);
  assert.deepEqual(await findText(copied, 'Quintanar'), []);
  assert.ok(!(await readAll(copied, shared)).includes('Quintanar'));
});

test('a machine completes its ledger from the database after a crash truncated it', async () => {
  await using forum = await Forum.start('sqlite');
  const [one, two] = [await forum.person(), await forum.person()];
  for (const person of [one, two]) {
    await askForDeletion(forum, person, 'erase');
    const now = () => Date.now() + 14 * dayMs + 1;
    await eraseDueAccounts({ ...forum.services, now });
  }
  const file = ledgerIn(backupFolder(forum.services.config));
  const whole = await readLedger(file);
  assert.equal(whole.length, 4);
  await writeFile(file, (await readFile(file, 'utf8')).slice(0, -10));
  assert.equal((await readLedger(file)).length, 3);
  await completeLedger(forum.services.ledgerFolder, forum.services.db);
  assert.deepEqual(await readLedger(file), whole);
});

for (const engine of engines) {
  test(`the ledger of a machine follows requests that another one took, and keeps those of accounts that the database lacks (${engine})`, async () => {
    await using forum = await Forum.start(engine);
    const { db } = forum.services;
    const ana = await forum.person();
    await using other = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-other-'));
    const request = { content: 'erase' as const, requestedAtMs: 1, endsAtMs: 2 };
    const lacked = { kind: 'requested' as const, accountHash: hashAccount('lacked'), ...request };
    await addToLedger(other.path, [lacked]);
    const listed = async (id: string) => {
      const lines = await readLedger(ledgerIn(other.path));
      return groupRequests(lines).get(hashAccount(id))?.open.length;
    };
    assert.equal(await listed(ana.id), undefined);
    await askForDeletion(forum, ana, 'erase');
    await completeLedger(other.path, db);
    assert.equal(await listed(ana.id), 1);
    await forum.json('POST', apiRoutes.restoreMe, ana);
    await completeLedger(other.path, db);
    assert.equal(await listed(ana.id), 0);
    assert.equal(await listed('lacked'), 1);
  });
}

test('a ledger is read with the line ends, spaces and mark of other programs, and says how many lines it does not understand', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-line-ends-'));
  const file = ledgerIn(folder.path);
  const [one, two] = ['one', 'two'].map(hashAccount);
  await writeFile(file, `\ufeff${one} erase\r\n\r\n${two} anonymous \n${two} ano`);
  let skipped = 0;
  const lines = await readLedger(file, (count) => {
    skipped = count;
  });
  assert.deepEqual(
    lines.map(({ accountHash }) => accountHash),
    [one, two],
  );
  assert.equal(skipped, 1);
});

test('lines of ledgers mean the same in any order', () => {
  const accountHash = hashAccount('id');
  const requested = (requestedAtMs: number): LedgerLine => ({
    kind: 'requested',
    accountHash,
    content: 'erase',
    requestedAtMs,
    endsAtMs: 9,
  });
  const lines: LedgerLine[] = [
    requested(1),
    { kind: 'cancelled', accountHash, requestedAtMs: 1 },
    requested(2),
    requested(3),
  ];
  const grouped = groupRequests(lines);
  const times = grouped.get(accountHash)?.open.map(({ requestedAtMs }) => requestedAtMs);
  assert.deepEqual(times, [3, 2]);
  assert.deepEqual(groupRequests(lines.toReversed()), grouped);
});

test('a request that a crash truncated anywhere is no erasure, and version 1.0.0 reads no line of a request', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-truncated-'));
  const file = ledgerIn(folder.path);
  const accountHash = hashAccount('id');
  const request = { accountHash, content: 'erase' as const, requestedAtMs: 1, endsAtMs: 2 };
  await addToLedger(folder.path, [
    { kind: 'requested', ...request },
    { kind: 'cancelled', accountHash, requestedAtMs: 1 },
  ]);
  const whole = await readFile(file, 'utf8');
  assert.equal((await readLedger(file)).length, 2);
  const linesOf1 = whole.split('\n').filter((line) => /^([\w-]{43}) (anonymous|erase)$/.test(line));
  assert.deepEqual(linesOf1, []);
  for (let length = 0; length < whole.length; length++) {
    await writeFile(file, whole.slice(0, length));
    assert.ok((await readLedger(file)).every(({ kind }) => kind !== 'erased'));
  }
});
