import { existsSync } from 'node:fs';

const systemChromium = '/usr/bin/chromium';

/** The system's Chromium where there is one, else Playwright's own, without calls of its own to elsewhere. */
export const chromiumOptions = {
  ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
