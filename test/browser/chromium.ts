import { existsSync } from 'node:fs';

/** Path in Debian's package. */
const chromium = '/usr/bin/chromium';
const headlessShell = '/usr/bin/chromium-headless-shell';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  // Prevents network requests that the browser makes by itself.
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The header that isolates pages makes each new context start one more process, a seventh of its processor time. A
  // test of the server checks the header.
  '--disable-features=CrossOriginOpenerPolicy',
];

/** The full browser: the system's if it is installed, else Playwright's. */
export const chromiumOptions = {
  args,
  ...(existsSync(chromium) ? { executablePath: chromium } : { channel: 'chromium' }),
};

/**
 * The same engine without the parts that only a visible browser needs, at half the processor time. It has no
 * back/forward cache. Uses the system's headless shell, else the system's Chromium, else Playwright's.
 */
export const headlessShellOptions = {
  args,
  ...[headlessShell, chromium]
    .filter((program) => existsSync(program))
    .map((executablePath) => ({ executablePath }))[0],
};
