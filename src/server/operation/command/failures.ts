import { isIPv6 } from 'node:net';
import { type ProblemCode, problems } from '../../../shared/errors.ts';
import { classifyStorageError, DatabaseUnavailable, UnfitDatabase } from '../../database/errors.ts';
import { describeRefusal } from '../../database/postgres/connection-failure.ts';
import { ApiError } from '../../http/api-error.ts';
import { StoreUnavailable } from '../../images/stores/errors.ts';
import { codeOf } from '../../system/error-code.ts';
import { InUse, OperatorError, UsageError } from '../../system/operator-error.ts';
import { ConfigError } from '../../system/settings/config.ts';
import { describeOwner } from '../../system/unusable-files.ts';
import { exitCodes } from './exit-codes.ts';

/** Messages for the operator, in place of the API's Spanish ones. */
const refusals: Partial<Record<ProblemCode, string>> = {
  channel_not_found: 'There is no such channel.',
  comment_not_found: 'There is no such comment.',
  user_not_found: 'There is no such account, or it is erased.',
  session_not_found: 'The account has no such session.',
  account_disabled: 'The account is disabled.',
  not_restorable: 'Its erasure has begun, and cannot be cancelled.',
  already_decided: 'Nothing was changed: it is hidden already, or it was not hidden.',
};

/** @returns the exit code (exit-codes.ts) of a command that failed with this error */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UnfitDatabase) return exitCodes.unfitDatabase;
  if (error instanceof ConfigError || error instanceof UsageError) return exitCodes.wrongSettings;
  if (error instanceof InUse) return exitCodes.inUse;
  if (!(error instanceof Error)) return 1;
  if (codeOf(error) === 'EADDRINUSE') return exitCodes.inUse;
  return isWrongAddress(error) ? exitCodes.wrongSettings : 1;
}

/** @returns a sentence for failures that an operator can correct; the error otherwise */
export function describeFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof OperatorError) return error.message;
  if (error instanceof ApiError) {
    const messages = error.errors?.map(({ message }) => message).join(' ');
    return refusals[error.code] ?? messages ?? error.detail ?? problems[error.code].detail;
  }
  if (error instanceof DatabaseUnavailable && error.advice) return error.advice;
  const sentence = describeRefusal(error) ?? describeAddress(error) ?? describePath(error);
  if (sentence) return sentence;
  if (error instanceof StoreUnavailable) return error.advice;
  if (classifyStorageError(error)) {
    return `The data cannot be worked on: ${error.message}. Look at DATA_DIR, and at the folder of a backup that is made: is the disk full or read-only, may this user write there, does another program hold tertulia.db?`;
  }
  return error;
}

/** Describes why the server cannot listen; undefined for other errors. */
function describeAddress(error: Error): string | undefined {
  if (codeOf(error) === 'EADDRINUSE') {
    const { address = '', port } = error as NodeJS.ErrnoException & {
      address?: string;
      port?: number;
    };
    const host = isIPv6(address) ? `[${address}]` : address;
    return `Another program listens at ${host}:${port}. Stop it, or set PORT to another port, which the proxy in front needs too.`;
  }
  if (!isWrongAddress(error)) return undefined;
  return `The server cannot listen: ${error.message}. Set HOST to an address of this machine, and PORT to one above 1023.`;
}

/** Whether the host is not an address of this machine, or this user may not use the port. */
function isWrongAddress(error: Error): boolean {
  const { syscall } = error as NodeJS.ErrnoException;
  // Failed lookups of the database's or bucket's host are errors of other types.
  if (syscall === 'getaddrinfo') return true;
  return syscall === 'listen' && ['EADDRNOTAVAIL', 'EACCES'].includes(String(codeOf(error)));
}

const unusablePath = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP'];

/** Describes a missing file or folder, one of the wrong kind or a denied one; undefined for other errors. */
function describePath(error: Error): string | undefined {
  const { path } = error as NodeJS.ErrnoException;
  const code = String(codeOf(error));
  if (unusablePath.includes(code)) {
    return `${error.message}. Name another file or folder, on the command line or in the settings.`;
  }
  if (!['EACCES', 'EPERM'].includes(code) || !path) return undefined;
  return `${error.message}: ${describeOwner(path)}. Name a place that this user may read and write, or give it that one with chown.`;
}
