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
import { createPostgresDatabase, engines, Forum } from '../../../../test/forum/forum.ts';
import { askForDeletion, leaveTraces, readAll } from '../../../../test/forum/leave-traces.ts';
import type { Profile } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { waiting } from '../../accounts/standing/admission.ts';
import { backupFolder } from '../../operation/backups/backup-folder.ts';
import { makeBackup } from '../../operation/backups/make-backup.ts';
import { restoreBackup } from '../../operation/backups/restore-backup.ts';
import { buildIndex } from '../../search/index/build-index.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { sqliteFile } from '../../system/settings/data-dir.ts';
import { eraseDueAccounts } from './erase-account.ts';
import { completeLedger, ledgerIn, readLedger } from './erasure-ledger.ts';

const dayMs = 86_400_000;

for (const engine of engines) {
  const other = engine === 'sqlite' ? 'postgres' : 'sqlite';
  test(`a backup of ${engine} restored on ${other} shows nothing of an account erased since`, async (t) => {
    await using temporary = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-erased-'));
    const folder = temporary.path;
    let aheadMs = 0;
    await using former = await Forum.start(engine, {}, { now: () => Date.now() + aheadMs });
    const { zoraida, berta, shared, own, img } = await leaveTraces(former, 'zoraida@ejemplo.es');
    // Anybody can take the id of another account as their e-mail address.
    const taker = await former.person('Carla', zoraida.id);
    await askForDeletion(former, berta, 'anonymous');
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
    aheadMs = 14 * dayMs + 1;
    await eraseDueAccounts(former.services);
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
    assert.equal((await restored.signIn(taker.email, taker.password)).status, 200);
    // Berta cancelled her request after the backup. The restored request gets a new period.
    const { token } = await restored.newSession(berta);
    const { deletion } = await restored.json<Profile>('GET', apiRoutes.me, { token });
    assert.ok(Date.parse(deletion?.endsAt ?? '') > Date.now() + 13 * dayMs);
    const { deletion_at_ms } = await restored.services.db
      .selectFrom('accounts')
      .select('deletion_at_ms')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.ok(
      (deletion_at_ms ?? 0) > Date.now() + 29 * dayMs,
      'who was not let in is kept 30 days',
    );
    const ledger = await readLedger(ledgerIn(backupFolder(restored.services.config)));
    assert.equal(ledger.length, 1);
  });
}

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
  assert.equal(whole.length, 2);
  await writeFile(file, (await readFile(file, 'utf8')).slice(0, -10));
  assert.equal((await readLedger(file)).length, 1);
  await completeLedger(forum.services.ledgerFolder, forum.services.db);
  assert.deepEqual(await readLedger(file), whole);
});
