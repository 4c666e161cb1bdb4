import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { describeLost } from '../../images/key-count.ts';
import { logFailure } from '../../system/failed-tasks.ts';
import { isBackupDue, type Site } from './backup-folder.ts';
import type { DailyBackup } from './daily-backup.ts';

const command = path.join(import.meta.dirname, '../command/main.ts');

/** Lowers peak memory from 285 MB to 145 MB: server and backup may share a machine with 512 MB. */
const execArgv = ['--max-semi-space-size=1', '--max-old-space-size=256', '--disable-sigusr1'];

/** The message that the backup process sends to the server. */
export type BackupReport = { made: DailyBackup | undefined } | { failed: string };

/** Data folders for which a child process is making a backup, or waiting for the lock of another backup. */
const running = new Set<string>();

/**
 * Makes today's backup when it is due. Uses a child process, since reading and hashing would delay
 * responses. The child exits together with this process. Failures are logged, not thrown.
 */
export async function backUpDaily(
  services: Site & { stopping: AbortSignal },
  log: FastifyBaseLogger,
): Promise<void> {
  await logFailure(services, 'backup', log, async () => {
    if (!(await isBackupDue(services, Date.now()))) return;
    const { dataDir } = services.config;
    if (running.has(dataDir)) throw new Error('the backup that began earlier has not ended');
    running.add(dataDir);
    // The child reads its settings from the inherited environment.
    const child = fork(command, ['backup', '--daily'], {
      execArgv,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    // With the lowest priority it would get almost no CPU time on a busy machine. A server that runs at a lower priority than
    // this one may not raise it.
    const priority = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
    if (child.pid) setPriority(child.pid, priority);
    let said: BackupReport | undefined;
    child.on('message', (message) => {
      said = message as BackupReport;
    });
    const exit: unknown[] = await once(child, 'exit').finally(() => running.delete(dataDir));
    const [code, signal] = exit;
    if (!said) throw new Error(`the backup process ended with ${signal ?? code}`);
    if ('failed' in said) throw new Error(said.failed);
    const { made } = said;
    if (!made) return;
    if (made.lost.count === 0) log.info(made, 'backup made and verified');
    else log.error(made, `backup is incomplete: ${describeLost(made.lost)}`);
  });
}
