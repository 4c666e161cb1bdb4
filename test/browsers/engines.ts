import { existsSync, globSync } from 'node:fs';
import { FirefoxTab } from './firefox-tab.ts';
import { PlaywrightTab } from './playwright-tab.ts';
import { findInOutput, startProgram } from './start-program.ts';
import type { Tab } from './tab.ts';
import { WebKitTab } from './webkit-tab.ts';

interface Engine {
  name: string;
  /** Debian's packages that are missing. */
  missing: string[];
  /** Starts a browser with a profile of its own. */
  start: () => Promise<Tab>;
}

/** Where Debian installs what the tests need. */
const programs = {
  chromium: '/usr/bin/chromium',
  'firefox-esr': '/usr/bin/firefox-esr',
  'webkit2gtk-driver': '/usr/bin/WebKitWebDriver',
  xvfb: '/usr/bin/Xvfb',
};
const miniBrowser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').at(-1);

function missing(...packages: (keyof typeof programs)[]): string[] {
  return packages.filter((name) => !existsSync(programs[name]));
}

export const engines: Engine[] = [
  { name: 'Chromium', missing: missing('chromium'), start: () => PlaywrightTab.start() },
  {
    name: 'Firefox',
    missing: missing('firefox-esr'),
    start: () => FirefoxTab.start(programs['firefox-esr']),
  },
  {
    // As Tor Browser, Mullvad Browser and LibreWolf are set.
    name: 'Firefox-resistFingerprinting',
    missing: missing('firefox-esr'),
    start: () =>
      FirefoxTab.start(programs['firefox-esr'], 'user_pref("privacy.resistFingerprinting", true);'),
  },
  {
    name: 'WebKit',
    missing: missing('webkit2gtk-driver', 'xvfb'),
    start: async () =>
      WebKitTab.start(programs['webkit2gtk-driver'], miniBrowser ?? '', await startDisplay()),
  },
];

let display: Promise<string> | undefined;

/** Starts one X server without a screen for all tests. @returns its name, such as `:99` */
function startDisplay(): Promise<string> {
  const server = () =>
    startProgram(programs.xvfb, ['-displayfd', '1', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  display ??= findInOutput(server(), 'stdout', /\d+/).then((number) => `:${number}`);
  return display;
}
