import { userInfo } from 'node:os';

/** The user of the operating system that this process runs as. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have an id without a name.
    return `uid ${process.getuid?.()}`;
  }
}
