import { setInterval as everyInterval } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Listening } from '../engine-type.ts';
import type { Database } from '../tables.ts';
import { ReplacedFile, rememberFiles } from './replaced-files.ts';

const intervalMs = 1000;

/**
 * Calls back after another connection, such as a command's, has written. An unhandled rejection ends the process when the
 * database's files were replaced.
 */
export async function listenToOthers(
  db: Database,
  file: string,
  onWrite: () => void,
): Promise<Listening> {
  const closing = new AbortController();
  const { signal } = closing;
  let version = await readVersion(db);
  const findReplaced = rememberFiles(file);
  const poll = async () => {
    for await (const _ of everyInterval(intervalMs, undefined, { signal, ref: false })) {
      const replaced = findReplaced();
      if (replaced !== undefined) {
        // Without its write-ahead log, the database would lose what the server can still read from the open file.
        if (replaced !== file)
          await sql`pragma wal_checkpoint(truncate)`.execute(db).catch(() => {});
        throw new ReplacedFile(replaced);
      }
      // Ignore errors: requests report a failing disk.
      const now = await readVersion(db).catch(() => version);
      if (now !== version) onWrite();
      version = now;
    }
  };
  const polling = poll().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    ready: async () => {},
    close: () => {
      closing.abort();
      return polling;
    },
  };
}

/** A number that changes when another connection writes. */
async function readVersion(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
  return rows[0]?.data_version;
}
