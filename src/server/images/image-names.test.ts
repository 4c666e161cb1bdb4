import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import {
  imageSetups,
  onEveryImageSetup,
  storedObjectKeys,
} from '../../../test/forum/image-setups.ts';
import { CommitProxy } from '../../../test/postgres/commit-proxy.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { StoredFile } from '../../shared/images.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { objectKeysOf } from './stores/storage-keys.ts';
import { sweepImages } from './sweep-images.ts';

const dayMs = 24 * 3_600_000;

const image = (colour: string) =>
  sharp({ create: { width: 50, height: 20, channels: 3, background: colour } })
    .png()
    .toBuffer();

async function upload(forum: Forum, owner: Person, colour: string, filename = 'IMG_0001.png') {
  const response = await forum.upload(owner, await image(colour), { filename, use: 'avatar' });
  assert.equal(response.status, 200);
  return (await response.json()) as StoredFile;
}

const served = async (forum: Forum, file: StoredFile) =>
  Buffer.from(await (await forum.call('GET', file.downloadURL)).arrayBuffer());

const sweepLater = (forum: Forum) =>
  sweepImages({ ...forum.services, now: () => Date.now() + 1.5 * dayMs });

onEveryImageSetup('image names', (forum) => {
  test('the URL of a erased image never serves different content, but serves the same content again', async () => {
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
    const own = assetRoutes.file(lost.fullPath);
    for (const url of [
      own,
      assetRoutes.variant(own, '90.webp'),
      apiRoutes.storedFile(lost.fullPath),
    ]) {
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
    assert.equal((await forum().call('GET', assetRoutes.variant(own, '90.webp'))).status, 200);
  });
});

for (const setup of imageSetups) {
  test(`image names contain the hash after the site was restored (${setup.title})`, async () => {
    await using forum = await Forum.start(setup.engine, await setup.env(), {
      hasFormerNames: true,
    });
    const file = await upload(forum, await forum.person(), 'red');
    assert.match(file.fullPath, /^images\/IMG_0001-[0-9a-f]{8}\.png$/);
  });
}

describe('an upload whose commit is not acknowledged (postgres)', () => {
  test('keeps its objects if it was committed, and a retry gets the same name', async () => {
    const far = await Forum.start('postgres', { LOG_LEVEL: 'silent' });
    const proxy = await CommitProxy.start(far.services.config.databaseUrl ?? '');
    const forum = await Forum.start('postgres', {
      LOG_LEVEL: 'silent',
      DATABASE_URL: proxy.url,
      DATA_DIR: far.services.config.dataDir,
    });
    try {
      const owner = await forum.person();
      const met = proxy.next(/insert into "images"/, 'response lost');
      const unanswered = await forum.upload(owner, await image('red'), {
        filename: 'a.png',
        use: 'avatar',
      });
      await met;
      assert.equal(unanswered.status, 503);
      const row = await far.services.db.selectFrom('images').selectAll().executeTakeFirstOrThrow();
      assert.deepEqual(await storedObjectKeys(far), objectKeysOf(row).sort());
      const again = await upload(forum, owner, 'red', 'a.png');
      assert.equal(again.fullPath, row.full_path);
      assert.equal((await served(forum, again)).length, again.size);
      await sweepImages(far.services);
      assert.deepEqual(await storedObjectKeys(far), objectKeysOf(row).sort());
    } finally {
      await forum.stop();
      await proxy.stop();
      await far.stop();
    }
  });
});
