import { readFileSync } from 'node:fs';
import { isJournal } from '../start/log-output.ts';

/**
 * @param options of journalctl
 * @param isOfAll whether another instance, such as `tertulia@3001`, may have logged it
 * @returns the command that shows it in systemd's journal, in brackets; '' when this process logs elsewhere
 */
export function journalHint(options: string, isOfAll = false): string {
  const unit = isJournal(1) ? unitIn(readFileSync('/proc/self/cgroup', 'utf8')) : undefined;
  if (unit === undefined) return '';
  const units = isOfAll ? unit.replace(/@.*/, '@*') : unit;
  return ` (journalctl -u '${units}' ${options})`;
}

/** @param cgroups `/proc/<pid>/cgroup` @returns the unit of the process, such as `tertulia@3000`; undefined outside of one */
export function unitIn(cgroups: string): string | undefined {
  return /\/([\w.:@-]+)\.service$/m.exec(cgroups)?.[1];
}
