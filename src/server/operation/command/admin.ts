import { createInterface } from 'node:readline/promises';
import { userName } from '../../system/user-name.ts';
import { findAdminCommand, help } from './admin/commands.ts';
import { withAdmin } from './admin/with-admin.ts';
import type { Context } from './command-line.ts';
import { runDoctor } from './doctor.ts';

const print = (line: string) => console.log(line);

export async function admin(context: Context): Promise<void> {
  const { config, values, positionals } = context;
  if (positionals.length === 0) print(help);
  else if (positionals.join() === 'doctor') await runDoctor(context);
  else {
    const command = findAdminCommand(positionals);
    const [note, isNow] = [String(values.note), values.now === true];
    const parts = { config, actorName: operatorName(), note, isNow, confirm, now: Date.now, print };
    await withAdmin(parts, command);
  }
}

async function confirm(question: string): Promise<boolean> {
  process.stdout.write(`${question} Type yes: `);
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) return line.trim().toLowerCase() === 'yes';
    // The end of the input counts as no.
    return false;
  } finally {
    // Otherwise the process waits for more input.
    lines.close();
  }
}

/** The user of the operating system; with sudo, the user who ran it and the one it ran as. */
function operatorName(): string {
  const name = userName();
  const sudoUser = process.env.SUDO_USER;
  return sudoUser && sudoUser !== name ? `${sudoUser} (as ${name})` : name;
}
