// Vacuums an SQLite file: node vacuum-process.ts FILE
import { DatabaseSync } from 'node:sqlite';

/** How long to wait for the server's writes. */
const timeoutMs = 60_000;

const database = new DatabaseSync(process.argv[2] ?? '', { timeout: timeoutMs });
database.exec('VACUUM');
// Empties the write-ahead log, which holds the whole vacuumed file, unless readers would delay that.
database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
database.close();
