import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { backupFolder, dailyBackups, dailyName } from './backup-folder.ts';
import { makeDailyBackup } from './daily-backup.ts';
import { readLastBackup } from './last-backup.ts';

const dayMs = 86_400_000;

test('a backup made with a right clock is not removed in favour of others dated in the future', async () => {
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '2' });
  const { config } = forum.services;
  const folder = backupFolder(config);
  await mkdir(folder, { recursive: true });
  for (const days of [300, 301, 302]) {
    await writeFile(path.join(folder, dailyName(forum.services, Date.now() + days * dayMs)), '');
  }
  const made = await makeDailyBackup(config, Date.now());
  const remaining = (await dailyBackups(forum.services)).map(({ name }) => name);
  assert.equal(remaining.length, 2);
  assert.ok(remaining.includes(path.basename(made?.file ?? '')));
  const last = await readLastBackup(forum.services);
  assert.equal(last?.file, made?.file, 'it counts as the last backup');
});
