import assert from 'node:assert/strict';
import { cp, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { startProgram } from '../../../test/processes/program.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { readClientBuild } from './render-page.ts';

/** Copies what a server needs. @returns a function that starts one there */
async function copyTo(
  folder: string,
): Promise<(env: Record<string, string>) => ReturnType<typeof startProgram>> {
  for (const name of ['package.json', 'dist', 'src/server', 'src/shared', 'src/client/ui/styles'])
    await cp(name, path.join(folder, name), { recursive: true });
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const program = path.join(folder, 'src/server/operation/command/main.ts');
  const DATA_DIR = path.join(folder, 'data');
  return (env) =>
    startProgram(program, { TERTULIA_ENV_FILE: '/dev/null', DATA_DIR, ...env }, 'start');
}

test('a server whose files are gone says that it is not ready, and still shows all pages with their styles', async () => {
  await using folder = await temporaryFolder('program');
  await using server = await ServerProcess.start({}, await copyTo(folder.path));
  const ask = (url: string) => fetch(new URL(url, server.url));
  const dist = path.join(folder.path, 'dist');
  await rename(dist, `${dist}.gone`);
  assert.equal((await ask('/readyz')).status, 503);
  const all = await ask('/readyz?all');
  assert.equal(all.status, 503);
  const { errors } = (await all.json()) as { errors: { field: string }[] };
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['program'],
  );
  const urls = Object.values(pageRoutes).filter((url) => typeof url === 'string');
  assert.ok(urls.length > 10);
  for (const url of urls) {
    const page = await ask(url);
    assert.equal(page.status, 200, url);
    assert.match(await page.text(), /<style>[^<]{1000}/, url);
  }
  await rename(`${dist}.gone`, dist);
  assert.equal((await ask('/readyz')).status, 200);
});

test('a server without the sheet of style of a page does not start, and names the file', async () => {
  await using folder = await temporaryFolder('program');
  const start = await copyTo(folder.path);
  const { styles } = (await readClientBuild()).assetsOf('rules');
  const { url } = styles.at(-1) ?? assert.fail();
  const file = path.join(folder.path, 'dist/client', url);
  await rm(file);
  await assert.rejects(
    async () => {
      await using _ = await ServerProcess.start({}, start);
    },
    ({ message }: Error) =>
      message.includes(`${file}, which is part of the program, cannot be read: ENOENT`),
  );
});
