import assert from 'node:assert/strict';
import { appendFile, cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { News } from '../../src/shared/people.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { freePorts } from '../processes/free-ports.ts';
import { BootedSystem, noBootedSystem } from './booted-system.ts';
import { makeRelease } from './make-release.ts';

const service = 'tertulia.service';
const email = 'marga@ejemplo.es';
const password = 'una clave larga';
const text = 'Antes de todo lo demás';

describe('the package on a Debian with systemd', { skip: noBootedSystem() }, () => {
  let system: BootedSystem;
  let forum: ForumClient;
  const at = (file: string) => path.join(system.root, file);
  const install = [
    'apt-get',
    '-q',
    '-y',
    '--allow-downgrades',
    'install',
    '--no-install-recommends',
  ];
  const installVersion = async (version: string) => {
    const [name = ''] = (await readdir(at('srv'))).filter((file) =>
      file.startsWith(`tertulia_${version}_`),
    );
    return system.run(...install, path.join('/srv', name));
  };
  const state = () => system.run('systemctl', 'is-active', service).said.trim();
  const isEnabled = () => system.run('systemctl', 'is-enabled', service).said.trim();
  const signIn = () => forum.newSession({ email, password });
  let channelId: string;
  const assertServes = async (version: string) => {
    // Lets this process notice connections that the server closed meanwhile.
    await setImmediate();
    assert.match(
      system.must('tertulia', '--version'),
      RegExp(`^tertulia ${version.replaceAll('.', '\\.')},`),
    );
    assert.deepEqual(await forum.json('GET', '/healthz'), { status: 'ok', version });
    const [comment] = await forum.allComments(channelId);
    assert.equal(comment?.comment, text);
    assert.deepEqual(await readdir(at('opt/tertulia/releases')), [`tertulia-${version}`]);
  };

  before(async () => {
    system = await BootedSystem.boot();
    for (const version of ['1.0.0', '1.0.1'])
      await cp(await makeRelease(version), at('srv'), { recursive: true });
    system.must('apt-get', '-q', 'update');
    const [port = 0] = await freePorts(1);
    forum = new ForumClient(`http://127.0.0.1:${port}`);
  });
  after(() => system?.[Symbol.asyncDispose]());

  test('installs what the server needs, and starts nothing before the settings are right', async () => {
    const { code, said } = await installVersion('1.0.0');
    assert.equal(code, 0, said);
    const modes = system.must(
      'stat',
      '-c',
      '%U %G %a',
      '/etc/tertulia/tertulia.env',
      '/var/lib/tertulia',
    );
    assert.deepEqual(modes.split('\n'), ['root tertulia 640', 'tertulia tertulia 700']);
    assert.deepEqual([state(), isEnabled()], ['inactive', 'disabled']);
    assert.equal(system.must('dpkg', '--verify', 'tertulia'), '');
  });

  test("the founder's link of the started server makes the admin", async () => {
    const { port } = new URL(forum.url);
    await appendFile(at('etc/tertulia/tertulia.env'), `PORT=${port}\nRATE_LIMITS=off\n`);
    system.must('systemctl', 'enable', '--now', service);
    const said = system.must('runuser', '-u', 'tertulia', '--', 'tertulia', 'admin', 'founder');
    const [, invitation] =
      /https:\/\/foro\.example\/register#([\w-]{22})/.exec(said) ?? assert.fail(said);
    await forum.json('POST', apiRoutes.signUp, {
      body: { name: 'Marga', email, password, invitation },
    });
    const { token, user } = await signIn();
    assert.equal((await forum.json<News>('GET', apiRoutes.news, { token })).role, 'admin');
    const channel = await forum.channel({ ...user, token, password });
    channelId = channel._id;
    await forum.comment({ token }, channelId, text);
    await assertServes('1.0.0');
  });

  test('an update restarts the server and keeps settings and data, and so does the way back', async () => {
    // Leaves compiled code in the folder of the release.
    system.must('tertulia', 'check-config');
    for (const version of ['1.0.1', '1.0.0']) {
      const { code, said } = await installVersion(version);
      assert.equal(code, 0, said);
      assert.doesNotMatch(said, /unable to delete/);
      await assertServes(version);
      assert.equal(isEnabled(), 'enabled');
    }
    assert.ok((await signIn()).token);
  });

  test('an update with wrong settings fails and names them, and is finished once they are right', async () => {
    system.must('cp', '-p', '/etc/tertulia/tertulia.env', '/srv/right.env');
    await appendFile(at('etc/tertulia/tertulia.env'), 'BACKUP_KEEP=x\n');
    const { code } = await installVersion('1.0.1');
    assert.notEqual(code, 0);
    assert.match(system.must('journalctl', '-u', service, '-p', 'err'), /BACKUP_KEEP must be/);
    system.must('cp', '-p', '/srv/right.env', '/etc/tertulia/tertulia.env');
    system.must('systemctl', 'restart', service);
    system.must('dpkg', '--configure', '--pending');
    await assertServes('1.0.1');
  });

  test('removing it stops the server and leaves settings and data', async () => {
    system.must('apt-get', '-q', '-y', 'remove', 'tertulia');
    assert.equal(state(), 'inactive');
    for (const removed of ['/opt/tertulia', '/usr/bin/tertulia'])
      assert.notEqual(system.run('test', '-e', removed).code, 0, removed);
    assert.equal(system.must('find', '/etc/systemd/system', '-name', '*tertulia*'), '');
    for (const stays of ['/etc/tertulia/tertulia.env', '/var/lib/tertulia/tertulia.db'])
      system.must('test', '-s', stays);
    const { code, said } = await installVersion('1.0.1');
    assert.equal(code, 0, said);
    system.must('systemctl', 'enable', '--now', service);
    await assertServes('1.0.1');
  });

  test('purging it removes the settings, and says that the data stay', () => {
    const said = system.must('apt-get', '-q', '-y', 'purge', 'tertulia');
    assert.match(said, /data stay in \/var\/lib\/tertulia/);
    const files = ['/etc/tertulia', '/var/cache/tertulia', '/opt/tertulia', '/usr/bin/tertulia'];
    for (const file of files) assert.notEqual(system.run('test', '-e', file).code, 0, file);
    assert.equal(system.must('stat', '-c', '%U', '/var/lib/tertulia/tertulia.db'), 'tertulia');
    const [, deletion = ''] = /To delete both: (.*)/.exec(said) ?? [];
    system.must('sh', '-ec', deletion);
    assert.notEqual(system.run('getent', 'passwd', 'tertulia').code, 0);
  });
});
