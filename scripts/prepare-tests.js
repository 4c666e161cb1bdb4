import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs programs that the tests run. */
export function prepareTests() {
  installBrowser();
  installSwift();
}

/** Uses the system's Chromium, else Playwright's, else Debian's package. */
function installBrowser() {
  if (existsSync('/usr/bin/chromium')) return;
  try {
    run('node_modules/.bin/node', ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
    return;
  } catch {
    console.log("Playwright's browser cannot be installed here; trying Debian's package…");
  }
  installDebian('chromium', 'fonts-noto-color-emoji');
}

/**
 * Installs an S3-compatible server for the tests of images in a bucket, in CI only: elsewhere those
 * tests are skipped with a message if the programs are missing.
 */
function installSwift() {
  const programs = ['memcached', 'swift-proxy-server', 'swift-object-server'];
  if (programs.every((program) => existsSync(`/usr/bin/${program}`))) return;
  if (process.env.CI !== 'true' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return;
  }
  try {
    installDebian('swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached');
  } catch {
    console.log('Swift cannot be installed here; the tests on a bucket will be skipped.');
  }
}

function installDebian(...packages) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo'];
  const apt = (...args) => {
    const [command, ...rest] = [...sudo, 'apt-get', '-q', '-y', ...args];
    run(command, rest);
  };
  apt('update');
  apt('install', '--no-install-recommends', ...packages);
}

function run(command, args) {
  execFileSync(command, args, { stdio: 'inherit' });
}
