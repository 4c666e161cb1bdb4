import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { refusedStart, runCommand } from '../../../../test/processes/run-command.ts';
import { lockDataDir } from '../../database/sqlite/file-lock.ts';
import { DiskImageStore } from '../../images/stores/disk-image-store.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { openSite } from '../start/open-site.ts';
import { isBackupDue } from './backup-folder.ts';

/** Starts and stops a new site. */
async function openSite() {
  const folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-unusable-'));
  const env = { DATA_DIR: folder.path };
  await (await Forum.start('sqlite', env)).stop();
  const backups = path.join(folder.path, 'backups');
  return { env, backups, [Symbol.asyncDispose]: () => folder.remove() };
}

test('a start exits with a message and code 4 when the ledger of erased accounts cannot be read', async () => {
  await using site = await openSite();
  const ledger = path.join(site.backups, 'erased-accounts.txt');
  await mkdir(ledger, { recursive: true });
  const { code, said } = await refusedStart(site.env);
  assert.equal(code, 4, said);
  assert.match(said, new RegExp(`^The ledger of erased accounts, ${ledger}, cannot be read`, 'm'));
  assert.doesNotMatch(said, /^ +at /m);
  const doctor = await runCommand(site.env, 'doctor');
  assert.equal(doctor.code, 1);
  assert.match(doctor.said, new RegExp(`^not ok +last backup +The ledger .* ${ledger}`, 'm'));
  await rm(ledger, { recursive: true });
  await (await Forum.start('sqlite', site.env)).stop();
});

test('a server starts and prints a warning when backups is a file', async () => {
  await using site = await openSite();
  await rm(site.backups, { recursive: true, force: true });
  await writeFile(site.backups, '');
  const lines: string[] = [];
  const services = await openSite(parseConfig(site.env), {}, (line) => lines.push(line));
  await services.close();
  assert.match(lines.join('\n'), new RegExp(`^No backup can be made: ${site.backups} is a file`));
  const forum = await Forum.start('sqlite', site.env);
  assert.equal((await forum.call('GET', '/readyz')).status, 200);
  await forum.stop();
  const doctor = await runCommand(site.env, 'doctor');
  assert.equal(doctor.code, 1);
  assert.match(doctor.said, new RegExp(`^not ok +last backup +${site.backups} is a file`, 'm'));
});

test('the doctor distinguishes a running restore from a lost database', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-restoring-'));
  const env = { DATA_DIR: folder.path };
  await new DiskImageStore(path.join(folder.path, 'images')).write('a.full', Buffer.from('x'));
  await writeFile(path.join(folder.path, 'tertulia.db.part'), '');
  const unlock = lockDataDir(folder.path);
  const during = await runCommand(env, 'doctor');
  unlock();
  assert.match(during.said, /^not ok +database +a restore is running/m);
  assert.doesNotMatch(during.said, /lost/);
  const killed = await runCommand(env, 'doctor');
  assert.match(killed.said, /^not ok +database +There is no database .* lost/m);
});

test('a daily backup fails where the earlier ones cannot be listed', async () => {
  await using site = await openSite();
  await rm(site.backups, { recursive: true, force: true });
  const config = parseConfig({ ...site.env, BACKUP_KEEP: '7' });
  const isDue = () => isBackupDue({ config, siteIdentity: '0' }, Date.now());
  assert.equal(await isDue(), true);
  await writeFile(site.backups, '');
  await assert.rejects(isDue(), { code: 'ENOTDIR' });
});
