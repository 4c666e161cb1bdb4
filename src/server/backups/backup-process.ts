import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { isBackupDue } from './backup-folder.ts';
import type { DailyBackup } from './daily-backup.ts';

/** Few megabytes are in use at a time; by itself Node lets much more gather before it clears up. */
const execArgv = ['--max-semi-space-size=1', '--max-old-space-size=128'];
const script = path.join(import.meta.dirname, '../../../scripts/backup.ts');

/** What the process tells the one that started it. */
export type BackupReport = { made: DailyBackup | undefined } | { failed: string };

/**
 * Has today's backup made, when it is due, by a process of its own: hashing and reading would hold up
 * whoever waits for an answer. It goes when this one goes, and its failure is only logged.
 */
export async function backUpDaily(config: Config, log: FastifyBaseLogger): Promise<void> {
  try {
    if (!(await isBackupDue(config, Date.now()))) return;
    // The settings are in the environment that it inherits.
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
    const child = fork(script, ['--daily'], { execArgv, stdio: [...stdio] });
    child.unref();
    child.channel?.unref();
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let report: BackupReport | undefined;
    child.on('message', (message) => {
      report = message as BackupReport;
    });
    const [code, signal] = await once(child, 'exit');
    if (!report) throw new Error(`its process ended with ${signal ?? code} and said nothing`);
    if ('failed' in report) throw new Error(report.failed);
    if (report.made) log.info(report.made, 'backup made and verified');
    if (report.made?.lost.length) {
      log.error({ lost: report.made.lost }, 'pictures are missing from the image store');
    }
  } catch (error) {
    log.error({ err: error }, 'backup failed; it is tried again in an hour');
  }
}
