// `npm run admin`: what the person who runs the site does. docs/operating.md says how to use it.
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { AdminRefused, withAdmin } from '../src/server/admin/admin.ts';
import { help, runCommand } from '../src/server/admin/admin-commands.ts';
import { doctor } from '../src/server/admin/doctor.ts';
import { runScript } from './run-script.ts';

const args = process.argv.slice(2);
const say = (line: string) => console.log(line);

if (args.length === 0) say(help);
else {
  await runScript(async (config) => {
    const { words, note } = parse(args);
    if (words.join() === 'doctor') {
      const isIll = await doctor(config, { now: Date.now, say });
      if (isIll) process.exitCode = 1;
      return;
    }
    await withAdmin({ config, actor: actor(), note, now: Date.now, say }, (admin) =>
      runCommand(admin, words),
    );
  });
}

/** @throws AdminRefused for an option that there is not */
function parse(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { note: { type: 'string', default: '' } },
      allowPositionals: true,
    });
    return { words: positionals, note: values.note };
  } catch (error) {
    throw new AdminRefused(error instanceof Error ? error.message : String(error));
  }
}

/** Who sits there, also behind sudo. */
function actor(): string {
  const behind = process.env.SUDO_USER;
  try {
    const { username } = userInfo();
    return behind && behind !== username ? `${behind} (as ${username})` : username;
  } catch {
    // In a container there may be a number without a name.
    return `uid ${process.getuid?.()}`;
  }
}
