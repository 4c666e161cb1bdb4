import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

export function prepareTests() {
  requireOpenFolders();
  installBrowser();
  installSwift();
}

/** When root starts it, PostgreSQL runs as another user, who must be able to enter the project's folder. */
function requireOpenFolders() {
  if (process.getuid?.() !== 0) return;
  for (let folder = process.cwd(); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (statSync(folder).mode & 0o001) continue;
    console.error(
      `The tests start PostgreSQL as a user of its own, who cannot enter ${folder}: chmod o+x it, or move the project.`,
    );
    process.exit(1);
  }
}

/**
 * Uses the system's Chromium, or else Playwright's, or else Debian's package, and Debian's headless shell, which runs
 * the tests in half the processor time.
 */
function installBrowser() {
  if (existsSync('/usr/bin/chromium')) {
    if (existsSync('/usr/bin/chromium-headless-shell')) return;
    tryDebian('All tests run in Chromium, which takes longer.', 'chromium-headless-shell');
    return;
  }
  try {
    run('node_modules/.bin/node', ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
    return;
  } catch {
    console.log("Playwright's browser cannot be installed here; trying Debian's package…");
  }
  // Emoji, and the condensed letters of the comment button, which has a tested width.
  const fonts = ['fonts-noto-color-emoji', 'fonts-dejavu-extra'];
  installDebian('chromium', 'chromium-headless-shell', ...fonts);
}

/** Installs Debian's Firefox and WebKit. Without them, the tests in these browsers are skipped. */
export function installOtherBrowsers() {
  const programs = ['firefox-esr', 'WebKitWebDriver', 'Xvfb'];
  if (programs.every((program) => existsSync(`/usr/bin/${program}`))) return;
  try {
    installDebian('firefox-esr', 'webkit2gtk-driver', 'xvfb');
  } catch {
    console.log('Firefox and WebKit cannot be installed here. The tests in them will be skipped.');
  }
}

/** Installs an S3-compatible server for the tests of images in a bucket. */
function installSwift() {
  const programs = ['memcached', 'swift-proxy-server', 'swift-object-server'];
  if (programs.every((program) => existsSync(`/usr/bin/${program}`))) return;
  const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'];
  tryDebian('The tests on a bucket will be skipped.', ...packages);
}

/** Installs packages in CI only. Elsewhere, the tests that need them are skipped or slower. */
function tryDebian(otherwise, ...packages) {
  if (process.env.CI !== 'true' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return;
  }
  try {
    installDebian(...packages);
  } catch {
    console.log(`${packages.join(', ')} cannot be installed here. ${otherwise}`);
  }
}

function installDebian(...packages) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo'];
  const apt = (...args) => {
    const [command, ...rest] = [
      ...sudo,
      'apt-get',
      '-q',
      '-y',
      '-o',
      'Acquire::http::Timeout=20',
      ...args,
    ];
    run(command, rest);
  };
  apt('update');
  apt('install', '--no-install-recommends', ...packages);
}

function run(command, args) {
  execFileSync(command, args, { stdio: 'inherit' });
}
