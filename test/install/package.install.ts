import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { News } from '../../src/shared/people.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import { eventually } from '../eventually.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { Load } from '../load/load.ts';
import { createPostgresDatabase } from '../postgres/create-database.ts';
import { Balancer } from '../processes/balancer.ts';
import { freePorts } from '../processes/free-ports.ts';
import { BootedSystem, noBootedSystem } from './booted-system.ts';
import { makeRelease } from './make-release.ts';

const service = 'tertulia.service';
const settings = '/etc/tertulia/tertulia.env';
const dropIns = '/etc/systemd/system/tertulia@.service.d';
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
  const packageOf = async (version: string) => {
    const names = await readdir(at('srv'));
    const name = names.find((file) => file.startsWith(`tertulia_${version}_`));
    return path.join('/srv', name ?? assert.fail());
  };
  const installVersion = async (version: string) =>
    system.runMeanwhile(...install, await packageOf(version));
  const state = () => system.run('systemctl', 'is-active', service).said.trim();
  const isEnabled = () => system.run('systemctl', 'is-enabled', service).said.trim();
  const signIn = () => forum.newSession({ email, password });
  let channelId: string;
  const scriptOf = async (site: ForumClient) => {
    const html = await (await site.call('GET', pageRoutes.home)).text();
    return /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? assert.fail(html);
  };
  /** Asserts that a server serves with this version and its files. */
  const assertRuns = async (site: ForumClient, version: string) => {
    assert.deepEqual(await site.json('GET', '/healthz'), { status: 'ok', version });
    for (const url of ['/readyz', await scriptOf(site), pageRoutes.login])
      assert.equal((await site.call('GET', url)).status, 200, url);
  };
  const assertServes = async (version: string) => {
    // Lets this process notice connections that the server closed meanwhile.
    await setImmediate();
    await assertRuns(forum, version);
    assert.match(
      system.must('tertulia', '--version'),
      RegExp(`^tertulia ${version.replaceAll('.', '\\.')},`),
    );
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
    // dpkg asks about files that are listed there and have been edited.
    assert.notEqual(system.run('test', '-e', '/var/lib/dpkg/info/tertulia.conffiles').code, 0);
  });

  test("the founder's link of the started server makes the admin", async () => {
    const { port } = new URL(forum.url);
    await appendFile(at(settings), `PORT=${port}\nRATE_LIMITS=off\n`);
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

  test('an update with wrong settings names them and changes nothing, and is finished once they are right', async () => {
    system.must('cp', '-p', settings, '/srv/right.env');
    await appendFile(at(settings), 'BACKUP_KEEP=x\n');
    const { code, said } = await installVersion('1.0.1');
    assert.notEqual(code, 0);
    assert.match(said, /^wrong {4}BACKUP_KEEP must be/m);
    assert.match(said, /run: dpkg --configure --pending/);
    await assertRuns(forum, '1.0.0');
    assert.match(system.must('tertulia', '--version'), /^tertulia 1\.0\.0,/);
    system.must('cp', '-p', '/srv/right.env', settings);
    system.must('dpkg', '--configure', '--pending');
    await assertServes('1.0.1');
  });

  describe('with two instances', () => {
    let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
    let ports: number[];
    const units = () => ports.map((port) => `tertulia@${port}.service`);
    const instances = () => ports.map((port) => new ForumClient(`http://127.0.0.1:${port}`));
    before(async () => {
      database = await createPostgresDatabase();
      ports = (await freePorts(2)).sort();
      system.must('systemctl', 'disable', '--now', service);
      const ofTwo = `DATABASE_URL=${database.url}\nDATA_DIR=/var/lib/tertulia/two\n`;
      await appendFile(at(settings), ofTwo);
      await mkdir(at(dropIns));
      // The unit makes a port for metrics of ports with four digits only.
      const added = 'Environment=METRICS_PORT=0\nExecStartPre=/usr/bin/test ! -e /srv/broken';
      await writeFile(at(`${dropIns}/test.conf`), `[Service]\n${added}\n`);
      system.must('systemctl', 'daemon-reload');
      system.must('systemctl', 'enable', '--now', ...units());
    });
    after(async () => {
      system.must('systemctl', 'disable', '--now', ...units());
      system.must('rm', '-r', dropIns);
      system.must('systemctl', 'daemon-reload');
      await database.drop();
      system.must('cp', '-p', '/srv/right.env', settings);
      system.must('systemctl', 'enable', '--now', service);
    });

    test('an update restarts one after the other, and fails no request', async (t) => {
      const balancer = await Balancer.start(instances().map(({ url }) => url));
      t.after(() => balancer.stop());
      const site = new ForumClient(balancer.url);
      const author = await site.person();
      const { _id } = await site.channel(author);
      const load = new Load();
      t.after(() => load.stop());
      load.comments(site, author, _id, 'a');
      for (const url of [pageRoutes.home, pageRoutes.channel(_id), await scriptOf(site)]) {
        load.repeat(async () => {
          const response = await site.call('GET', url);
          await response.text();
          if (!response.ok) throw new Error(`${url}: ${response.status}`);
        });
      }
      await eventually('requests are served', async () => load.done > 100, 60_000);
      const { code, said } = await system.runMeanwhile(...install, await packageOf('1.0.0'));
      const { done } = load;
      await eventually('requests follow', async () => load.done > done + 100, 60_000);
      await load.stop();
      assert.equal(code, 0, said);
      t.diagnostic(`${load.done} requests, ${load.failures.length} failed`);
      assert.deepEqual(load.failures, []);
      for (const one of instances()) await assertRuns(one, '1.0.0');
    });

    test('when the first does not start with the new version, the second goes on with the old one, until the update is finished', async () => {
      await writeFile(at('srv/broken'), '');
      const { code, said } = await installVersion('1.0.1');
      assert.notEqual(code, 0);
      const [first = '', second = ''] = units();
      assert.match(said, new RegExp(`^tertulia: ${first} does not start`, 'm'));
      assert.equal(system.property(second, 'ActiveState'), 'active');
      await assertRuns(instances()[1] ?? assert.fail(), '1.0.0');
      system.must('rm', '/srv/broken');
      system.must('dpkg', '--configure', '--pending');
      for (const one of instances()) await assertRuns(one, '1.0.1');
      assert.deepEqual(await readdir(at('opt/tertulia/releases')), ['tertulia-1.0.1']);
    });
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
