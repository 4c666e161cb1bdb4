import { spawnSync } from 'node:child_process';

/**
 * Checks for the system libraries that Node 26 needs, before it is downloaded. `bin/tertulia` checks them
 * at each start.
 * @returns a sentence that names the libraries to install, or undefined
 */
export function findMissingLibrary() {
  if (process.platform !== 'linux') return undefined;
  process.report.excludeNetwork = true;
  if (!process.report.getReport().header.glibcVersionRuntime) {
    return 'tertulia needs a Linux with glibc 2.28 or newer. Alpine and other systems with musl are not supported; the container image runs on them.';
  }
  const { stdout, status } = spawnSync('ldconfig', ['-p'], {
    encoding: 'utf8',
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
  // Without `ldconfig`, or with libraries elsewhere, only starting Node shows whether they are missing.
  if (status !== 0 || process.env.LD_LIBRARY_PATH) return undefined;
  if (['libatomic.so.1', 'libstdc++.so.6'].every((name) => stdout.includes(name))) return undefined;
  return 'tertulia needs libatomic.so.1 and libstdc++.so.6. Debian, Ubuntu: apt-get install libatomic1 libstdc++6. Fedora: dnf install libatomic libstdc++.';
}
