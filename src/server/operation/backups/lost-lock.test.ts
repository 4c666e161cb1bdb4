import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { sql } from 'kysely';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { tryWithLock } from '../../database/locks/locks.ts';
import { LockLost } from '../../database/postgres/advisory-lock.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { sweepImages } from '../../images/sweep-images.ts';
import { backupFolder, dailyBackups, isBackupDue } from './backup-folder.ts';
import { makeDailyBackup } from './daily-backup.ts';
import { makeBackup } from './make-backup.ts';

/** Terminates the connection that holds the advisory lock on this forum's database. */
async function cutLockHolders({ services: { db } }: Forum): Promise<void> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())
  `.execute(db);
  assert.equal(rows.length, 1);
}

async function withImage(work: (forum: Forum) => Promise<void>): Promise<void> {
  await using forum = await Forum.start('postgres', { BACKUP_KEEP: '1' });
  const author = await forum.person();
  const uploaded = await forum.upload(author, await quarters(1000, 400).png().toBuffer());
  const { downloadURL: cover } = (await uploaded.json()) as StoredFile;
  await forum.json('POST', apiRoutes.channels, {
    token: author.token,
    body: { name: 'Cine', description: 'Películas', cover },
  });
  await work(forum);
}

/** Wraps the forum's image store so that `act` runs before the first read. */
function beforeFirstRead({ services: { images } }: Forum, act: () => Promise<void>): ImageStore {
  let isFirst = true;
  const read = async (key: string): Promise<Readable> => {
    if (isFirst) await act();
    isFirst = false;
    return images.read(key);
  };
  return Object.assign(Object.create(images), { read });
}

test('a backup whose lock is lost fails and leaves no file', () =>
  withImage(async (forum) => {
    const images = beforeFirstRead(forum, () => cutLockHolders(forum));
    const { db, config } = forum.services;
    const file = `${backupFolder(config)}/daily-2026-01-01T00-00-00-000Z.tar`;
    await assert.rejects(
      tryWithLock(forum.services, (confirmLock) => makeBackup({ db, images }, file, confirmLock)),
      LockLost,
    );
    assert.deepEqual(await readdir(backupFolder(config)), []);
    // The next backup gets the lock.
    assert.ok(await makeDailyBackup(config, Date.now()));
  }));

test('a daily backup whose lock is lost does not count as today’s', () =>
  withImage(async (forum) => {
    const { config, db } = forum.services;
    const { making } = await db.transaction().execute(async (trx) => {
      await sql`lock table images in access exclusive mode`.execute(trx);
      const making = assert.rejects(makeDailyBackup(config, Date.now()), LockLost);
      await eventually('the backup waits for the table', async () => {
        const { rows } = await sql`
          select from pg_locks where relation = 'images'::regclass and not granted
        `.execute(trx);
        return rows.length === 1;
      });
      await cutLockHolders(forum);
      return { making };
    });
    await making;
    assert.ok(await isBackupDue(forum.services, Date.now()));
    assert.deepEqual(await readdir(backupFolder(config)), []);
    const made = await makeDailyBackup(config, Date.now());
    const [daily] = await dailyBackups(forum.services);
    assert.equal(daily?.name, path.basename(made?.file ?? ''));
  }));

test('a sweep whose lock is lost removes nothing more', () =>
  withImage(async (forum) => {
    const { db, images } = forum.services;
    await db.updateTable('channels').set({ cover: '/files/images/other.png' }).execute();
    const keys = async () => (await Array.fromAsync(images.list())).map(({ key }) => key).sort();
    const before = await keys();
    const later = { ...forum.services, now: () => Date.now() + 48 * 3_600_000 };
    await assert.rejects(
      tryWithLock(later, async (confirmLock) => {
        await cutLockHolders(forum);
        return sweepImages(later, confirmLock);
      }),
      LockLost,
    );
    assert.deepEqual(await keys(), before);
    await tryWithLock(later, (confirmLock) => sweepImages(later, confirmLock));
    assert.deepEqual(await keys(), []);
  }));
