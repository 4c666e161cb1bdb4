import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { unfinishedUploads } from '../../../../test/forum/image-setups.ts';
import { bulkyImage, TusUpload } from '../../../../test/forum/tus-upload.ts';
import { ServerProcess } from '../../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { StoredFile } from '../../../shared/images.ts';

let first: Forum;
let owner: Person;
let image: Buffer;
before(async () => {
  first = await Forum.start('postgres');
});
after(() => first?.stop());

async function begin(): Promise<TusUpload> {
  owner = await first.person();
  image = await bulkyImage();
  return TusUpload.begin(first.url, owner, image.length);
}

const urlsOfOwner = async () => {
  const { db } = first.services;
  const rows = db.selectFrom('images').select('url').where('account_id', '=', owner.id);
  return (await rows.execute()).map(({ url }) => url);
};

async function fileOf(answer: Response): Promise<StoredFile> {
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as StoredFile;
}

describe('uploads to the processes of one machine', () => {
  let second: Forum;
  before(async () => {
    second = await first.another();
  });
  after(() => second?.stop());

  const expectStored = async (answer: Response) => {
    const { downloadURL } = await fileOf(answer);
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

  test('another process goes on with what a request has stored that is still open', async (t) => {
    const upload = await begin();
    const sent = 1_300_000;
    const stalled = upload.stall(first.url, 0, image.subarray(0, sent), image.length);
    t.after(() => stalled.destroy());
    await eventually(
      'its bytes are stored',
      async () => (await upload.offset(second.url)) === sent,
    );
    await expectStored(await upload.send(second.url, sent, image.subarray(sent)));
    assert.equal((await urlsOfOwner()).length, 1);
  });

  test('of two processes that receive all bytes at the same time, one stores the image', async () => {
    for (let round = 0; round < 5; round++) {
      const upload = await begin();
      const answers = await Promise.all(
        [first, second].map(({ url }) => upload.send(url, 0, image)),
      );
      const stored = answers.filter(({ status }) => status === 200);
      assert.equal(stored.length, 1, answers.map(({ status }) => status).join());
      assert.equal((await urlsOfOwner()).length, 1);
      assert.deepEqual(await unfinishedUploads(first), []);
    }
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

  for (const [how, end] of [
    ['is killed', (server: ServerProcess) => server.kill('SIGKILL')],
    ['stops', (server: ServerProcess) => server.kill('SIGTERM')],
  ] as const) {
    test(`an upload goes on at its offset when its process ${how} in the middle of a part`, async (t) => {
      const upload = await begin();
      await using ended = await ServerProcess.start(first.dataSettings);
      const stalled = upload.stall(ended.url, 0, image.subarray(0, 500_000), image.length);
      t.after(() => stalled.destroy());
      await eventually(
        'its bytes are stored',
        async () => (await upload.offset(first.url)) === 500_000,
      );
      end(ended);
      await ended.ended;
      assert.equal(await upload.offset(second.url), 500_000);
      await expectStored(await upload.send(second.url, 500_000, image.subarray(500_000)));
    });
  }
});

test('another machine does not know an upload, and stores the same image when it is sent there', async () => {
  await using folder = await temporaryFolder('machine');
  const images = path.join(first.services.config.dataDir, 'images');
  await mkdir(images, { recursive: true });
  // Stands in for the bucket that the machines share.
  await symlink(images, path.join(folder.path, 'images'));
  await using other = await Forum.start('postgres', {
    DATABASE_URL: first.dataSettings.DATABASE_URL ?? '',
    DATA_DIR: folder.path,
  });
  const upload = await begin();
  assert.equal((await upload.head(other.url)).status, 404);
  await expectProblem(await upload.send(other.url, 0, image), 404, 'upload_not_found');
  const again = await TusUpload.begin(other.url, owner, image.length);
  const file = await fileOf(await again.send(other.url, 0, image));
  assert.deepEqual(await fileOf(await upload.send(first.url, 0, image)), file);
  assert.equal((await urlsOfOwner()).length, 1);
});
