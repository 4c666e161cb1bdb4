import { writeSync } from 'node:fs';

/** More than this waits for no reader. */
const maxPendingBytes = 1_000_000;
const retryMs = 50;

let pending: Buffer[] = [];
let pendingBytes = 0;
let retry: NodeJS.Timeout | undefined;

/**
 * Standard output, for the log of a server that goes on and can be stopped whatever happens to it: what
 * is written waits for a slow reader, and is dropped where nobody reads or the disk is full.
 */
export function logOutput(): { write(line: string): void } {
  // Node makes a pipe or a socket non-blocking when it is first asked for.
  void process.stdout;
  process.once('exit', flush);
  return { write };
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
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') {
      retry = setTimeout(flush, retryMs).unref();
      return;
    }
    pending = [];
    pendingBytes = 0;
  }
}
