// `npm run admin`: commands for the operator of a site (docs/operating.md).
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { AdminError, withAdmin } from '../src/server/admin/admin.ts';
import { help, runCommand } from '../src/server/admin/admin-commands.ts';
import { doctor } from '../src/server/admin/doctor.ts';
import { runScript } from './run-script.ts';

const args = process.argv.slice(2);
const print = (line: string) => console.log(line);

if (args.length === 0) print(help);
else {
  await runScript(async (config) => {
    const { command, note } = parse(args);
    if (command.join() === 'doctor') {
      const mustFix = await doctor(config, { now: Date.now, print });
      if (mustFix) process.exitCode = 1;
      return;
    }
    await withAdmin({ config, actor: actor(), note, now: Date.now, print }, (admin) =>
      runCommand(admin, command),
    );
  });
}

/** @throws AdminError for an unknown option */
function parse(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { note: { type: 'string', default: '' } },
      allowPositionals: true,
    });
    return { command: positionals, note: values.note };
  } catch (error) {
    throw new AdminError(error instanceof Error ? error.message : String(error));
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
