// Vacuums an SQLite file and empties its write-ahead log: node vacuum-process.ts FILE MS [log-only]
// Ends with code 3 when others read the database for more than MS milliseconds, in which the log stays.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait for the server's writes. */
const timeoutMs = 60_000;
const retryMs = 100;

const [file = '', waitMs, extent] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: timeoutMs });

/** Does not let SQLite wait for readers, because writes would wait with it. */
async function emptyLog(): Promise<void> {
  const endMs = performance.now() + Number(waitMs);
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  database.exec('PRAGMA busy_timeout = 0');
  while (checkpoint.get()?.busy) {
    if (performance.now() > endMs) process.exit(3);
    await delay(retryMs);
  }
  database.exec(`PRAGMA busy_timeout = ${timeoutMs}`);
}

// The vacuum writes a copy of the whole file to the log, which stays as long as a command reads.
await emptyLog();
if (extent !== 'log-only') {
  database.exec('VACUUM');
  await emptyLog();
}
database.close();
