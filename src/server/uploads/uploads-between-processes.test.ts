import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createBucket, noBucket } from '../../../test/bucket/bucket.ts';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { unfinishedUploads } from '../../../test/forum/image-setups.ts';
import { bulkyImage, lockedUploads, TusUpload } from '../../../test/forum/tus-upload.ts';
import { OwnPostgres } from '../../../test/postgres/own-postgres.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';
import type { StoredFile } from '../../shared/images.ts';

const setups = [
  { title: 'a shared folder', isBucket: false, skip: false as const, env: async () => ({}) },
  { title: 'a bucket', isBucket: true, skip: noBucket, env: createBucket },
];

for (const setup of setups) {
  describe(`uploads between processes on ${setup.title}`, { skip: setup.skip }, () => {
    let first: Forum;
    let second: Forum;
    let owner: Person;
    let image: Buffer;
    before(async () => {
      first = await Forum.start('postgres', await setup.env());
      second = await first.another();
      owner = await first.person();
    });
    after(async () => {
      await second?.stop();
      await first?.stop();
    });
    const begin = async () => {
      image = await bulkyImage();
      return TusUpload.begin(first.url, owner, image.length);
    };
    const expectStored = async (answer: Response) => {
      assert.equal(answer.status, 200, await answer.clone().text());
      const { downloadURL } = (await answer.json()) as StoredFile;
      for (const forum of [first, second]) {
        assert.equal((await forum.call('GET', downloadURL)).status, 200);
      }
      assert.deepEqual(await unfinishedUploads(first), []);
    };

    test('an upload whose parts go to different processes in turn becomes one image', async () => {
      const upload = await begin();
      const parts = 7;
      const size = Math.ceil(image.length / parts);
      for (let part = 0; part < parts; part++) {
        const { url } = part % 2 === 0 ? second : first;
        assert.equal(await upload.offset(url), part * size);
        const bytes = image.subarray(part * size, (part + 1) * size);
        const answer = await upload.send(url, part * size, bytes);
        if (part < parts - 1) assert.equal(answer.status, 204);
        else await expectStored(answer);
      }
    });

    test('a request at another process takes over an open upload with all bytes received so far', async (t) => {
      const upload = await begin();
      const sent = 1_300_000;
      const stalled = upload.stall(first.url, 0, image.subarray(0, sent), image.length);
      t.after(() => stalled.destroy());
      await eventually('the upload is locked', async () => (await lockedUploads(first)) === 1);
      const offset = await upload.offset(second.url);
      assert.ok(offset > 0 && offset <= sent, String(offset));
      await expectStored(await upload.send(second.url, offset, image.subarray(offset)));
    });

    test('of two processes that receive the same part at once, one responds 409', async () => {
      const upload = await begin();
      const half = image.length >> 1;
      const [one, other] = await Promise.all(
        [first, second].map(({ url }) => upload.send(url, 0, image.subarray(0, half))),
      );
      const statuses = [one?.status, other?.status].sort();
      assert.deepEqual(statuses, [204, 409]);
      await expectStored(await upload.send(second.url, half, image.subarray(half)));
    });

    test('an upload cancelled at one process responds 404 at every process', async () => {
      const upload = await begin();
      assert.equal((await upload.send(first.url, 0, image.subarray(0, 1000))).status, 204);
      assert.equal((await upload.end(second.url)).status, 204);
      assert.equal((await upload.head(first.url)).status, 404);
      await expectProblem(await upload.send(first.url, 1000, image), 404, 'upload_not_found');
    });

    test('the limit of five open uploads of an account holds across processes', async () => {
      const uploads: TusUpload[] = [];
      const person = await first.person();
      for (const { url } of [first, second, first, second, first, second, first]) {
        uploads.push(await TusUpload.begin(url, person, 1000));
      }
      let open = 0;
      for (const upload of uploads) if ((await upload.head(second.url)).status === 200) open++;
      assert.equal(open, 5);
      for (const upload of uploads) await upload.end(first.url);
    });

    test('a process that loses its locks ends its uploads and stores the bytes received', async (t) => {
      const upload = await begin();
      const stalled = upload.stall(first.url, 0, image.subarray(0, 500_000), image.length);
      t.after(() => stalled.destroy());
      const answered = once(stalled, 'response');
      await eventually('the upload is locked', async () => (await lockedUploads(first)) === 1);
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'tertulia uploads'
      `.execute(first.deps.db);
      await answered;
      const offset = await upload.offset(second.url);
      assert.ok(offset > 0 && offset <= 500_000, String(offset));
      await expectStored(await upload.send(first.url, offset, image.subarray(offset)));
    });

    // The bytes of an open part are in the memory of the process only with a bucket.
    if (setup.isBucket) {
      test('a stopping process releases its uploads at once and stores the bytes received', async (t) => {
        const upload = await begin();
        const stopped = await ServerProcess.start(first.dataSettings);
        const stalled = upload.stall(stopped.url, 0, image.subarray(0, 500_000), image.length);
        t.after(() => stalled.destroy());
        await eventually('the upload is locked', async () => (await lockedUploads(first)) === 1);
        assert.equal((await stopped.stop()).code, 0);
        const offset = await upload.offset(second.url);
        assert.ok(offset > 0 && offset <= 500_000, String(offset));
        await expectStored(await upload.send(second.url, offset, image.subarray(offset)));
      });
    }

    // The lock is PostgreSQL's, whatever the store.
    if (!setup.isBucket) {
      test('the lock of a process killed in the middle of a part is released', async (t) => {
        const upload = await begin();
        const killed = await ServerProcess.start(first.dataSettings);
        assert.equal((await upload.send(killed.url, 0, image.subarray(0, 1000))).status, 204);
        const stalled = upload.stall(killed.url, 1000, image.subarray(1000, 9000), 900_000);
        t.after(() => stalled.destroy());
        await eventually('the upload is locked', async () => (await lockedUploads(first)) === 1);
        killed.kill('SIGKILL');
        await killed.ended;
        const offset = await upload.offset(second.url);
        assert.ok(offset >= 1000, String(offset));
        await expectStored(await upload.send(second.url, offset, image.subarray(offset)));
      });
    }
  });
}

test('an upload responds 503 while PostgreSQL is down, and resumes at its offset afterwards', async (t) => {
  const postgres = await OwnPostgres.start();
  const forum = await Forum.start('postgres', {
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'silent',
    ...(noBucket ? {} : await createBucket()),
  });
  try {
    const image = await bulkyImage();
    const upload = await TusUpload.begin(forum.url, await forum.person(), image.length);
    const sent = 700_000;
    const stalled = upload.stall(forum.url, 0, image.subarray(0, sent), image.length);
    t.after(() => stalled.destroy());
    const answered = once(stalled, 'response');
    await eventually('the upload is locked', async () => (await lockedUploads(forum)) === 1);
    await postgres.stop();
    // The server ends the request and stores what it has received.
    await answered;
    await expectProblem(await upload.send(forum.url, sent, image), 503, 'unavailable');
    await postgres.startAgain();
    await eventually(
      'the upload can be resumed',
      async () => (await upload.head(forum.url)).status === 200,
    );
    const offset = await upload.offset(forum.url);
    assert.ok(offset > 0 && offset <= sent, String(offset));
    assert.equal((await upload.send(forum.url, offset, image.subarray(offset))).status, 200);
  } finally {
    await forum.stop();
    await postgres.remove();
  }
});
