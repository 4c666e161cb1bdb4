import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { installation } from './installation.ts';

/** @returns the command line of this process, quoted for a shell, so that an operator can type it again */
export function typedCommand(): string {
  return [programName(), ...process.argv.slice(2)].map(quote).join(' ');
}

/** @returns `tertulia` if that name leads to this installation in PATH, otherwise the program's path */
function programName(): string {
  const program = path.join(installation, 'bin/tertulia');
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders.map((folder) => path.join(folder, 'tertulia')).find(existsSync);
  return found && realpathSync(found) === realpathSync(program) ? 'tertulia' : program;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
