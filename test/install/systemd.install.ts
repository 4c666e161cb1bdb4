import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { eventually } from '../eventually.ts';
import { createPostgresDatabase } from '../forum/forum.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { LiveReader } from '../forum/live-reader.ts';
import { freePorts } from '../processes/free-ports.ts';
import { BootedSystem, noBootedSystem } from './booted-system.ts';

const project = path.join(import.meta.dirname, '../..');
const installed = ['bin', 'src', 'dist', 'node_modules', 'package.json', 'deploy'];
const service = 'tertulia.service';
const patienceMs = 30_000;

describe('the units on a Debian with systemd', { skip: noBootedSystem() }, () => {
  let system: BootedSystem;
  let forum: ForumClient;
  let metricsPort: number;
  const settingsFile = () => path.join(system.root, 'etc/tertulia/tertulia.env');
  const properties = (...names: string[]) => names.map((name) => system.property(service, name));
  const isReady = () =>
    fetch(`${forum.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const untilReady = () => eventually('the server is ready', isReady, patienceMs);
  /** Settings at the start, without the ones that a test adds. */
  let baseSettings: string;
  async function restartWith(settings: string): Promise<void> {
    await writeFile(settingsFile(), baseSettings + settings);
    system.must('systemctl', 'restart', service);
  }

  before(async () => {
    system = await BootedSystem.boot(['libatomic1']);
    const at = (file: string) => path.join(system.root, file);
    const release = at('opt/tertulia/releases/1');
    await mkdir(release, { recursive: true });
    for (const name of installed) {
      const source = path.join(project, name);
      await cp(source, path.join(release, name), { recursive: true, verbatimSymlinks: true });
    }
    await symlink('releases/1', at('opt/tertulia/current'));
    await symlink('/opt/tertulia/current/bin/tertulia', at('usr/local/bin/tertulia'));
    system.must('useradd', '--system', '--home-dir', '/var/lib/tertulia', 'tertulia');
    await cp(path.join(project, 'deploy', service), at(`etc/systemd/system/${service}`));
    const [port = 0, metrics = 0] = await freePorts(2);
    metricsPort = metrics;
    const delivered = await readFile(path.join(project, 'deploy/tertulia.env'), 'utf8');
    baseSettings = `${delivered}PORT=${port}\nMETRICS=on\nMETRICS_PORT=${metrics}\nRATE_LIMITS=off\nBACKUP_KEEP=0\n`;
    forum = new ForumClient(`http://127.0.0.1:${port}`);
    system.must('systemctl', 'daemon-reload');
  });
  after(() => system?.[Symbol.asyncDispose]());

  test('the server does not start without its settings', () => {
    assert.notEqual(system.run('systemctl', 'start', service).code, 0);
    assert.equal(system.property(service, 'NRestarts'), '0');
  });

  test('the server starts, with folders and files of its user only', async () => {
    await mkdir(path.dirname(settingsFile()));
    await writeFile(settingsFile(), baseSettings, { mode: 0o640 });
    system.must('chown', 'root:tertulia', '/etc/tertulia/tertulia.env');
    system.must('systemctl', 'enable', '--now', service);
    assert.ok(await isReady(), 'systemd has waited until it serves');
    const modes = system.must(
      'stat',
      '-c',
      '%U %a',
      '/var/lib/tertulia',
      '/var/lib/tertulia/tertulia.db',
    );
    assert.deepEqual(modes.split('\n'), ['tertulia 700', 'tertulia 600']);
    assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status, 200);
  });

  test('people can do everything under its restrictions', async () => {
    const author = await forum.person();
    const channel = await forum.channel(author);
    const reader = await LiveReader.open(forum, channel._id);
    const { id } = await forum.comment(author, channel._id, 'Hola');
    assert.equal((await reader.nextComment()).id, id);
    reader.close();
    const uploaded = await forum.upload(author, await quarters(400, 300).png().toBuffer());
    const { downloadURL } = (await uploaded.json()) as { downloadURL: string };
    const variant = await forum.call('GET', `${downloadURL}/card.jpg`);
    assert.equal(variant.headers.get('content-type'), 'image/jpeg');
    assert.ok((await forum.call('GET', `${apiRoutes.search}?q=hola`)).ok);
  });

  test('the service can write its own folders only, and executes nothing in them', () => {
    const pid = system.property(service, 'MainPID');
    const inService = (...command: string[]) =>
      system.run(
        'nsenter',
        '-t',
        pid,
        '-m',
        'setpriv',
        '--reuid=tertulia',
        '--clear-groups',
        ...command,
      );
    assert.equal(inService('touch', '/var/lib/tertulia/x').code, 0);
    assert.equal(inService('rm', '/var/lib/tertulia/x').code, 0);
    for (const file of ['/opt/tertulia/current/bin/x', '/etc/tertulia/x', '/usr/x', '/x']) {
      // Even root must not be able to write there.
      const { said } = system.run('nsenter', '-t', pid, '-m', 'touch', file);
      assert.match(said, /Read-only file system/, file);
    }
    inService('cp', '/bin/true', '/var/lib/tertulia/true');
    assert.match(inService('/var/lib/tertulia/true').said, /Permission denied/);
    inService('rm', '/var/lib/tertulia/true');
    // The process has no capabilities, and a filter restricts its system calls.
    const status = system.must('cat', `/proc/${pid}/status`);
    for (const line of ['CapEff:\t0000000000000000', 'NoNewPrivs:\t1', 'Seccomp:\t2']) {
      assert.ok(status.includes(line), line);
    }
  });

  test('the command that root is told to run makes a backup with the same settings, and the data keep their owner', () => {
    system.must('chgrp', 'tertulia', '/etc/tertulia/tertulia.env');
    system.must('chmod', '0640', '/etc/tertulia/tertulia.env');
    const refused = system.run('tertulia', 'backup');
    assert.equal(refused.code, 2, refused.said);
    const [line = ''] = /^runuser .*$/m.exec(refused.said) ?? [];
    const said = system.must('sh', '-c', line);
    assert.match(said, /\/etc\/tertulia\/tertulia\.env/);
    const owners = system.must('sh', '-c', 'stat -c %U /var/lib/tertulia/backups/* | sort -u');
    assert.equal(owners, 'tertulia');
  });

  test('the server makes its own backup when BACKUP_KEEP is set', async () => {
    await restartWith('BACKUP_KEEP=3\n');
    const list = () => system.run('sh', '-c', 'ls /var/lib/tertulia/backups/daily-*.tar');
    await eventually('the backup is made', async () => list().code === 0, patienceMs);
    const [file = ''] = list().said.split('\n');
    assert.equal(system.must('stat', '-c', '%U %a', file), 'tertulia 600');
  });

  test('a killed server is restarted, and leaves no process', async () => {
    system.must('systemctl', 'kill', '--kill-whom=main', '--signal=KILL', service);
    await eventually(
      'it starts again',
      async () => system.property(service, 'NRestarts') === '1',
      patienceMs,
    );
    await untilReady();
    system.must('systemctl', 'stop', service);
    assert.deepEqual(properties('Result', 'ExecMainStatus'), ['success', '0']);
    assert.equal(system.must('find', '/proc', '-maxdepth', '1', '-user', 'tertulia'), '');
  });

  test('a server whose event loop turns lives, and one that hangs is killed and started again', async () => {
    const folder = path.join(system.root, `etc/systemd/system/${service}.d`);
    await mkdir(folder);
    const shorter = '[Service]\nWatchdogSec=3\nTimeoutAbortSec=1\n';
    await writeFile(path.join(folder, 'watchdog.conf'), shorter);
    system.must('systemctl', 'daemon-reload');
    await restartWith('');
    const pid = system.property(service, 'MainPID');
    const times = new Set<string>();
    await eventually(
      'it says several times that it lives',
      async () => times.add(system.property(service, 'WatchdogTimestampMonotonic')).size > 4,
      patienceMs,
    );
    assert.deepEqual(properties('MainPID', 'NRestarts'), [pid, '0']);
    system.must('systemctl', 'kill', '--kill-whom=main', '--signal=STOP', service);
    await eventually(
      'it is started again',
      async () => system.property(service, 'NRestarts') === '1',
      patienceMs,
    );
    await untilReady();
    assert.match(system.must('journalctl', '-u', service), /Watchdog timeout/);
    await rm(folder, { recursive: true });
    system.must('systemctl', 'daemon-reload');
    system.must('systemctl', 'stop', service);
  });

  test('a restart with wrong settings, a port in use or an unusable database fails, and is not repeated until an operator acts', async () => {
    const failsWith = async (code: string, settings = '') => {
      await writeFile(settingsFile(), baseSettings + settings);
      assert.equal(system.run('systemctl', 'restart', service).code, 1);
      const ending = properties('ActiveState', 'ExecMainStatus', 'NRestarts');
      assert.deepEqual(ending, ['failed', code, '0']);
      system.must('systemctl', 'reset-failed', service);
    };
    await failsWith('2', 'PORT=x\n');
    assert.match(system.must('journalctl', '-u', service, '-p', 'err'), /PORT must be/);
    const other = createServer().listen(Number(new URL(forum.url).port), '127.0.0.1');
    await once(other, 'listening');
    await failsWith('3');
    await once(other.close(), 'close');
    system.must('sh', '-c', 'echo a letter > /var/lib/tertulia/tertulia.db');
    await failsWith('4');
  });

  test('a server on PostgreSQL serves under the same restrictions', async () => {
    const database = await createPostgresDatabase();
    await restartWith(`DATABASE_URL=${database.url}\nDATA_DIR=/var/lib/tertulia/postgres\n`);
    await untilReady();
    assert.ok((await forum.person()).token);
    system.must('systemctl', 'stop', service);
    assert.equal(system.property(service, 'ExecMainStatus'), '0');
    await database.drop();
  });
});
