import { fstatSync, writeSync } from 'node:fs';
import { codeOf } from '../../system/error-code.ts';

/** Maximum size of the queue; further lines are dropped. */
const maxPendingBytes = 1_000_000;
const retryMs = 50;

let pending: Buffer[] = [];
let pendingBytes = 0;
let retry: NodeJS.Timeout | undefined;

/**
 * Standard output for the log. Lines are queued for a slow reader, and dropped when nothing reads them or
 * the disk is full, so that the server keeps running and can be stopped.
 */
export function logOutput(): { write(line: string): void } {
  // Node makes a pipe or a socket non-blocking on the first access to `process.stdout`.
  void process.stdout;
  process.once('exit', flush);
  if (!isJournal(1)) return { write };
  return { write: (line) => write(`<${priorityOf(line)}>${line}`) };
}

/** Whether a file descriptor is systemd's journal, which reads a prefix such as `<3>` as the line's priority. */
export function isJournal(fd: number): boolean {
  const { JOURNAL_STREAM } = process.env;
  if (!JOURNAL_STREAM) return false;
  const { dev, ino } = fstatSync(fd);
  return JOURNAL_STREAM === `${dev}:${ino}`;
}

/** The syslog priority of a log line: 3 for errors, 4 for warnings, 6 for info, 7 for debug. */
function priorityOf(line: string): number {
  const level = Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 30);
  if (level >= 50) return 3;
  if (level >= 40) return 4;
  return level >= 30 ? 6 : 7;
}

function write(line: string): void {
  const bytes = Buffer.from(line);
  if (pendingBytes + bytes.length > maxPendingBytes) return;
  pending.push(bytes);
  pendingBytes += bytes.length;
  if (!retry) flush();
}

function flush(): void {
  retry = undefined;
  try {
    for (let [first] = pending; first; [first] = pending) {
      const written = writeSync(1, first);
      pendingBytes -= written;
      if (written < first.length) pending[0] = first.subarray(written);
      else pending.shift();
    }
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') {
      retry = setTimeout(flush, retryMs).unref();
      return;
    }
    pending = [];
    pendingBytes = 0;
  }
}
