import { write } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf } from '../../system/error-code.ts';
import { OperatorError } from '../../system/operator-error.ts';

const writeOnce = promisify(write);
const retryMs = 20;

/**
 * Writes to standard output, a pipe or a file. Not with `process.stdout`, which would silently lose the end of a write
 * to a full disk. @throws OperatorError when the write fails
 */
export async function writeToStandardOutput(bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += (await writeOnce(1, bytes, at)).bytesWritten;
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') {
        const message = `The backup is cut off: standard output does not take it (${codeOf(error)}).`;
        throw new OperatorError(message, { cause: error });
      }
      // Another process that shares the pipe may have made it non-blocking.
      await delay(retryMs);
    }
  }
}
