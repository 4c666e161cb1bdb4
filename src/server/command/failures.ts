import { ConfigError } from '../config.ts';
import { classifyStorageError, DatabaseUnavailable, UnfitDatabase } from '../database/errors.ts';
import { DataDirInUse } from '../database/locks/file-lock.ts';
import { describeRefusal } from '../database/postgres/connection-failure.ts';
import { exitCodes } from '../operations/exit-codes.ts';
import { MetricsPortInUse } from '../operations/metrics-server.ts';
import { OperatorError } from '../operator-error.ts';

/** @returns the exit code of a command that failed with this error */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UnfitDatabase) return exitCodes.unfitDatabase;
  if (error instanceof ConfigError) return exitCodes.wrongSettings;
  if (error instanceof DataDirInUse || error instanceof MetricsPortInUse) return exitCodes.inUse;
  if (isAddressInUse(error)) return exitCodes.inUse;
  return 1;
}

/** @returns what to print: a sentence for failures that an operator can mend, the error otherwise */
export function describeFailure(error: unknown): unknown {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof DatabaseUnavailable && error.advice) return error.advice;
  const refusal = describeRefusal(error);
  if (refusal) return refusal;
  if (isAddressInUse(error)) {
    return 'Another program listens on that address. Stop it, or set PORT.';
  }
  if (error instanceof Error && classifyStorageError(error)) {
    return `The data cannot be worked on: ${error.message}. Look at DATA_DIR: is its disk full or read-only, may this user write there, does another program hold tertulia.db?`;
  }
  return isUsageError(error) ? error.message : error;
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** Whether `parseArgs` threw it. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^ERR_PARSE_ARGS/.test(String(error.code));
}
