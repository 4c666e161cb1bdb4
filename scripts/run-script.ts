import { AdminRefused } from '../src/server/admin/admin.ts';
import { DamagedBackup } from '../src/server/backups/damaged-backup.ts';
import { NotEmpty, ServerRunning } from '../src/server/backups/restore-backup.ts';
import { type Config, ConfigError, parseConfig } from '../src/server/config.ts';
import { DataDirInUse } from '../src/server/database/locks/data-dir-lock.ts';
import { UnfitDatabase } from '../src/server/database/unfit-database.ts';

/** What is said in plain words; anything else is a fault, and shown with its stack. */
const expected = [
  AdminRefused,
  DamagedBackup,
  NotEmpty,
  ServerRunning,
  ConfigError,
  DataDirInUse,
  UnfitDatabase,
];

/** Runs a command on the site's settings, and turns a failure into its exit code. */
export async function runScript(command: (config: Config) => Promise<void>): Promise<void> {
  try {
    await command(parseConfig(readSettings()));
  } catch (error) {
    process.exitCode = error instanceof ConfigError ? 2 : 1;
    const isExpected = expected.some((kind) => error instanceof kind);
    console.error(isExpected ? (error as Error).message : error);
  }
}

/** The environment and, below it, `.env`, as the server reads them. */
function readSettings() {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return process.env;
}
