import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openToRead } from '../src/server/database/database.ts';
import { movedTables } from '../src/server/moving/moved-tables.ts';

const script = path.join(import.meta.dirname, '../scripts/move.ts');

export interface MoveOutcome {
  /** undefined when it was killed. */
  code: number | undefined;
  said: string;
}

/**
 * Runs `npm run move` as a process of its own, away from any .env of a developer.
 * @param env the settings of the source, and those of the target that begin with TO_
 * @param onLine called for each line of progress
 */
export async function runMove(
  env: Record<string, string>,
  args: string[],
  onLine: (line: string, process: ChildProcess) => void = () => {},
): Promise<MoveOutcome> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  createInterface(child.stdout).on('line', (line) => {
    said += `${line}\n`;
    onLine(line, child);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? undefined, said };
}

/** The arguments' settings of a target, as `TO_…` variables. */
export function asTarget(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [`TO_${name}`, value]));
}

type Place = { dataDir: string; databaseUrl: string | undefined };

/** Every row of every table that moves, as sorted text. */
export async function dump(place: Place): Promise<Record<string, string[]>> {
  const db = openToRead(place);
  if (!db) throw new Error(`nothing in ${place.dataDir}`);
  try {
    const tables: Record<string, string[]> = {};
    for (const { name } of movedTables) {
      const rows = await db
        .selectFrom(name as 'accounts')
        .selectAll()
        .execute();
      tables[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return tables;
  } finally {
    await db.destroy();
  }
}
