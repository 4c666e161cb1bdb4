import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { Forum } from '../../../test/forum/forum.ts';
import { backupFolder, dailyBackups, fileTime } from './backup-folder.ts';
import { makeDailyBackup } from './daily-backup.ts';
import { readLastBackup, recordVerified } from './last-backup.ts';

const dayMs = 86_400_000;

test('a backup made with a right clock is not removed in favour of others dated in the future', async () => {
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '2' });
  const { config } = forum.deps;
  const folder = backupFolder(config);
  await mkdir(folder, { recursive: true });
  const ahead = [300, 301, 302].map((days) => new Date(Date.now() + days * dayMs));
  for (const time of ahead) {
    await writeFile(path.join(folder, `daily-${fileTime(time.getTime())}.tar`), '');
    await recordVerified(config, time.toISOString());
  }
  const made = await makeDailyBackup(config, Date.now());
  const remaining = await dailyBackups(config);
  assert.equal(remaining.length, 2);
  assert.ok(remaining.includes(path.basename(made?.file ?? '')));
  assert.equal(await readLastBackup(config), made?.madeAt, 'it counts as the last backup');
});
