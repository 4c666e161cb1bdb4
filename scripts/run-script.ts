import { type Config, ConfigError, parseConfig } from '../src/server/config.ts';
import { OperatorError } from '../src/server/operator-error.ts';

/**
 * Runs a command with the site's settings. Exit code 2 for wrong settings, 1 for other failures. An
 * error that is a bug is shown with its stack.
 */
export async function runScript(command: (config: Config) => Promise<void>): Promise<void> {
  try {
    await command(parseConfig(readSettings()));
  } catch (error) {
    process.exitCode = error instanceof ConfigError ? 2 : 1;
    console.error(error instanceof OperatorError || isUsageError(error) ? error.message : error);
  }
}

/** Whether `parseArgs` threw it. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^ERR_PARSE_ARGS/.test(String(error.code));
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
