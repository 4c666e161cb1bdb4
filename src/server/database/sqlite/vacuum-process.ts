// Vacuums an SQLite file: node vacuum-process.ts FILE
import { DatabaseSync } from 'node:sqlite';

/** How long to wait for the writes of the server. */
const timeoutMs = 60_000;

const database = new DatabaseSync(process.argv[2] ?? '', { timeout: timeoutMs });
database.exec('VACUUM');
// Empties the write-ahead log, which has all of the file now, unless that would mean waiting for readers.
database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
database.close();
