import { existsSync, globSync } from 'node:fs';
import { FirefoxTab } from './firefox-tab.ts';
import { PlaywrightTab } from './playwright-tab.ts';
import { findInOutput, startProgram } from './start-program.ts';
import type { Tab } from './tab.ts';
import { WebKitTab } from './webkit-tab.ts';

interface Engine {
  name: string;
  /** Missing Debian packages. */
  missing: string[];
  /** Starts a browser with its own profile. */
  start: () => Promise<Tab>;
}

/** Paths at which Debian installs the programs that the tests need. */
const programs = {
  'firefox-esr': '/usr/bin/firefox-esr',
  'webkit2gtk-driver': '/usr/bin/WebKitWebDriver',
  xvfb: '/usr/bin/Xvfb',
};
const miniBrowser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').at(-1);

function missing(...packages: (keyof typeof programs)[]): string[] {
  return packages.filter((name) => !existsSync(programs[name]));
}

export const engines: Engine[] = [
  // Installed for all browser tests.
  { name: 'Chromium', missing: [], start: () => PlaywrightTab.start() },
  {
    name: 'Firefox',
    missing: missing('firefox-esr'),
    start: () => FirefoxTab.start(programs['firefox-esr']),
  },
  {
    // Tor Browser, Mullvad Browser and LibreWolf turn on this preference.
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

/** Starts one virtual X server for all tests. @returns its display name, such as `:99` */
function startDisplay(): Promise<string> {
  const server = () =>
    startProgram(programs.xvfb, ['-displayfd', '1', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  display ??= findInOutput(server(), 'stdout', /\d+/).then((number) => `:${number}`);
  return display;
}
