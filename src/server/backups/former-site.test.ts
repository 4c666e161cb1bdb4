import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { describeSite } from '../../../test/forum/describe-site.ts';
import { createPostgresDatabase, type Engine, engines, Forum } from '../../../test/forum/forum.ts';
import { PasskeyDevice } from '../../../test/forum/passkey-device.ts';
import { RememberedBrowser } from '../../../test/forum/remembered-browser.ts';
import type { Profile, SignedIn } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Comment } from '../../shared/comments.ts';
import { parseConfig } from '../config/config.ts';
import { restoreBackup } from './restore-backup.ts';

/**
 * `site.tar.gz` is a backup by the version with migration 010 of a site that was filled through its API and commands,
 * `asked.json` names what to ask for, and `shown.txt` has the answers. That version answered the same, except:
 * excerpts had the names and ends that mentions had when they were quoted, erasing a mentioned account raised revisions,
 * and images of what was deleted or hidden were sent. `kept.json` has what browsers and people of that site kept.
 */
const folder = path.join(import.meta.dirname, '../../../test/forum/former-site');
const readText = (name: string) => readFile(path.join(folder, name), 'utf8');

async function restoreFormerSite(
  t: TestContext,
  engine: Engine,
  options: { keepSessions?: boolean } = {},
): Promise<Forum> {
  const target = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-former-'));
  t.after(() => target.remove());
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  t.after(() => database?.drop());
  const env = {
    DATA_DIR: path.join(target.path, 'data'),
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  await mkdir(env.DATA_DIR);
  const file = path.join(target.path, 'site.tar');
  await writeFile(file, gunzipSync(await readFile(path.join(folder, 'site.tar.gz'))));
  const { madeAt } = await restoreBackup(parseConfig(env), file, options);
  // Neither rows in the bins nor sessions expire.
  return Forum.start(engine, env, { now: () => Date.parse(madeAt) });
}

for (const engine of engines) {
  test(`a backup by the version of migration 010, with rows of every kind, shows what it showed there (${engine})`, async (t) => {
    await using forum = await restoreFormerSite(t, engine);
    const site = JSON.parse(await readText('asked.json'));
    const shown = `${(await describeSite(forum, site)).join('\n')}\n`;
    assert.equal(shown, await readText('shown.txt'));
  });

  test(`tokens, cookies, passkeys, codes, links and request keys of the version of migration 010 still work (${engine})`, async (t) => {
    await using forum = await restoreFormerSite(t, engine, { keepSessions: true });
    const kept = JSON.parse(await readText('kept.json'));
    const { token } = kept;
    const emailOf = async (session: string) =>
      (await forum.json<Profile>('GET', apiRoutes.me, { token: session })).email;
    assert.equal(await emailOf(token), kept.email);

    const browser = new RememberedBrowser(forum);
    browser.cookie = kept.cookie;
    assert.equal(await emailOf(await browser.resumed()), kept.email);

    const origin = forum.url.replace('127.0.0.1', 'localhost');
    const url = (route: string) => new URL(route, origin).href;
    const device = new PasskeyDevice(origin, {}, kept.passkey);
    const credential = device.use(await forum.json('POST', url(apiRoutes.passkeySignInOptions)));
    const body = { credential };
    const { user } = await forum.json<SignedIn>('POST', url(apiRoutes.passkeySignIn), { body });
    assert.equal(user.email, kept.email);

    const { key, number } = kept.request;
    const headers = { 'idempotency-key': key };
    const request = { token, headers, body: kept.request.body };
    assert.equal((await forum.json<Comment>('PUT', apiRoutes.comment, request)).number, number);

    const password = 'otra contraseña: más larga';
    const { email, code, link } = kept;
    await forum.json('POST', apiRoutes.recover, { body: { email, code, password } });
    assert.equal((await forum.signIn(email, password)).status, 200);
    await forum.json('POST', apiRoutes.setPassword, { body: { token: link.token, password } });
    assert.equal((await forum.signIn(link.email, password)).status, 200);
  });
}
