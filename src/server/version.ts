import { readFileSync } from 'node:fs';
import path from 'node:path';
import { installation } from './installation.ts';

/** The version of this program, for example `0.1.0`. */
export const version = String(
  JSON.parse(readFileSync(path.join(installation, 'package.json'), 'utf8')).version,
);
