// `npm run admin`: commands for the operator of a site (docs/operating.md).
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { withAdmin } from '../src/server/admin/admin.ts';
import { help, runCommand } from '../src/server/admin/admin-commands.ts';
import { doctor } from '../src/server/admin/doctor.ts';
import { runScript } from './run-script.ts';

const print = (line: string) => console.log(line);

if (process.argv.length === 2) print(help);
else {
  await runScript(async (config) => {
    const { values, positionals } = parseArgs({
      options: { note: { type: 'string', default: '' } },
      allowPositionals: true,
    });
    if (positionals.join() === 'doctor') {
      const mustFix = await doctor(config, { now: Date.now, print });
      if (mustFix) process.exitCode = 1;
      return;
    }
    const context = { config, actor: actor(), note: values.note, now: Date.now, print };
    await withAdmin(context, (admin) => runCommand(admin, positionals));
  });
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
