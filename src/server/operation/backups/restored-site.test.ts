import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { datedComment } from '../../../../test/forum/dated-comment.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/temporary-folder.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { createPasswordLink } from '../../accounts/recovery/password-links.ts';
import { tellOfChannels } from '../../notifications/pass/tell-channels.ts';
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
  let former: Forum;
  let person: Person;
  let channel: Channel;
  let browser: RememberedBrowser;
  /** Link to a new password. */
  let link = '';
  /** Secrets of the person's calendar and of a link that answers, at the time of the backup. */
  let [calendar, rsvp] = ['', ''];
  /** The address of the calendar, renewed after the backup. */
  let renewedCalendar = '';
  /** Epoch and id of the live event of the fifth comment; the backup has three comments. */
  let [epoch, lastEventId] = ['', ''];
  /** An image that was uploaded after the backup. */
  let image: StoredFile;
  before(async () => {
    folder = await temporaryFolder('restored');
    former = await Forum.start('sqlite');
    person = await former.person();
    const { token } = await former.person();
    channel = await former.channel(person);
    await former.json('PUT', apiRoutes.level(channel._id), { token, body: { level: 'all' } });
    ({ calendar, rsvp } = await datedComment(former, person, channel._id, person));
    for (const text of ['2', '3']) await former.comment(person, channel._id, text);
    link = await createPasswordLink(former.services.db, person.id, Date.now());
    browser = new RememberedBrowser(former);
    await browser.signIn(person);
    await makeBackup(former.services, path.join(folder.path, 'backup.tar'), async () => {});

    const reader = await LiveReader.open(former, channel._id);
    image = await upload(former, person, 400);
    for (const text of ['4', '5']) await former.comment(person, channel._id, text);
    await reader.nextComment();
    lastEventId = (await reader.next()).id ?? '';
    ({ epoch } = reader);
    reader.close();
    // All of them end after the backup.
    const renewed = await former.json<{ url: string }>('POST', apiRoutes.ownCalendar, person);
    renewedCalendar = new URL(renewed.url).pathname;
    assert.ok((await setPassword(former, link)).ok);
    assert.equal((await me(former, person)).status, 401);
  });
  after(async () => {
    await former?.stop();
    await folder?.[Symbol.asyncDispose]();
  });

  /** Restores the backup into a new site and serves it. */
  async function restore(options: { keepSessions?: boolean } = {}): Promise<Forum> {
    const env = { DATA_DIR: path.join(folder.path, crypto.randomUUID()) };
    await restoreBackup(parseConfig(env), path.join(folder.path, 'backup.tar'), options);
    return Forum.start('sqlite', env);
  }
  const resume = (site: Forum) => browser.copy(site).resume();

  test('accepts no session, remembered browser or password link from before the backup', async () => {
    await using restored = await restore();
    await expectProblem(await me(restored, person), 401, 'not_signed_in');
    await expectProblem(await setPassword(restored, link), 403, 'password_link_dead');
    await expectProblem(await resume(restored), 401, 'not_remembered');
    assert.equal((await restored.signIn(person.email, person.password)).status, 200);
  });

  test('keeps sessions, remembered browsers and password links with keepSessions', async () => {
    await using kept = await restore({ keepSessions: true });
    assert.equal((await me(kept, person)).status, 200);
    assert.equal((await resume(kept)).status, 200);
    assert.ok((await setPassword(kept, link)).ok);
  });

  test('tells nobody of channels and comments that the former site may have told of, unless it is moved', async () => {
    const told = async (site: Forum) => {
      const now = () => Date.now() + 11 * 60_000;
      await tellOfChannels({ ...site.services, now });
      const rows = await site.services.db.selectFrom('notifications').select('kind').execute();
      return rows.map(({ kind }) => kind).sort();
    };
    await using restored = await restore();
    assert.deepEqual(await told(restored), []);
    await using moved = await restore({ keepSessions: true });
    assert.deepEqual(await told(moved), ['channel', 'comment']);
  });

  test('has the calendars and answers by the links of the time of the backup, until an address is renewed again', async () => {
    await using restored = await restore();
    const calendarPath = `/calendar/${calendar}.ics`;
    const status = async (path: string, method = 'GET') =>
      (await restored.call(method, path)).status;
    assert.deepEqual([await status(calendarPath), await status(renewedCalendar)], [200, 404]);
    assert.equal(await status(`/rsvp/${rsvp}`, 'POST'), 200);
    const [dated] = await restored.allComments(channel._id);
    assert.equal(dated?.event?.dates[0]?.yes, 1);
    const session = await restored.newSession(person);
    await restored.json('POST', apiRoutes.ownCalendar, session);
    assert.deepEqual([await status(calendarPath), await status(renewedCalendar)], [404, 200]);
  });

  test('sends live readers another epoch, a reader that is ahead only new comments, and gives new images other addresses', async () => {
    await using restored = await restore();
    await using again = await restore();
    const epochs = [former, restored, again].map(({ services }) => services.epoch);
    assert.deepEqual([epochs[0], new Set(epochs).size], [epoch, 3]);
    const author = await restored.person();
    const reader = await LiveReader.open(restored, channel._id, undefined, lastEventId);
    const comment = await restored.comment(author, channel._id, 'nuevo');
    assert.deepEqual(await reader.nextComment(), comment);
    assert.equal(reader.epoch, restored.services.epoch);
    reader.close();

    const other = await upload(restored, author, 401);
    assert.notEqual(other.downloadURL, image.downloadURL);
    assert.equal((await upload(restored, author, 401)).downloadURL, other.downloadURL);
  });
});
