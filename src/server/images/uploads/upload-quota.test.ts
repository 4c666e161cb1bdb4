import assert from 'node:assert/strict';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../../test/eventually.ts';
import {
  expectProblem,
  type Forum,
  type Person,
  uploadMetadata,
} from '../../../../test/forum/forum.ts';
import { onEveryImageSetup, unfinishedUploads } from '../../../../test/forum/image-setups.ts';
import { bulkyImage, TusUpload } from '../../../../test/forum/tus-upload.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { sweepUploads } from './sweep-uploads.ts';
import { uploadFolder } from './upload-folder.ts';

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

const quota = { ACCOUNT_QUOTA_MB: '12' };
onEveryImageSetup(
  'upload quota',
  (forum) => {
    test('the declared bytes of open uploads count against the quota of their account', async () => {
      const owner = await forum().person();
      const size = { 'upload-length': String(5 * mega) };
      const first = await create(forum(), owner, size);
      assert.equal(first.status, 201);
      assert.equal((await create(forum(), owner, size)).status, 201);
      const refused = await create(forum(), owner, size);
      const { detail } = await expectProblem(refused, 413, 'quota_exceeded');
      assert.match(detail, /12\u00a0MB.*subidas sin terminar.*cancélalas/);
      assert.equal((await create(forum(), await forum().person(), size)).status, 201);

      await forum().call('DELETE', first.headers.get('location') ?? '', {
        token: owner.token,
        headers: { 'tus-resumable': '1.0.0' },
      });
      assert.equal((await create(forum(), owner, size)).status, 201);
    });

    test('concurrently created uploads cannot exceed the quota together', async () => {
      const owner = await forum().person();
      const answers = await Promise.all(
        [0, 1, 2, 3].map(() => create(forum(), owner, { 'upload-length': String(5 * mega) })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, 201, 413, 413]);
    });

    test('an upload of unknown length counts with the maximum size of an upload', async () => {
      const owner = await forum().person();
      const deferred = { 'upload-defer-length': '1' };
      assert.equal((await create(forum(), owner, deferred)).status, 201);
      await expectProblem(await create(forum(), owner, deferred), 413, 'quota_exceeded');
    });

    test('a sixth open upload removes the stalest of the other five', async () => {
      const owner = await forum().person();
      const uploads: TusUpload[] = [];
      for (let i = 0; i < 5; i++) uploads.push(await TusUpload.begin(forum().url, owner, 1000));
      const [first, second] = uploads as [TusUpload, TusUpload];
      await laterTime();
      assert.equal((await first.send(forum().url, 0, Buffer.alloc(10))).status, 204);
      uploads.push(await TusUpload.begin(forum().url, owner, 1000));
      const existing = await exist(forum(), uploads);
      assert.equal(existing.filter(Boolean).length, 5);
      assert.ok(existing[0] && existing[5], String(existing));
      const deleted = await second.send(forum().url, 0, Buffer.alloc(10));
      if (!existing[1]) await expectProblem(deleted, 404, 'upload_not_found');
    });

    test('removing a stale upload ends the request that is writing to it', async () => {
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
      for (let i = 0; i < 5; i++) await TusUpload.begin(forum().url, owner, 1000);
      await ended;
      assert.equal((await stalled.head(forum().url)).status, 404);
      const names = await unfinishedUploads(forum());
      assert.ok(!names.some((name) => name.startsWith(stalled.id)));
    });

    test('the sweep removes an upload an hour after its last progress, and not before', async () => {
      const owner = await forum().person();
      const upload = await TusUpload.begin(forum().url, owner, 40);
      assert.equal((await upload.send(forum().url, 0, Buffer.alloc(10))).status, 204);
      const { config } = forum().services;
      const sweep = (aheadMs: number) => sweepUploads({ config, now: () => Date.now() + aheadMs });
      // The info file does not count as progress.
      const longAgo = new Date(Date.now() - 600 * minuteMs);
      await utimes(path.join(uploadFolder(config), `${upload.id}.json`), longAgo, longAgo);
      await sweep(59 * minuteMs);
      assert.equal(await upload.offset(forum().url), 10);
      assert.ok((await sweep(61 * minuteMs)) > 0);
      assert.deepEqual(await unfinishedUploads(forum()), []);
    });
  },
  quota,
);
