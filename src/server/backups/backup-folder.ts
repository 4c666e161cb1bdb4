import path from 'node:path';
import type { Config } from '../config.ts';

/** Where backups go unless another place is named. */
export function backupFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'backups');
}

/** A time as a part of a file's name, in UTC; sorts as the times do. */
export function fileTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[:.]/g, '-');
}

/** The time that `fileTime` gave to a name; undefined when there is none. */
export function timeOfFile(name: string): number | undefined {
  const found = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)/.exec(name);
  return found ? Date.parse(`${found[1]}:${found[2]}:${found[3]}.${found[4]}`) : undefined;
}
