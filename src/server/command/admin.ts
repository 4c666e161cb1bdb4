import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { withAdmin } from '../admin/admin.ts';
import { help, runCommand } from '../admin/admin-commands.ts';
import { doctor } from '../admin/doctor.ts';
import type { Config } from '../config.ts';

const print = (line: string) => console.log(line);

/** Runs a command for the operator of a site. */
export async function admin(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { note: { type: 'string', default: '' } },
    allowPositionals: true,
  });
  if (positionals.length === 0) print(help);
  else if (positionals.join() === 'doctor') {
    const mustFix = await doctor(config, { now: Date.now, print });
    if (mustFix) process.exitCode = 1;
  } else {
    const context = { config, actor: actor(), note: values.note, now: Date.now, print };
    await withAdmin(context, (administration) => runCommand(administration, positionals));
  }
}

/** The user of the operating system, also behind sudo. */
function actor(): string {
  const sudoUser = process.env.SUDO_USER;
  try {
    const { username } = userInfo();
    return sudoUser && sudoUser !== username ? `${sudoUser} (as ${username})` : username;
  } catch {
    // In a container a user may have an id without a name.
    return `uid ${process.getuid?.()}`;
  }
}
