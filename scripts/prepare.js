// Installs missing packages and builds stale files, so that `npm start` works from a fresh clone and a second start
// does no needless work. Plain JavaScript for the host's own Node (>= 20.19), because it runs before anything is
// installed. Installs and builds in a separate folder, so that the previous installation stays if either fails or is
// killed.
//
//   node scripts/prepare.js          everything for serving
//   node scripts/prepare.js --test   also everything for the tests, including a browser
//   node scripts/prepare.js --test --browsers   also the other browsers of `npm run test:browsers`
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMissingLibrary } from './missing-library.js';
import { installOtherBrowsers, prepareTests } from './prepare-tests.js';

const forTests = process.argv.includes('--test');
process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Folder for installing and building, and for the files that are being replaced. */
const aside = '.prepare';
const replaced = `${aside}/replaced`;

const manifests = ['package.json', 'package-lock.json', 'src/client/package.json'];
const sources = ['src/client', 'src/shared', 'public'];
const installedMarker = 'node_modules/.tertulia-installed';
const builtMarker = 'dist/.built-from';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`tertulia needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}
if (process.env.TERTULIA_PREPARES) prepare();
else if (mustInstall() || mustBuild()) runAlone();
if (forTests && !process.env.TERTULIA_PREPARES) {
  prepareTests();
  if (process.argv.includes('--browsers')) installOtherBrowsers();
}

/** Runs this program again under a lock. Concurrent runs wait and then find nothing to do. */
function runAlone() {
  const env = { ...process.env, TERTULIA_PREPARES: '1' };
  const self = [process.execPath, ...process.argv.slice(1)];
  const options = { stdio: 'inherit', env };
  // Systems without `flock` have no lock.
  const locked = spawnSync('flock', ['package.json', ...self], options);
  const { status } = locked.error ? spawnSync(self[0], self.slice(1), options) : locked;
  if (status !== 0) process.exit(status ?? 1);
}

function prepare() {
  // Put back folders that a killed run moved away and did not replace.
  for (const folder of ['node_modules', 'dist']) {
    if (!existsSync(folder) && existsSync(`${replaced}/${folder}`)) {
      renameSync(`${replaced}/${folder}`, folder);
    }
  }
  rmSync(aside, { recursive: true, force: true });
  const [installs, builds] = [mustInstall(), mustBuild()];
  if (!installs && !builds) return;
  const missing = installs && (findMissingLibrary() ?? findShortDisk());
  if (missing) {
    console.error(missing);
    process.exit(1);
  }
  try {
    mkdirSync(replaced, { recursive: true });
    for (const file of [...manifests, ...sources]) {
      if (existsSync(file)) cpSync(file, path.join(aside, file), { recursive: true });
    }
    if (installs) install();
    else symlinkSync('../node_modules', `${aside}/node_modules`);
    if (builds) build();
    if (installs) replace('node_modules');
    if (builds) replace('dist');
    // Discard Node's compile cache of changed files.
    rmSync('node_modules/.cache/tertulia', { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    console.error(`${error.message}\nWhat was installed and built before is as it was.`);
    process.exitCode = 1;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Checks the free space first, because npm reports another cause when the disk is full. */
function findShortDisk() {
  const neededMb = forTests ? 1000 : 500;
  const { bavail, bsize } = statfsSync('.');
  const freeMb = Math.floor((bavail * bsize) / 1e6);
  if (freeMb >= neededMb) return undefined;
  return `Installing needs ${neededMb} MB of free disk, and ${freeMb} MB are free. Nothing was changed.`;
}

function mustInstall() {
  const installed = existsSync(installedMarker) ? readFileSync(installedMarker, 'utf8') : '';
  const lock = hashOf(['package-lock.json']);
  return installed !== `${lock} all` && (forTests || installed !== `${lock} serving`);
}

function mustBuild() {
  return !existsSync(builtMarker) || readFileSync(builtMarker, 'utf8') !== hashOfSources();
}

function install() {
  console.log(forTests ? 'Installing packages…' : 'Installing packages for serving…');
  const omitted = forTests ? [] : ['--omit=dev'];
  // Override npm's own settings. Node and sharp are optional packages, one for each kind of machine.
  const complete = ['--ignore-scripts=false', '--include=prod', '--include=optional'];
  const offline = isRegistryReachable() ? [] : ['--offline'];
  const options = [
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...complete,
    ...omitted,
    ...offline,
  ];
  run('npm', ['ci', ...options]);
  // npm skips an optional package that it cannot download, or whose checksum is wrong, and says nothing.
  if (!existsSync(`${aside}/node_modules/.bin/node`)) {
    throw new Error(
      `npm did not install Node for this machine (${process.platform}-${process.arch}). It could not be downloaded, or is not what package-lock.json says, or there is none for this kind of machine.`,
    );
  }
  // 67 MB of C headers for compiling add-ons, which tertulia does not have.
  const program = realpathSync(`${aside}/node_modules/.bin/node`);
  rmSync(path.join(program, '../../include'), { recursive: true, force: true });
  const marker = `${hashOf(['package-lock.json'])} ${forTests ? 'all' : 'serving'}`;
  writeFileSync(`${aside}/${installedMarker}`, marker);
}

/**
 * Asks the registry once, because without it npm would silently retry each package for minutes. Offline, npm installs
 * from its cache or fails at once.
 */
function isRegistryReachable() {
  // npm prints the failure, unless its own settings silence it.
  const once = ['--fetch-timeout=15000', '--fetch-retries=0', '--loglevel=notice'];
  const { status, stderr } = spawnSync('npm', ['ping', ...once], { encoding: 'utf8' });
  // A registry that responds with an error is reachable.
  if (status === 0 || /^npm (error|ERR!) code E\d/m.test(stderr)) return true;
  const [, registry = 'its registry'] = /PING (\S+)/.exec(stderr) ?? [];
  const [, code = 'no response'] = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr) ?? [];
  console.error(
    `npm does not reach ${registry} (${code}), so that only packages that it has stored can be installed. Look at the network, or at npm's settings registry and proxy.`,
  );
  return false;
}

function build() {
  console.log('Building…');
  const config = '--config=src/client/vite.config.ts';
  const vite = ['node_modules/vite/bin/vite.js', 'build', config, '--logLevel=warn'];
  run('node_modules/.bin/node', vite);
  run('node_modules/.bin/node', [...vite, '--ssr', 'src/client/app/entry-server.tsx']);
  writeFileSync(`${aside}/${builtMarker}`, hashOfSources());
}

function replace(folder) {
  if (existsSync(folder)) renameSync(folder, `${replaced}/${folder}`);
  renameSync(`${aside}/${folder}`, folder);
}

function hashOfSources() {
  return hashOf([...sources, 'package-lock.json']);
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

/** Runs a program in the folder `aside`. @throws when it fails, after it has printed the reason */
function run(command, args) {
  execFileSync(command, args, { cwd: aside, stdio: 'inherit' });
}
