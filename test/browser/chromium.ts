import { existsSync } from 'node:fs';

/** Debian's. */
const chromium = '/usr/bin/chromium';
const headlessShell = '/usr/bin/chromium-headless-shell';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  // No calls of its own to elsewhere.
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The whole browser: the system's where there is one, else Playwright's. */
export const chromiumOptions = {
  args,
  ...(existsSync(chromium) ? { executablePath: chromium } : { channel: 'chromium' }),
};

/**
 * The same engine without what only a visible browser needs, for half the processor time; it has no
 * back/forward cache. The system's where there is one, else its Chromium, else Playwright's.
 */
export const headlessShellOptions = {
  args,
  ...[headlessShell, chromium]
    .filter((program) => existsSync(program))
    .map((executablePath) => ({ executablePath }))[0],
};
