import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { zipOf } from '../../../../test/attacks/hostile-files.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import {
  createPostgresDatabase,
  engines,
  expectProblem,
  Forum,
  type Person,
} from '../../../../test/forum/forum.ts';
import { staff } from '../../../../test/forum/moderators.ts';
import { bringChat } from '../../../../test/moving-in/bring-chat.ts';
import { findImported, personLink } from '../../../../test/moving-in/imported-people.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CommentPage } from '../../../shared/comments.ts';
import { backupFolder } from '../../operation/backups/backup-folder.ts';
import { makeBackup } from '../../operation/backups/make-backup.ts';
import { restoreBackup } from '../../operation/backups/restore-backup.ts';
import { attemptErasures } from '../../operation/housekeeping/housekeeping.ts';
import { ledgerIn, readLedger } from '../../privacy/erasure/erasure-ledger.ts';
import { parseConfig } from '../../system/settings/config.ts';

const dayMs = 86_400_000;
const lines = ['15/3/22, 9:05 - Zenobia: hola', '15/3/22, 9:06 - Luz: adiós'];
const settings = { readers: 'members', contact: 'Marga' } as const;

for (const engine of engines) {
  const other = engine === 'sqlite' ? 'postgres' : 'sqlite';
  test(`who wrote in a chat withdraws that by a link, until it is erased, also in restored backups and longer files (${engine})`, async (t) => {
    await using temporary = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-withdrawn-'));
    let aheadMs = 0;
    await using forum = await Forum.start(engine, {}, { now: () => Date.now() + aheadMs });
    await changeSettings(forum, settings);
    let admin: Person = await staff(forum, 'admin', 'Ada');
    const channel = 'Vecinos';
    const bring = (more: string[] = []) =>
      bringChat(forum, admin, zipOf({ '_chat.txt': [...lines, ...more].join('\n') }), { channel });
    const { channelId } = await bring();
    const read = async (of: Forum, by = admin) => {
      const url = apiRoutes.channelComments(channelId);
      const { data } = await of.json<CommentPage>('GET', url, { token: by.token });
      return data.map(({ autor, comment }) => `${autor}: ${comment}`);
    };
    const { id } = await findImported(forum, admin, channelId, 'Zenobia');
    const claim = await personLink(forum, admin, channelId, id, 'claim');
    const link = await personLink(forum, admin, channelId, id, 'withdraw');
    assert.match(link, /^\/withdraw\/[\w-]{22}$/);
    const page = async () => (await forum.call('GET', link)).text();
    const choose = (choice: string) => forum.call('POST', `${link}?choice=${choice}`);
    const state = async () => (await findImported(forum, admin, channelId, 'Zenobia')).state;

    assert.match(await page(), /1 mensaje de <bdi>Zenobia<\/bdi>/);
    assert.equal((await choose('todo')).status, 400);
    assert.equal((await forum.call('GET', '/withdraw/x')).status, 404);
    assert.equal(await state(), 'open', 'opening the page asked for nothing');
    const file = path.join(temporary.path, 'daily.tar');
    await makeBackup(forum.services, file, async () => {});

    assert.equal((await choose('anonymous')).status, 200);
    assert.match(await page(), /Dejar mis comentarios sin mi nombre/);
    assert.equal(await state(), 'leaving');
    const ledger = await readLedger(ledgerIn(backupFolder(forum.services.config)));
    assert.equal(ledger.at(-1)?.kind, 'requested');
    const late = await forum.call('POST', apiRoutes.claims, {
      token: admin.token,
      body: { invitation: claim.replace('/register#', '') },
    });
    await expectProblem(late, 403, 'invitation_required');
    assert.equal((await choose('cancel')).status, 200);
    assert.equal(await state(), 'open');
    assert.equal((await choose('erase')).status, 200);
    aheadMs += 14 * dayMs - 60_000;
    admin = await forum.personOf(admin);
    await attemptErasures(forum.services, forum.app.log);
    assert.deepEqual(await read(forum), ['Zenobia: hola', 'Luz: adiós']);
    for (const ms of [60_001, 61_000]) {
      aheadMs += ms;
      await attemptErasures(forum.services, forum.app.log);
    }
    assert.deepEqual(await findText(forum, 'Zenobia'), []);
    assert.match(await page(), /Ya se han retirado/);
    const again = ['16/3/22, 9:05 - Zenobia: otra vez', '16/3/22, 9:06 - Luz: sí'];
    assert.equal((await bring(again)).channelId, channelId);
    assert.deepEqual(await read(forum), ['Luz: adiós', 'Luz: sí']);
    const luz = await findImported(forum, admin, channelId, 'Luz');
    const anonymous = await personLink(forum, admin, channelId, luz.id, 'withdraw');
    await forum.call('POST', `${anonymous}?choice=anonymous`);
    aheadMs += 14 * dayMs + 1;
    await attemptErasures(forum.services, forum.app.log);
    admin = await forum.personOf(admin);
    assert.deepEqual(await read(forum), ['cuenta eliminada: adiós', 'cuenta eliminada: sí']);

    await copyFile(ledgerIn(backupFolder(forum.services.config)), ledgerIn(temporary.path));
    const database = other === 'postgres' ? await createPostgresDatabase() : undefined;
    t.after(() => database?.drop());
    const env = {
      DATA_DIR: path.join(temporary.path, 'restored'),
      ...(database ? { DATABASE_URL: database.url } : {}),
    };
    await mkdir(env.DATA_DIR);
    await restoreBackup(parseConfig(env), file);
    await using restored = await Forum.start(other, env);
    assert.deepEqual(await findText(restored, 'Zenobia'), []);
    const reader = await restored.personOf(admin);
    assert.deepEqual(await read(restored, reader), ['cuenta eliminada: adiós']);
  });
}
