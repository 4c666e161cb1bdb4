import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { run } from './debian.ts';

const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

test('compose.yaml is valid YAML', {
  skip: !works('yamllint', '--version') && "needs Debian's package yamllint",
}, () => {
  const rules =
    '{extends: default, rules: {braces: {max-spaces-inside: 1}, line-length: disable, document-start: disable}}';
  run('yamllint', '--strict', '-d', rules, 'compose.yaml');
});

test('Docker Compose accepts compose.yaml', {
  skip: !works('docker', 'compose', 'version') && 'needs Docker Compose',
}, () => {
  run('docker', 'compose', '--profile', 'alone', 'config', '--quiet');
});
