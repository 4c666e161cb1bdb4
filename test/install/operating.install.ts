import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { quarters } from '../attacks/hostile-images.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { BootedSystem, noBootedSystem } from './booted-system.ts';
import { documentedBlocks } from './documented-commands.ts';
import { makeRelease } from './make-release.ts';
import { describeSteps, type Step } from './transcript.ts';

const documents = ['an-afternoon.md', 'operating.md', 'a-bad-day.md'].map((name) =>
  path.join(import.meta.dirname, '../../docs', name),
);
/** Tasks of operating.md that run last: they change where the data is, and the bad day is about the place before. */
const lastTasks = ['Move', 'Send e-mail'];
const minuteMs = 60_000;

const heading = `# A run of the operating guide

Written by \`TRANSCRIPT=docs/operating-run.md npm run test:install\`: the commands of [an afternoon](an-afternoon.md), of the
[guide](operating.md) and of [a bad day](a-bad-day.md), run on a fresh minimal Debian 12 with systemd, with two releases of the same commit. Caddy is its own
certificate authority there.

`;

/**
 * Commands to run before a documented one. No public certificate authority can reach foro.example, so
 * Caddy becomes an authority that the machine trusts.
 */
const preparations: [RegExp, string][] = [
  [
    /^systemctl reload-or-restart caddy/,
    "sed -i '0,/^{$/s//{\\n\\tlocal_certs/' /etc/caddy/tertulia.caddy",
  ],
  [
    /^curl .*https:/,
    `authority=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
timeout 60 sh -c "until [ -e $authority ]; do sleep 0.2; done"
cp $authority /usr/local/share/ca-certificates/foro.crt
update-ca-certificates >/dev/null`,
  ],
];

const sizes = 'cd /; du -sm opt/tertulia/releases/* var/lib/tertulia 2>/dev/null || true';

const text = 'Antes de todo lo demás';

/** Creates the content that must exist after every task. */
async function writeContent(forum: ForumClient) {
  const author = await forum.person();
  const channel = await forum.channel(author);
  await forum.comment(author, channel._id, text);
  const upload = await forum.upload(author, await quarters(400, 160).png().toBuffer());
  const { fullPath } = (await upload.json()) as { fullPath: string };
  return { channel, fullPath };
}

/**
 * The blocks of the documents in the order in which they run, those about the archive apart: they install what the
 * others have installed by then.
 */
async function readBlocks() {
  const read = await Promise.all(documents.map((file) => readFile(file, 'utf8')));
  const kindOf = (task: string) => {
    if (task.endsWith('archive')) return 'archive';
    return lastTasks.includes(task) ? 'last' : 'first';
  };
  const blocks = documentedBlocks(read.join('\n'));
  const {
    archive = [],
    first = [],
    last = [],
  } = Object.groupBy(blocks, ({ task }) => kindOf(task));
  return { archive, guide: [...first, ...last] };
}

describe('on a fresh Debian', { skip: noBootedSystem(), timeout: 30 * minuteMs }, () => {
  let first: string;
  let second: string;
  before(async () => {
    first = await makeRelease('1.0.0');
    second = await makeRelease('1.0.1');
  });

  test('the commands that install and update the archive work, and the package takes over', async () => {
    await using machine = await BootedSystem.boot();
    await cp(first, path.join(machine.root, 'root'), { recursive: true });
    const { archive } = await readBlocks();
    assert.equal(archive.length, 3);
    for (const [index, { script }] of archive.entries()) {
      // Replaces SHA256SUMS.
      if (index > 0) await cp(second, path.join(machine.root, 'root'), { recursive: true });
      const { code, said } = machine.run('sh', '-ec', `umask 077\ncd /root\n{ ${script}\n} 2>&1`);
      assert.equal(code, 0, said);
      // Let this process notice connections that the server closed while the commands blocked it.
      await setImmediate();
      const { version } = await new ForumClient('http://127.0.0.1:3000').json<{ version: string }>(
        'GET',
        '/healthz',
      );
      assert.equal(version, index === 0 ? '1.0.0' : '1.0.1');
    }
    assert.match(machine.property('tertulia.service', 'FragmentPath'), /\/lib\/systemd\/system\//);
    assert.equal(machine.must('systemctl', 'is-enabled', 'tertulia'), 'enabled');
  });

  test('the commands of the guide work, in order', async (t) => {
    await using machine = await BootedSystem.boot();
    // As strict a umask as an administrator may have; the documented commands must not depend on it.
    const run = (script: string) =>
      machine.run('sh', '-ec', `umask 077\ncd /root\n{ ${script}\n} 2>&1`);
    const home = path.join(machine.root, 'root');
    await cp(first, home, { recursive: true });
    await writeFile(path.join(machine.root, 'etc/hosts'), '127.0.0.1 localhost foro.example\n');

    const forum = new ForumClient('http://127.0.0.1:3000');
    let content: Awaited<ReturnType<typeof writeContent>> | undefined;
    const steps: Step[] = [];
    const prepared = new Set<RegExp>();
    const { guide } = await readBlocks();
    for (const { task, script } of guide) {
      if (task === 'Update') await cp(second, home, { recursive: true });
      for (const command of script.replaceAll('\\\n', ' ').split('\n')) {
        for (const [what, preparation] of preparations) {
          if (!what.test(command)) continue;
          const prepare = run(preparation);
          assert.equal(prepare.code, 0, prepare.said);
          prepared.add(what);
        }
        const startMs = performance.now();
        const { code, said } = run(command);
        steps.push({ task, command, said, seconds: (performance.now() - startMs) / 1000 });
        assert.equal(code, 0, `${task}: ${command}\n${said}`);
      }
      t.diagnostic(`${task}: done`);
      Object.assign(steps.at(-1) ?? {}, {
        sizes: run(sizes).said.trim().replaceAll('\n', ', ').replaceAll('\t', ' '),
      });
      // Let this process notice connections that the server closed while the commands blocked it.
      await setImmediate();
      if (content) {
        const [comment] = await forum.allComments(content.channel._id);
        assert.equal(comment?.comment, text, `the comment after: ${task}`);
        assert.equal((await forum.call('GET', `/files/${content.fullPath}`)).status, 200);
      } else if (script.includes('/healthz')) content = await writeContent(forum);
    }
    assert.ok(content, 'no documented command asks /healthz');
    const unused = preparations.map(([what]) => what).filter((what) => !prepared.has(what));
    assert.deepEqual(unused, [], 'no documented command matches');
    const file = process.env.TRANSCRIPT;
    if (file) await writeFile(file, `${heading}${describeSteps(steps)}`);
  });
});
