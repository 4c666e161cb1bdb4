import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import type { Forum, Person } from '../../../test/forum/forum.ts';
import { storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { askForDeletion } from '../../../test/forum/leave-traces.ts';
import type { Profile } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { ImageUse, StoredFile } from '../../shared/images.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { eraseDueAccounts } from '../accounts/erasure/erase-account.ts';
import { attemptSeparation } from '../operations/housekeeping.ts';
import { separateImages } from './separate-images.ts';
import { objectKeysOf } from './stores/storage-keys.ts';

const png = () => quarters(300, 160).png().toBuffer();

async function upload(forum: Forum, owner: Person, use: ImageUse, filename = `${use}.png`) {
  const file = (await (
    await forum.upload(owner, await png(), { use, filename })
  ).json()) as StoredFile;
  return file.downloadURL;
}

const rowsOf = ({ deps }: Forum, { id }: Person) =>
  deps.db.selectFrom('images').selectAll().where('account_id', '=', id).orderBy('use').execute();

/** Makes two accounts show a cover and an avatar of one account, as earlier versions allowed. */
async function share(forum: Forum) {
  const { db } = forum.deps;
  const ana = await forum.person('Ana');
  const berta = await forum.person('Berta');
  const unique = crypto.randomUUID();
  const cover = await upload(forum, ana, 'cover', `portada ${unique}.png`);
  const img = await upload(forum, ana, 'avatar', `cara ${unique}.png`);
  const { _id } = await forum.channel(berta);
  await db.updateTable('channels').set({ cover }).where('id', '=', _id).execute();
  await db.updateTable('accounts').set({ img }).where('id', '=', berta.id).execute();
  const shown = () => forum.json<Channel>('GET', apiRoutes.channel(_id));
  return { ana, berta, _id, cover, img, shown, unique };
}

onBothEngines('an image that two accounts share', (forum, wait) => {
  const keepHouse = () => attemptSeparation(forum().deps, forum().app.log);
  const statusOf = async (url: string) => (await forum().call('GET', url)).status;
  const eraseNow = async (person: Person) => {
    await askForDeletion(forum(), person, 'erase');
    const { token } = person;
    const { deletion } = await forum().json<Profile>('GET', apiRoutes.me, { token });
    assert.ok(deletion);
    wait(14 * 86_400_000 + 1);
    await eraseDueAccounts(forum().deps);
    return deletion.receipt;
  };

  test('is copied to each with its own row, name and objects, which outlive the other account', async () => {
    const { ana, berta, _id, cover, img, shown, unique } = await share(forum());
    const { db } = forum().deps;
    const version = { channel_id: _id, revision: 1, name: 'a', description: 'b', cover_alt: '' };
    await db
      .insertInto('channel_versions')
      .values({ ...version, cover, replaced_at_ms: forum().deps.now() })
      .execute();
    assert.equal((await shown()).cover, cover);
    await keepHouse();
    const channel = await shown();
    assert.match(channel.cover, new RegExp(`^/files/images/portada%20${unique}-[0-9a-f]{8}.png$`));
    assert.match(channel.autorImg, new RegExp(`^/files/images/cara%20${unique}-[0-9a-f]{8}.png$`));
    const [earlier] = await db
      .selectFrom('channel_versions')
      .where('channel_id', '=', _id)
      .select('cover')
      .execute();
    assert.equal(earlier?.cover, channel.cover);
    const [copies, originals] = [await rowsOf(forum(), berta), await rowsOf(forum(), ana)];
    const sizes = (rows: typeof copies) => rows.map((row) => [row.use, row.stored_bytes, row.md5]);
    assert.deepEqual(sizes(copies), sizes(originals));
    const keys = await storedObjectKeys(forum());
    for (const key of copies.flatMap(objectKeysOf)) assert.ok(keys.includes(key), key);
    // The account of the copy finds it by the same name and bytes.
    assert.equal(await upload(forum(), berta, 'avatar', `cara ${unique}.png`), channel.autorImg);

    await eraseNow(ana);
    assert.deepEqual(await rowsOf(forum(), ana), []);
    for (const url of [cover, img]) assert.equal(await statusOf(url), 404, url);
    for (const url of [
      channel.cover,
      channel.autorImg,
      assetRoutes.variant(channel.cover, 'card.jpg'),
    ]) {
      assert.equal(await statusOf(url), 200, url);
    }
    // A third account gets neither name.
    const other = await forum().person('Eva');
    for (const filename of [cover, channel.cover].map((url) =>
      decodeURIComponent(url.split('/').at(-1) ?? ''),
    )) {
      const url = await upload(forum(), other, 'cover', filename);
      assert.ok(![cover, channel.cover].includes(url), url);
    }
  });

  test('erasing everything erases the covers of channels that stay, and its receipt names the remaining content', async () => {
    const { ana, berta, cover } = await share(forum());
    const { _id } = await forum().channel(ana);
    await forum().deps.db.updateTable('channels').set({ cover }).where('id', '=', _id).execute();
    await forum().comment(berta, _id, 'Hola');
    const receipt = await eraseNow(ana);
    const stays = receipt.stays.map(({ what }) => what).join();
    for (const text of ['otras personas usaban', 'no se puedan borrar', 'sin portada']) {
      assert.ok(stays.includes(text), text);
    }
    assert.equal((await forum().json<Channel>('GET', apiRoutes.channel(_id))).cover, '');
    assert.deepEqual(await rowsOf(forum(), ana), []);
  });

  test('is copied by the erasure of its owner when housekeeping has not copied it', async () => {
    const { ana, shown, cover } = await share(forum());
    await eraseNow(ana);
    const channel = await shown();
    assert.notEqual(channel.cover, cover);
    assert.equal(await statusOf(cover), 404);
    for (const url of [channel.cover, channel.autorImg]) assert.equal(await statusOf(url), 200);
  });

  test('is also copied to an erased account whose channels stay', async () => {
    const { ana, berta, shown, cover } = await share(forum());
    const { db, now } = forum().deps;
    await db
      .updateTable('accounts')
      .set({ erased_at_ms: now(), disabled_at_ms: now() })
      .where('id', '=', berta.id)
      .execute();
    await eraseNow(ana);
    assert.notEqual((await shown()).cover, cover);
    assert.equal(await statusOf((await shown()).cover), 200);
  });

  test('is copied once by an interrupted run that is repeated, and by two concurrent runs', async () => {
    const { berta, _id, cover, shown } = await share(forum());
    const { db } = forum().deps;
    await keepHouse();
    const copy = (await shown()).cover;
    // The run was killed before it showed the copy.
    await db.updateTable('channels').set({ cover }).where('id', '=', _id).execute();
    const before = await storedObjectKeys(forum());
    await Promise.all([separateImages(forum().deps), separateImages(forum().deps)]);
    assert.equal((await shown()).cover, copy);
    assert.equal((await rowsOf(forum(), berta)).length, 2);
    assert.deepEqual(await storedObjectKeys(forum()), before);
  });

  test('stays unchanged when its objects are lost', async () => {
    const { ana, shown, cover } = await share(forum());
    for (const row of await rowsOf(forum(), ana)) {
      for (const key of objectKeysOf(row)) await forum().deps.images.remove(key);
    }
    await keepHouse();
    assert.equal((await shown()).cover, cover);
    await eraseNow(ana);
    assert.deepEqual(await rowsOf(forum(), ana), []);
  });
});
