import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const delivered = path.join(import.meta.dirname, '../../deploy/fail2ban');
const client = '/usr/bin/fail2ban-client';
const skip = !existsSync(client) && `${client} is not installed`;

test('fail2ban accepts the delivered filter and jail', { skip }, async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-fail2ban-'));
  const at = (name: string) => path.join(folder.path, name);
  await cp('/etc/fail2ban', folder.path, { recursive: true });
  // Debian's jail for SSH would need the log of an SSH server.
  await rm(at('jail.d/defaults-debian.conf'), { force: true });
  await cp(path.join(delivered, 'filter.conf'), at('filter.d/tertulia.conf'));
  const jail = await readFile(path.join(delivered, 'jail.conf'), 'utf8');
  await writeFile(at('jail.d/tertulia.conf'), jail.replaceAll('/var/log/caddy', folder.path));
  await writeFile(at('tertulia.log'), '');
  const checked = spawnSync(client, ['-c', folder.path, '-t']);
  assert.equal(checked.status, 0, `${checked.stdout}${checked.stderr}`);
  const { stdout } = spawnSync(client, ['-c', folder.path, '-d']);
  assert.match(String(stdout), /'set', 'tertulia', 'maxretry', 60/);
});
