import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtempDisposable, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { makeDeb } from '../../scripts/debian/make-deb.ts';
import { minimalDebian, run, whyNoDebian } from './debian.ts';

const project = path.join(import.meta.dirname, '../..');
const settings = '/etc/tertulia/tertulia.env';
const data = '/var/lib/tertulia';

/** Runs dpkg and the package's scripts with a program of one line, in a Debian without systemd that is made anew for each test. */
describe("the package's scripts", { skip: whyNoDebian('chroot', 'unshare', 'dpkg-deb') }, () => {
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  let root: string;
  before(async () => {
    folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-scripts-'));
  });
  after(() => folder?.remove());
  beforeEach(async () => {
    root = await temporary('debian');
    run('tar', '-xf', minimalDebian(), '-C', root);
  });

  let made = 0;
  const temporary = async (name: string) => {
    made++;
    const target = path.join(folder.path, `${name}-${made}`);
    await mkdir(target);
    return target;
  };
  const inside = (...command: string[]) => [
    ...['--mount', 'sh', '-c', 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', root],
    ...['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C.UTF-8', ...command],
  ];
  /** Runs a command in the Debian, with nobody who answers. @returns its exit code and output */
  const tryTo = (...command: string[]) => {
    const { status, stdout, stderr } = spawnSync('unshare', inside(...command), {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { code: status, said: stdout + stderr };
  };
  const must = (...command: string[]) => {
    const { code, said } = tryTo(...command);
    assert.equal(code, 0, `${command.join(' ')}: ${said}`);
    return said.trim();
  };

  /** Makes the program of a package. @param says what its command prints */
  const makeProgram = async (build: string, says: string) => {
    const program = path.join(await temporary('program'), 'program');
    await mkdir(path.join(program, 'bin'), { recursive: true });
    await cp(path.join(project, 'deploy'), path.join(program, 'deploy'), { recursive: true });
    await writeFile(path.join(program, 'build'), `${build}\n`);
    await mkdir(path.join(program, 'dist/client/assets'), { recursive: true });
    await writeFile(path.join(program, `dist/client/assets/${says}.js`), says);
    await writeFile(path.join(program, 'bin/tertulia'), `#!/bin/sh\necho ${says}\n`);
    await chmod(path.join(program, 'bin/tertulia'), 0o755);
    return program;
  };
  /** @returns the package's path in the Debian */
  const packageOf = async (build: string, says = build) => {
    const target = await temporary('packages');
    const release = {
      build,
      architecture: process.arch,
      committedAtS: Math.floor(Date.now() / 1000),
    };
    const name = makeDeb(await makeProgram(build, says), target, release);
    await cp(path.join(target, name), path.join(root, `srv/${says}.deb`));
    return `/srv/${says}.deb`;
  };
  const dpkg = ['dpkg', '--force-depends'];
  const install = async (build: string, says = build) =>
    must(...dpkg, '--install', await packageOf(build, says));
  const releases = async () => (await readdir(path.join(root, 'opt/tertulia/releases'))).sort();
  const mode = (...files: string[]) => must('stat', '-L', '-c', '%U %G %a', ...files).split('\n');

  test('the first installation makes user, folders, settings and a release', async () => {
    await install('1.0.1');
    assert.deepEqual(mode(data, '/var/cache/tertulia', settings, '/etc/tertulia'), [
      'tertulia tertulia 700',
      'tertulia tertulia 700',
      'root tertulia 640',
      'root root 755',
    ]);
    assert.equal(must('tertulia'), '1.0.1');
    assert.deepEqual(await releases(), ['tertulia-1.0.1']);
  });

  test('an update, the same version again, another build of its name and the way back keep one release, and edited settings', async () => {
    await install('1.0.1');
    must('sh', '-c', `echo PORT=1234 > ${settings}`);
    for (const [build, says, release] of [
      ['1.0.2', '1.0.2', 'tertulia-1.0.2'],
      ['1.0.2', '1.0.2', 'tertulia-1.0.2.again'],
      ['1.0.2', 'another', 'tertulia-1.0.2'],
      ['1.0.1', '1.0.1', 'tertulia-1.0.1'],
    ] as const) {
      await install(build, says);
      assert.equal(must('tertulia'), says);
      assert.deepEqual(await releases(), [release]);
      assert.equal(must('cat', settings), 'PORT=1234');
    }
    assert.equal(must('dpkg', '--verify', 'tertulia'), '');
  });

  test('a new version has the scripts and styles of the one before, for pages that were made by it', async () => {
    for (const build of ['1.0.1', '1.0.2']) await install(build);
    const assets = path.join(root, 'opt/tertulia/current/dist/client/assets');
    assert.deepEqual((await readdir(assets)).sort(), ['1.0.1.js', '1.0.2.js']);
  });

  test('until dpkg configures the new version, the old one is complete', async () => {
    await install('1.0.1');
    must(...dpkg, '--unpack', await packageOf('1.0.2'));
    assert.equal(must('tertulia'), '1.0.1');
    assert.equal(must('cat', '/opt/tertulia/current/build'), '1.0.1');
    must(...dpkg, '--configure', '--pending');
    assert.equal(must('tertulia'), '1.0.2');
  });

  test('a full disk leaves the old version, and the next try finishes', async () => {
    const disk = path.join(root, 'opt/tertulia');
    await mkdir(disk, { recursive: true });
    run('mount', '-t', 'tmpfs', 'tmpfs', disk);
    try {
      await install('1.0.1');
      must(...dpkg, '--unpack', await packageOf('1.0.2'));
      const used = run('df', '--output=iused', disk).split('\n')[1]?.trim();
      run('mount', '-o', `remount,nr_inodes=${Number(used) + 3}`, disk);
      const { code, said } = tryTo(...dpkg, '--configure', 'tertulia');
      assert.notEqual(code, 0);
      assert.match(said, /No space left on device/);
      assert.match(
        said,
        /^tertulia: the installation is not finished.*dpkg --configure --pending$/m,
      );
      assert.equal(must('tertulia'), '1.0.1');
      run('mount', '-o', 'remount,nr_inodes=0', disk);
      must(...dpkg, '--configure', '--pending');
      assert.equal(must('tertulia'), '1.0.2');
      assert.deepEqual(await releases(), ['tertulia-1.0.2']);
    } finally {
      run('umount', disk);
    }
  });

  test('a release that a process runs from stays until the next update, and those of the archive stay for good', async () => {
    must('mkdir', '-p', '/opt/tertulia/releases/tertulia-0.9.0');
    await install('1.0.1');
    const program = '/opt/tertulia/releases/tertulia-1.0.1/bin/node';
    must('cp', '/bin/sleep', program);
    // In one mount namespace, whose paths are the same for all processes.
    const said = must(
      'sh',
      '-ec',
      `${program} 600 & until [ "$(readlink /proc/$!/exe)" = ${program} ]; do :; done
      ${dpkg.join(' ')} --install ${await packageOf('1.0.2')}; kill $!`,
    );
    assert.match(said, /still runs from \/opt\/tertulia\/releases\/tertulia-1\.0\.1,/);
    assert.deepEqual(await releases(), ['tertulia-0.9.0', 'tertulia-1.0.1', 'tertulia-1.0.2']);
    await install('1.0.3');
    assert.deepEqual(await releases(), ['tertulia-0.9.0', 'tertulia-1.0.3']);
  });

  for (const [name, ...commands] of [
    ['its group exists without the user', 'groupadd --system tertulia'],
    [
      'its user has another group',
      'useradd --system --gid nogroup --home-dir /var/lib/tertulia tertulia',
    ],
    [
      'the data are of a former id',
      `mkdir -p ${data}/images && touch ${data}/images/1 && ln -s /etc/passwd ${data}/link && chown -R -h 54321:54321 ${data}`,
    ],
    [
      'the data are on another disk',
      `mkdir -p /mnt/images && touch /mnt/images/1 && ln -s /etc/passwd /mnt/link && ln -s /mnt ${data}`,
    ],
    [
      'the settings came back as root has copied them',
      'umask 077',
      `install -D -m 0600 /dev/null ${settings}`,
    ],
    ['the settings can be read by everybody', `install -D -m 0644 /dev/null ${settings}`],
  ] as const) {
    test(`the service can read its settings and write its data when ${name}`, async () => {
      must('sh', '-ec', commands.join('\n'));
      await install('1.0.1');
      assert.deepEqual(mode(settings), ['root tertulia 640']);
      const asService = ['runuser', '-u', 'tertulia', '--'];
      must(...asService, 'cat', settings);
      must(...asService, 'touch', `${data}/new`);
      must(...asService, 'sh', '-ec', `[ ! -e ${data}/images ] || touch ${data}/images/1`);
      assert.deepEqual(mode('/etc/passwd'), ['root root 644']);
    });
  }

  test('settings that came back keep their content at the next update, and lose the others who could read them', async () => {
    await install('1.0.1');
    must('sh', '-ec', `rm ${settings}; echo PORT=1234 > ${settings}; chmod 644 ${settings}`);
    await install('1.0.2');
    assert.deepEqual(mode(settings), ['root tertulia 640']);
    assert.equal(must('cat', settings), 'PORT=1234');
  });

  test('the package of 1.0.0, with edited settings, is updated without a question and with the old version until the new one is configured', async () => {
    const former = await temporary('former');
    const at = (file: string) => path.join(former, file);
    await mkdir(at('opt/tertulia/releases'), { recursive: true });
    await cp(await makeProgram('1.0.0', '1.0.0'), at('opt/tertulia/releases/tertulia-1.0.0'), {
      recursive: true,
    });
    run('ln', '-s', 'releases/tertulia-1.0.0', at('opt/tertulia/current'));
    await mkdir(at('etc/tertulia'), { recursive: true });
    await mkdir(at('DEBIAN'));
    await writeFile(at('etc/tertulia/tertulia.env'), 'PORT=3000\n');
    await writeFile(at('DEBIAN/conffiles'), `${settings}\n`);
    const fields = ['Package: tertulia', 'Version: 1.0.0', 'Architecture: all', 'Maintainer: t'];
    await writeFile(at('DEBIAN/control'), `${fields.join('\n')}\nDescription: t\n`);
    run('dpkg-deb', '--build', former, path.join(root, 'srv/former.deb'));
    must('dpkg', '--install', '/srv/former.deb');
    must('sh', '-c', `echo PORT=1234 > ${settings}`);

    must(...dpkg, '--unpack', await packageOf('1.0.1'));
    assert.equal(must('cat', '/opt/tertulia/former/build'), '1.0.0');
    must(...dpkg, '--configure', '--pending');
    assert.equal(must('cat', settings), 'PORT=1234');
    assert.deepEqual(await releases(), ['tertulia-1.0.1']);
    assert.deepEqual((await readdir(path.join(root, 'opt/tertulia'))).sort(), [
      'current',
      'package',
      'releases',
    ]);
  });

  test('removing it leaves settings and data, and purging it the data only', async () => {
    await install('1.0.1');
    const exists = (file: string) => tryTo('test', '-e', file).code === 0;
    must('dpkg', '--remove', 'tertulia');
    for (const removed of ['/opt/tertulia', '/usr/bin/tertulia'])
      assert.ok(!exists(removed), removed);
    assert.ok(exists(settings));
    assert.match(must('dpkg', '--purge', 'tertulia'), /data stay in/);
    for (const removed of ['/etc/tertulia', '/var/cache/tertulia'])
      assert.ok(!exists(removed), removed);
    assert.ok(exists(data));
  });

  test('releases on another disk are copies, since no link leads there', async () => {
    const disk = path.join(root, 'opt/tertulia/releases');
    await mkdir(disk, { recursive: true });
    run('mount', '-t', 'tmpfs', 'tmpfs', disk);
    try {
      for (const build of ['1.0.1', '1.0.2']) {
        await install(build);
        assert.equal(must('tertulia'), build);
      }
      assert.deepEqual(await releases(), ['tertulia-1.0.2']);
      const assets = await readdir(path.join(disk, 'tertulia-1.0.2/dist/client/assets'));
      assert.deepEqual(assets.sort(), ['1.0.1.js', '1.0.2.js']);
    } finally {
      run('umount', disk);
    }
  });

  test('it can be removed when its folder is gone', async () => {
    await install('1.0.1');
    must('rm', '-r', '/opt/tertulia');
    must('dpkg', '--remove', 'tertulia');
  });

  test('removing it leaves the releases of the archive', async () => {
    must('mkdir', '-p', '/opt/tertulia/releases/tertulia-0.9.0');
    await install('1.0.1');
    must('dpkg', '--remove', 'tertulia');
    assert.deepEqual(await releases(), ['tertulia-0.9.0']);
    await rm(root, { recursive: true });
  });
});
