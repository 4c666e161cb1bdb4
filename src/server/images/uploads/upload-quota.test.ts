import assert from 'node:assert/strict';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum, type Person, uploadMetadata } from '../../../../test/forum/forum.ts';
import { colouredImage, onDisk, unfinishedUploads } from '../../../../test/forum/image-setups.ts';
import { bulkyImage, TusUpload } from '../../../../test/forum/tus-upload.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { usableBytes } from '../../system/disk-reserve.ts';
import { sweepUploads } from './sweep-uploads.ts';
import { DiskFull } from './upload-errors.ts';
import { uploadFolder } from './upload-folder.ts';
import { makeRoom } from './upload-quota.ts';

const mega = 1024 * 1024;
const minuteMs = 60_000;

const create = (forum: Forum, owner: Person, headers: Record<string, string>) =>
  forum.call('POST', apiRoutes.uploads, {
    token: owner.token,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-metadata': uploadMetadata({ filename: 'a.png', use: 'cover' }),
      ...headers,
    },
  });

async function exist(forum: Forum, uploads: TusUpload[]): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const upload of uploads) found.push((await upload.head(forum.url)).status === 200);
  return found;
}

/** Waits until later writes get a different time stamp. */
const laterTime = () => delay(10);

onDisk(
  'upload quota',
  (forum, wait) => {
    const size = { 'upload-length': String(5 * mega) };

    test('the declared bytes of open uploads count against the quota of their account, also of concurrent ones', async () => {
      const owner = await forum().person();
      const answers = await Promise.all([1, 2, 3, 4].map(() => create(forum(), owner, size)));
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), [201, 201, 413, 413]);
      const refused = await create(forum(), owner, size);
      const { detail } = await expectProblem(refused, 413, 'quota_exceeded');
      assert.match(detail, /12\u00a0MB.*subidas sin terminar.*cancélalas/);
      assert.equal((await create(forum(), await forum().person(), size)).status, 201);

      const created = answers.find(({ status }) => status === 201);
      await forum().call('DELETE', created?.headers.get('location') ?? '', {
        token: owner.token,
        headers: { 'tus-resumable': '1.0.0' },
      });
      assert.equal((await create(forum(), owner, size)).status, 201);
    });

    test('an upload of unknown length counts with the maximum size of an upload', async () => {
      const owner = await forum().person();
      const deferred = { 'upload-defer-length': '1' };
      assert.equal((await create(forum(), owner, deferred)).status, 201);
      await expectProblem(await create(forum(), owner, deferred), 413, 'quota_exceeded');
    });

    test('the stored bytes of images with their variants count against the quota, before and after decoding', async () => {
      const [owner, other] = [await forum().person(), await forum().person()];
      const upload = async (person: Person, colour: string) =>
        forum().upload(person, await colouredImage(colour).png().toBuffer());
      assert.equal((await upload(owner, 'red')).status, 200);
      const { db } = forum().services;
      for (const [room, text] of [
        [10, /^No cabe en los 12\u00a0MB que tienes para tus imágenes y archivos\./],
        // The declared bytes fit, those of the variants do not.
        [1000, /^Tus imágenes y archivos ya ocupan los 12\u00a0MB que tienes\./],
      ] as const) {
        const images = db.updateTable('images').where('account_id', '=', owner.id);
        await images.set({ stored_bytes: 12 * mega - room }).execute();
        const refused = await upload(owner, 'blue');
        assert.match((await expectProblem(refused, 413, 'quota_exceeded')).detail, text);
      }
      assert.equal((await upload(other, 'blue')).status, 200);
    });

    test('a sixth open upload removes the stalest of the other five, and ends the request that is writing to it', async () => {
      const owner = await forum().person();
      const image = await bulkyImage();
      const stalled = await TusUpload.begin(forum().url, owner, image.length);
      const request = stalled.stall(forum().url, 0, image.subarray(0, 1_200_000), image.length);
      const ended = Promise.race([once(request, 'response'), once(request, 'close')]);
      const store = await forum().services.uploads.store();
      await eventually(
        'bytes of the upload are stored',
        async () => (await store.getUpload(stalled.id)).offset >= mega,
      );
      await laterTime();
      const uploads: TusUpload[] = [];
      for (let i = 0; i < 5; i++) uploads.push(await TusUpload.begin(forum().url, owner, 1000));
      await ended;
      assert.deepEqual(await exist(forum(), [stalled, ...uploads]), [
        false,
        ...Array(5).fill(true),
      ]);
      const names = await unfinishedUploads(forum());
      assert.ok(!names.some((name) => name.startsWith(stalled.id)));
      // An upload that has just made progress is not the stalest.
      await laterTime();
      const [first] = uploads as [TusUpload];
      assert.equal((await first.send(forum().url, 0, Buffer.alloc(10))).status, 204);
      uploads.push(await TusUpload.begin(forum().url, owner, 1000));
      const existing = await exist(forum(), uploads);
      assert.equal(existing.filter(Boolean).length, 5);
      assert.ok(existing[0] && existing[5], String(existing));
    });

    test('the sweep removes an upload an hour after its last progress, and not before', async () => {
      const owner = await forum().person();
      const upload = await TusUpload.begin(forum().url, owner, 40);
      assert.equal((await upload.send(forum().url, 0, Buffer.alloc(10))).status, 204);
      const { services } = forum();
      // The info file does not count as progress.
      const longAgo = new Date(Date.now() - 600 * minuteMs);
      await utimes(path.join(uploadFolder(services.config), `${upload.id}.json`), longAgo, longAgo);
      wait(59 * minuteMs);
      await sweepUploads(services);
      assert.equal(await upload.offset(forum().url), 10);
      wait(2 * minuteMs);
      assert.ok((await sweepUploads(services)) > 0);
      assert.deepEqual(await unfinishedUploads(forum()), []);
    });
  },
  { ACCOUNT_QUOTA_MB: '12' },
);

test('an upload that would use up the reserve of the disk is refused', async () => {
  await using forum = await Forum.start('sqlite', { ACCOUNT_QUOTA_MB: '1000000' });
  const { id } = await forum.person();
  const room = await usableBytes(forum.services.config.dataDir);
  // Other programs may write or free hundreds of megabytes on the same disk during the test.
  const margin = room / 2;
  await makeRoom(forum.services, id, room - margin, room);
  await assert.rejects(makeRoom(forum.services, id, room + margin, room), DiskFull);
});
