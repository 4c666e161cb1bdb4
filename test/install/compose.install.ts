import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './debian.ts';

const project = path.join(import.meta.dirname, '../..');

const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

test('compose.yaml is valid YAML', {
  skip: !works('yamllint', '--version') && "needs Debian's package yamllint",
}, () => {
  const rules =
    '{extends: default, rules: {braces: {max-spaces-inside: 1}, line-length: disable, document-start: disable}}';
  run('yamllint', '--strict', '-d', rules, 'compose.yaml');
});

test('Docker Compose accepts compose.yaml with each documented choice of profiles', {
  skip: !works('docker', 'compose', 'version') && 'needs Docker Compose',
}, async () => {
  await using folder = await temporaryFolder('compose');
  for (const name of ['compose.yaml', 'deploy'])
    await cp(path.join(project, name), path.join(folder.path, name), { recursive: true });
  run('sh', path.join(folder.path, 'deploy/make-compose-env.sh'), 'foro.example');
  const file = path.join(folder.path, 'compose.yaml');
  for (const profiles of [['alone'], ['full'], ['full', 'two']]) {
    const chosen = profiles.map((profile) => `--profile=${profile}`);
    run('docker', 'compose', '--file', file, ...chosen, 'config', '--quiet');
  }
});
