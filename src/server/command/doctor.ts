import type { Context } from './commands.ts';
import { diagnose } from './doctor/diagnose.ts';

/** Checks the installation; the exit code is 1 when something must be fixed. */
export async function runDoctor({ config, settings, values }: Context): Promise<void> {
  const diagnosis = await diagnose(config, settings, Date.now(), values.images === true);
  const { findings } = diagnosis;
  if (values.json) {
    console.log(JSON.stringify(diagnosis, null, 2));
  } else {
    console.log(`Settings: ${diagnosis.settings}`);
    console.log(`Database: ${diagnosis.database}`);
    console.log(`Images: ${diagnosis.images}`);
    for (const { level, subject, message } of findings) {
      console.log(`${level.padEnd(8)}${subject.padEnd(14)}${message}`);
    }
  }
  if (findings.some(({ level }) => level === 'fix')) process.exitCode = 1;
}
