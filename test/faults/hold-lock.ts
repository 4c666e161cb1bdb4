import { DatabaseSync } from 'node:sqlite';

// A program: `hold-lock.ts <file> <ms>` locks an SQLite file against writers for that time.
const [, , file = '', ms] = process.argv;
const database = new DatabaseSync(file, { timeout: 5000 });
database.exec('begin immediate');
console.log('locked');
setTimeout(() => database.close(), Number(ms));
