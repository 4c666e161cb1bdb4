import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** The user of the operating system that this process runs as. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, a user id may have no name.
    return `uid ${process.getuid?.()}`;
  }
}

/** @returns the user's name; undefined for an id without a name, and on systems without `getent` */
export function nameOfUser(uid: number): string | undefined {
  const { stdout } = spawnSync('getent', ['passwd', String(uid)], { encoding: 'utf8' });
  return stdout?.split(':')[0] || undefined;
}

/** @returns the user's name, or a description with the id */
export function describeUser(uid: number): string {
  return nameOfUser(uid) ?? `the user with the id ${uid}`;
}
