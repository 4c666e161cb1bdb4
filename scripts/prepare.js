// Installs what is missing and builds what is stale, so that `npm start` works from a fresh clone
// and a second start does no needless work. Plain JavaScript on the host's own Node (>= 20.19):
// it runs before anything is installed.
//
//   node scripts/prepare.js          what serving needs
//   node scripts/prepare.js --test   what the tests need too, a browser included
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const forTests = process.argv.includes('--test');
const projectDir = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(projectDir);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`tertulia needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}

install();
build();
if (forTests) {
  installBrowser();
  installSwift();
}

function install() {
  const marker = 'node_modules/.tertulia-installed';
  const lock = hashOf(['package-lock.json']);
  const installed = existsSync(marker) ? readFileSync(marker, 'utf8') : '';
  if (installed === `${lock} all` || (!forTests && installed === `${lock} serving`)) return;
  console.log(forTests ? 'Installing packages…' : 'Installing packages for serving…');
  run('npm', [
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(forTests ? [] : ['--omit=dev']),
  ]);
  // 67 MB of C headers for compiling add-ons, which tertulia does not have.
  const node = `node_modules/node/node_modules/node-${process.platform}-${process.arch}`;
  rmSync(`${node}/include`, { recursive: true, force: true });
  writeFileSync(marker, `${lock} ${forTests ? 'all' : 'serving'}`);
}

function build() {
  const marker = 'dist/.built-from';
  const sources = hashOf(['src/client', 'src/shared', 'public', 'package-lock.json']);
  if (existsSync(marker) && readFileSync(marker, 'utf8') === sources) return;
  console.log('Building…');
  const vite = [
    'node_modules/vite/bin/vite.js',
    'build',
    '--config=src/client/vite.config.ts',
    '--logLevel=warn',
  ];
  run('node_modules/.bin/node', vite);
  run('node_modules/.bin/node', [...vite, '--ssr', 'src/client/entry-server.tsx']);
  // Discard Node's compile cache of changed files.
  rmSync('node_modules/.cache/tertulia', { recursive: true, force: true });
  mkdirSync('dist', { recursive: true });
  writeFileSync(marker, sources);
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

/** Hash of the names and contents of files, in folders recursively. */
function hashOf(roots) {
  const hash = createHash('sha256');
  const add = (file) => {
    if (statSync(file).isDirectory()) {
      for (const name of readdirSync(file).sort()) add(path.join(file, name));
    } else hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  };
  for (const root of roots) if (existsSync(root)) add(root);
  return hash.digest('hex');
}

function run(command, args) {
  execFileSync(command, args, { stdio: 'inherit' });
}
