import { doctor } from '../admin/doctor.ts';
import type { Context } from './commands.ts';

/** Checks the installation; the exit code is 1 when something must be fixed. */
export async function runDoctor({ config, settings }: Context): Promise<void> {
  const print = (line: string) => console.log(line);
  if (await doctor(config, settings, { now: Date.now, print })) process.exitCode = 1;
}
