import fs, { existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf } from '../error-code.ts';
import { renameDurably } from '../files.ts';
import { OperatorError } from '../operator-error.ts';

const writeOnce = promisify(fs.write);
const retryMs = 20;
/** As much as a pipe holds on Linux. */
export const paddingBytes = 64 * 1024;

/** The destination of an archive: a file or a pipe. */
export interface ArchiveOutput {
  write(bytes: Buffer): Promise<void>;
  /**
   * Ends a complete archive.
   * @param file another name for it, in the same folder
   * @returns its name
   */
  finish(file?: string): Promise<string>;
  abort(): Promise<void>;
}

/**
 * Opens a new file. Until it is complete and synced it is named `….part`.
 * @throws OperatorError when it exists: a backup is never overwritten
 */
export async function openFileOutput(file: string): Promise<ArchiveOutput> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already`);
  const part = `${file}.part`;
  await mkdir(path.dirname(file), { recursive: true });
  // Only this user may read it, since a backup contains password hashes.
  const handle = await open(part, 'wx', 0o600);
  return {
    write: (bytes) => handle.writeFile(bytes),
    async finish(name = file) {
      await handle.sync();
      await handle.close();
      await renameDurably(part, name);
      return name;
    },
    async abort() {
      await handle.close().catch(() => {});
      await rm(part, { force: true });
    },
  };
}

/** Writes to a file descriptor that is open already, such as a pipe. */
export function descriptorOutput(fd: number): ArchiveOutput {
  const write = async (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; ) at += await writeSome(fd, bytes.subarray(at));
  };
  return {
    write,
    async finish() {
      // Once a pipe has taken this, its reader has read all of the archive.
      await write(Buffer.alloc(paddingBytes));
      return 'standard output';
    },
    abort: async () => {},
  };
}

/** @returns how many bytes were written */
async function writeSome(fd: number, bytes: Buffer): Promise<number> {
  try {
    return (await writeOnce(fd, bytes)).bytesWritten;
  } catch (error) {
    // A pipe that is shared with another process may not wait for its reader.
    if (codeOf(error) === 'EAGAIN') return delay(retryMs, 0);
    const message = `The backup is cut off: standard output does not take it (${codeOf(error)}).`;
    throw new OperatorError(message, { cause: error });
  }
}
