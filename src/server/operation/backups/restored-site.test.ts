import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import type { Person } from '../../../../test/forum/forum-client.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/temporary-folder.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { createPasswordLink } from '../../accounts/recovery/password-links.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const me = (forum: Forum, { token }: Person) => forum.call('GET', apiRoutes.me, { token });
async function upload(forum: Forum, owner: Person, width: number) {
  const png = await quarters(width, 160).png().toBuffer();
  return (await (await forum.upload(owner, png, { filename: 'a.png' })).json()) as StoredFile;
}
const setPassword = (forum: Forum, token: string) =>
  forum.call('POST', apiRoutes.setPassword, { body: { token, password: 'otra contraseña' } });

describe('a site restored from a backup', () => {
  let folder: TemporaryFolder;
  let file: string;
  let former: Forum;
  let restored: Forum;
  const sites = new AsyncDisposableStack();
  let signedOut: Person;
  /** The cookie header of a remembered browser. */
  let cookie: string;
  let withNewPassword: Person;
  let disabled: Person;
  let channel: Channel;
  let link: string;
  let epoch: string;
  /** Id of the live event of the fifth comment; the backup has three comments. */
  let lastEventId: string;
  /** An image that was uploaded after the backup. */
  let image: StoredFile;
  before(async () => {
    folder = await temporaryFolder('restored');
    file = path.join(folder.path, 'backup.tar');
    former = await Forum.start('sqlite');
    [signedOut, withNewPassword, disabled] = await Promise.all([
      former.person(),
      former.person(),
      former.person(),
    ]);
    channel = await former.channel(disabled);
    for (const text of ['1', '2', '3']) await former.comment(disabled, channel._id, text);
    const { db } = former.services;
    link = await createPasswordLink(db, withNewPassword.id, Date.now());
    const browser = new RememberedBrowser(former);
    await browser.signIn(signedOut);
    ({ cookie } = browser);
    const reader = await LiveReader.open(former, channel._id);
    await makeBackup(former.services, file, async () => {});

    image = await upload(former, disabled, 400);
    for (const text of ['4', '5']) await former.comment(disabled, channel._id, text);
    await reader.nextComment();
    lastEventId = (await reader.next()).id ?? '';
    ({ epoch } = reader);
    reader.close();
    await former.call('POST', apiRoutes.signOut, { token: signedOut.token });
    assert.ok((await setPassword(former, link)).ok);
    await db
      .updateTable('accounts')
      .set({ disabled_at_ms: Date.now() })
      .where('id', '=', disabled.id)
      .execute();
    for (const person of [signedOut, withNewPassword, disabled]) {
      assert.equal((await me(former, person)).status, 401);
    }
    restored = await restore();
  });
  after(async () => {
    await sites.disposeAsync();
    await former?.stop();
    await folder?.[Symbol.asyncDispose]();
  });

  const resume = (restored: Forum) => new RememberedBrowser(restored).resume({ cookie });

  /** Restores the backup into a new site and serves it until the tests end. */
  async function restore(options: { keepSessions?: boolean } = {}): Promise<Forum> {
    const env = { DATA_DIR: await mkdtemp(path.join(folder.path, 'site-')) };
    await restoreBackup(parseConfig(env), file, options);
    return sites.use(await Forum.start('sqlite', env));
  }

  test('accepts no session, remembered browser or password link from before the backup', async () => {
    for (const person of [signedOut, withNewPassword, disabled]) {
      assert.equal((await me(restored, person)).status, 401);
    }
    await expectProblem(await setPassword(restored, link), 403, 'password_link_dead');
    await expectProblem(await resume(restored), 401, 'not_remembered');
    const { email, password } = signedOut;
    assert.equal((await restored.signIn(email, password)).status, 200);
  });

  test('does not reuse the address of an image that was uploaded after the backup', async () => {
    const owner = await restored.person();
    const other = await upload(restored, owner, 401);
    assert.notEqual(other.downloadURL, image.downloadURL);
    assert.equal((await upload(restored, owner, 401)).downloadURL, other.downloadURL);
  });

  test('sends live readers another epoch, and a reader that is ahead only new comments', async () => {
    const author = await restored.person();
    const reader = await LiveReader.open(restored, channel._id, undefined, lastEventId);
    const comment = await restored.comment(author, channel._id, 'nuevo');
    assert.deepEqual(await reader.nextComment(), comment);
    assert.notEqual(reader.epoch, epoch);
    reader.close();
  });

  test('keeps sessions, remembered browsers and password links with keepSessions, and has a new epoch', async () => {
    const kept = await restore({ keepSessions: true });
    assert.equal((await me(kept, signedOut)).status, 200);
    assert.equal((await resume(kept)).status, 200);
    assert.ok((await setPassword(kept, link)).ok);

    const epochs = [former, restored, kept].map(({ services }) => services.epoch);
    assert.equal(new Set(epochs).size, 3);
  });
});
