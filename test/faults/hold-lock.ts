import { DatabaseSync } from 'node:sqlite';

// Run as a program with a file and milliseconds: keeps the file locked against writers so long.
const [, , file = '', ms] = process.argv;
const database = new DatabaseSync(file, { timeout: 5000 });
database.exec('begin immediate');
console.log('locked');
setTimeout(() => database.close(), Number(ms));
