import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { colouredImage, onDisk } from '../../../test/forum/image-setups.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { StoredFile } from '../../shared/images.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { objectKeysOf } from './stores/storage-keys.ts';
import { sweepImages } from './sweep-images.ts';

const dayMs = 24 * 3_600_000;

async function upload(forum: Forum, owner: Person, colour: string, filename = 'IMG_0001.png') {
  const bytes = await colouredImage(colour).png().toBuffer();
  const response = await forum.upload(owner, bytes, { filename, use: 'avatar' });
  assert.equal(response.status, 200);
  return (await response.json()) as StoredFile;
}

const served = async (forum: Forum, file: StoredFile) =>
  Buffer.from(await (await forum.call('GET', file.downloadURL)).arrayBuffer());

const sweepLater = (forum: Forum) =>
  sweepImages({ ...forum.services, now: () => Date.now() + 1.5 * dayMs });

onDisk('image names', (forum) => {
  test('the URL of an erased image never serves different content, but serves the same content again', async () => {
    const owner = await forum().person();
    const red = await upload(forum(), owner, 'red');
    const redBytes = await served(forum(), red);
    await sweepLater(forum());
    assert.equal((await forum().call('GET', red.downloadURL)).status, 404);

    const blue = await upload(forum(), await forum().person(), 'blue');
    assert.match(blue.fullPath, /^images\/IMG_0001-[0-9a-f]{8}\.png$/);
    assert.equal((await forum().call('GET', red.downloadURL)).status, 404);
    const again = await upload(forum(), owner, 'red');
    assert.equal(again.downloadURL, red.downloadURL);
    assert.deepEqual(await served(forum(), again), redBytes);
  });

  test('the same name and bytes of an account are one file; other bytes or another account get a hash in the name', async () => {
    const [owner, other] = [await forum().person(), await forum().person()];
    const first = await upload(forum(), owner, 'green', 'foto.png');
    assert.deepEqual(await upload(forum(), owner, 'green', 'foto.png'), first);
    const bytes = await upload(forum(), owner, 'yellow', 'FOTO.png');
    assert.match(bytes.fullPath, /^images\/FOTO-[0-9a-f]{8}\.png$/);
    const theirs = await upload(forum(), other, 'green', 'foto.png');
    assert.match(theirs.name, /^foto-[0-9a-f]{8}\.png$/);
    assert.equal((await upload(forum(), other, 'green', 'foto.png')).name, theirs.name);
  });

  test('a name with a hash stays with its first content', async () => {
    const owner = await forum().person();
    await upload(forum(), owner, 'red', 'a.png');
    const { name } = await upload(forum(), owner, 'green', 'a.png');
    await upload(forum(), owner, 'blue', 'b.png');
    await sweepLater(forum());
    await upload(forum(), owner, 'white', name);
    assert.equal((await upload(forum(), owner, 'green', 'a.png')).name, name);
    assert.notEqual((await upload(forum(), owner, 'black', name)).name, name);
  });

  test('an image whose objects are lost responds 404 until it is uploaded again', async () => {
    const owner = await forum().person();
    const lost = await upload(forum(), owner, 'orange', 'lost.png');
    const row = await forum()
      .services.db.selectFrom('images')
      .selectAll()
      .where('full_path', '=', lost.fullPath)
      .executeTakeFirstOrThrow();
    for (const key of objectKeysOf(row)) await forum().services.images.remove(key);
    const variant = assetRoutes.variant(lost.downloadURL, '90.webp');
    for (const url of [lost.downloadURL, variant, apiRoutes.storedFile(lost.fullPath)]) {
      const answer = await forum().call('GET', url);
      assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
      assert.equal(answer.headers.get('etag'), null);
      await expectProblem(answer, 404, 'file_not_found');
      assert.equal((await forum().call('HEAD', url)).status, 404);
    }
    const other = await upload(forum(), owner, 'pink', 'lost.png');
    assert.notEqual(other.fullPath, lost.fullPath);
    const again = await upload(forum(), owner, 'orange', 'lost.png');
    assert.equal(again.fullPath, lost.fullPath);
    assert.equal((await served(forum(), again)).length, again.size);
    assert.equal((await forum().call('GET', variant)).status, 200);
  });
});

test('image names contain the hash after the site was restored', async () => {
  await using forum = await Forum.start('sqlite', {}, { hasFormerNames: true });
  const file = await upload(forum, await forum.person(), 'red');
  assert.match(file.fullPath, /^images\/IMG_0001-[0-9a-f]{8}\.png$/);
});
