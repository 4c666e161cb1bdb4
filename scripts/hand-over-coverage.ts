/**
 * The only test of a run with coverage: gives that run the coverage data of the processes of another run. Node's test
 * runner would report nothing if a test killed a process while it was writing its file.
 */
import { copyFileSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const { SERVER_COVERAGE = '', NODE_V8_COVERAGE = '' } = process.env;
for (const file of globSync(`${SERVER_COVERAGE}/*.json`)) {
  try {
    JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.log(`${path.basename(file)} was cut off`);
    continue;
  }
  copyFileSync(file, path.join(NODE_V8_COVERAGE, path.basename(file)));
}
