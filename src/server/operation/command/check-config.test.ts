import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { outcomeOf, runTertulia } from '../../../../test/processes/program.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';

const checkConfig = (env: Record<string, string>, ...args: string[]) =>
  outcomeOf(runTertulia(env, 'check-config', ...args));

test('check-config names the file, all wrong and all misspelt settings, without secrets, and exits with 2', async () => {
  await using folder = await temporaryFolder('check');
  const file = path.join(folder.path, 'site.env');
  await writeFile(
    file,
    'SESSION_DAYS=many\nBAKCUP_KEEP=secreto\nS3_KEY=secreto\nTZ=Europe/Madrid\n',
  );
  const environment = { MAX_IMAGE_MB: '0', METRICS_PORTS: 'secreto' };
  const { code, said } = await checkConfig(environment, '--env-file', file);
  assert.equal(code, 2, said);
  assert.match(said, new RegExp(`^Settings: ${file} `));
  for (const expected of [
    /^wrong {4}SESSION_DAYS must be a whole number/m,
    /^wrong {4}MAX_IMAGE_MB must be/m,
    /^unknown {2}BAKCUP_KEEP in .*did you mean BACKUP_KEEP\?$/m,
    /^unknown {2}S3_KEY in .*site\.env/m,
    /^unknown {2}METRICS_PORTS in the environment .*METRICS_PORT\?$/m,
  ]) {
    assert.match(said, expected);
  }
  assert.doesNotMatch(said, /secreto|TZ/);
});

test('check-config exits with 0 when there are only warnings, names database and store, and opens nothing', async () => {
  await using folder = await temporaryFolder('check');
  const file = path.join(folder.path, 'site.env');
  const dataDir = path.join(folder.path, 'data');
  await writeFile(file, 'DATA_DIR=/elsewhere\nPUBLIC_URL=https://foro.example\n');
  const environment = {
    TERTULIA_ENV_FILE: file,
    // The environment takes precedence over the file.
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://ana:contrasena@db.example:6432/tertulia?password=contrasena',
  };
  const { code, said } = await checkConfig(environment);
  assert.equal(code, 0, said);
  assert.match(said, /^warning {2}PUBLIC_URL is still that of the example/m);
  assert.match(said, new RegExp(`^warning  DATA_DIR \\(${dataDir}\\) does not exist`, 'm'));
  assert.match(said, /^Database: the PostgreSQL database tertulia on db\.example:6432$/m);
  assert.match(said, new RegExp(`^Images: the folder ${dataDir}/images$`, 'm'));
  assert.doesNotMatch(said, /contrasena/);
  assert.deepEqual(await readdir(folder.path), ['site.env']);
});

test('check-config names the settings of the shipped file that the own file does not mention, not even in a comment', async () => {
  await using folder = await temporaryFolder('check');
  const file = path.join(folder.path, 'site.env');
  const shipped = await readFile('deploy/tertulia.env', 'utf8');
  const write = (text: string) => writeFile(file, `DATA_DIR=${folder.path}\n${text}`);
  const named = async (env: Record<string, string> = {}) => {
    const { code, said } = await checkConfig(env, '--env-file', file);
    assert.equal(code, 0, said);
    return /^new {6}(.*): see .*\/deploy\/tertulia\.env$/m.exec(said)?.[1];
  };
  await write(shipped);
  assert.equal(await named(), undefined);
  await write(shipped.replaceAll(/^#?(METRICS|CONTACT|HEARTBEAT_URL|ALERT_URL)=.*\n/gm, ''));
  assert.equal(await named(), 'ALERT_URL, HEARTBEAT_URL, CONTACT, METRICS');
  await appendFile(file, '#ALERT_URL_FILE=/run/alert\n# METRICS=off\n');
  assert.equal(await named({ CONTACT: 'hola@foro.example' }), 'HEARTBEAT_URL');
});
