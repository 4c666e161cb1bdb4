import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { outcomeOf, runTertulia } from '../../../test/processes/program.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';
import { lockDataDir } from '../database/locks/file-lock.ts';
import { DiskImageStore } from '../images/stores/disk-image-store.ts';

/** A site that was started once. */
async function openSite() {
  const place = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-unusable-'));
  const env = { DATA_DIR: place.path };
  await (await ServerProcess.start(env)).stop();
  const backups = path.join(place.path, 'backups');
  return { env, backups, [Symbol.asyncDispose]: () => place.remove() };
}

test('a ledger of erased accounts that cannot be read ends a start with a sentence and code 4', async () => {
  await using site = await openSite();
  const ledger = path.join(site.backups, 'erased-accounts.txt');
  await mkdir(ledger, { recursive: true });
  const { code, said } = await outcomeOf(runTertulia(site.env, 'start'));
  assert.equal(code, 4, said);
  assert.match(said, new RegExp(`^The ledger of erased accounts, ${ledger}, cannot be read`, 'm'));
  assert.doesNotMatch(said, /^ +at /m);
  const doctor = await outcomeOf(runTertulia(site.env, 'doctor'));
  assert.equal(doctor.code, 1);
  assert.match(doctor.said, new RegExp(`^fix +data folder +The ledger .* ${ledger}`, 'm'));
  await rm(ledger, { recursive: true });
  assert.equal((await (await ServerProcess.start(site.env)).stop()).code, 0);
});

test('a file in the place of backups/ does not keep a server from starting, and is said', async () => {
  await using site = await openSite();
  await rm(site.backups, { recursive: true, force: true });
  await writeFile(site.backups, '');
  const server = await ServerProcess.start(site.env);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  const { code, said } = await server.stop();
  assert.equal(code, 0, said);
  assert.match(said, new RegExp(`^No backup can be made: ${site.backups} is a file`, 'm'));
  const doctor = await outcomeOf(runTertulia(site.env, 'doctor'));
  assert.equal(doctor.code, 1);
  assert.match(doctor.said, new RegExp(`^fix +data folder +${site.backups} is a file`, 'm'));
});

test('the doctor tells a restore that is running from a database that was lost', async () => {
  await using place = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-restoring-'));
  const env = { DATA_DIR: place.path };
  await new DiskImageStore(path.join(place.path, 'images')).write('a.full', Buffer.from('x'));
  await writeFile(path.join(place.path, 'tertulia.db.part'), '');
  const unlock = lockDataDir(place.path);
  const during = await outcomeOf(runTertulia(env, 'doctor'));
  unlock();
  assert.match(during.said, /^advice +database +a restore is running/m);
  assert.doesNotMatch(during.said, /lost|^fix +(database|images)/m);
  const killed = await outcomeOf(runTertulia(env, 'doctor'));
  assert.match(killed.said, /^fix +database +There is no database .* lost/m);
});
