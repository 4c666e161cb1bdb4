import { AdminError } from '../src/server/admin/admin.ts';
import { DamagedBackup } from '../src/server/backups/damaged-backup.ts';
import { NotEmpty, ServerRunning } from '../src/server/backups/restore-target.ts';
import { type Config, ConfigError, parseConfig } from '../src/server/config.ts';
import { DataDirInUse } from '../src/server/database/locks/data-dir-lock.ts';
import { UnfitDatabase } from '../src/server/database/unfit-database.ts';

/** Errors shown by their message; any other is a bug and shown with its stack. */
const expected = [
  AdminError,
  DamagedBackup,
  NotEmpty,
  ServerRunning,
  ConfigError,
  DataDirInUse,
  UnfitDatabase,
];

/** Runs a command with the site's settings. Exit code 2 for wrong settings, 1 for other failures. */
export async function runScript(command: (config: Config) => Promise<void>): Promise<void> {
  try {
    await command(parseConfig(readSettings()));
  } catch (error) {
    process.exitCode = error instanceof ConfigError ? 2 : 1;
    const isExpected = expected.some((kind) => error instanceof kind);
    console.error(isExpected ? (error as Error).message : error);
  }
}

/** The environment overrides `.env`, as for the server. */
function readSettings() {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return process.env;
}
