import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import { createPostgresDatabase, Forum } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { backupFolder } from '../../operation/backups/backup-folder.ts';
import { makeBackup } from '../../operation/backups/make-backup.ts';
import { restoreBackup } from '../../operation/backups/restore-backup.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { eraseDueAccounts } from './erase-account.ts';
import { ledgerIn } from './erasure-ledger.ts';

const dayMs = 86_400_000;

onBothEngines('an account whose id is the e-mail address of another', (forum, wait) => {
  test('is erased, also from a restored backup, and the other account can still sign in', async (t) => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-taken-'));
    const erased = await forum().person('Zoraida', 'zoraida@ejemplo.es');
    const other = await forum().person('Berta', erased.id);
    await askForDeletion(forum(), erased, 'erase');
    const file = path.join(folder.path, 'before.tar');
    await makeBackup(forum().services, file, async () => {});
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().services);
    assert.deepEqual(await findText(forum(), erased.email), []);
    assert.equal((await forum().signIn(other.email, other.password)).status, 200);
    assert.equal((await forum().signIn(erased.email, erased.password)).status, 401);
    await forum().person('Otra Zoraida', erased.email);

    const { config } = forum().services;
    await copyFile(ledgerIn(backupFolder(config)), ledgerIn(folder.path));
    const database = config.databaseUrl ? await createPostgresDatabase() : undefined;
    t.after(() => database?.drop());
    const env = {
      DATA_DIR: path.join(folder.path, 'restored'),
      ...(database ? { DATABASE_URL: database.url } : {}),
    };
    await mkdir(env.DATA_DIR);
    await restoreBackup(parseConfig(env), file);
    await using restored = await Forum.start(database ? 'postgres' : 'sqlite', env);
    assert.deepEqual(await findText(restored, erased.email), []);
    assert.equal((await restored.signIn(other.email, other.password)).status, 200);
  });
});
