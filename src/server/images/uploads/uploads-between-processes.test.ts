import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { eventually } from '../../../../test/eventually.ts';
import { Forum, type Person } from '../../../../test/forum/forum.ts';
import { colouredImage, unfinishedUploads } from '../../../../test/forum/image-setups.ts';
import { bulkyImage, TusUpload } from '../../../../test/forum/tus-upload.ts';
import { ServerProcess } from '../../../../test/processes/server-process.ts';
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

  test('only one of two processes that receive all bytes at the same time stores the image', async () => {
    for (let round = 0; round < 2; round++) {
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

  test('twelve concurrent uploads of different images under one name get twelve names, and leave no other files', async () => {
    const owners = [await first.person(), await second.person(), await first.person()];
    const colours = Array.from({ length: 12 }, (_, i) => [i * 20, i, 255 - i]);
    const files = await Promise.all(
      colours.map(async (colour, i) => {
        const bytes = await colouredImage(`rgb(${colour})`).png().toBuffer();
        const file = { filename: 'igual.png', use: 'avatar' };
        return fileOf(await (i % 2 ? first : second).upload(owners[i % 3] as Person, bytes, file));
      }),
    );
    assert.equal(new Set(files.map(({ fullPath }) => fullPath)).size, 12);
    for (const [i, { downloadURL }] of files.entries()) {
      const served = await (await first.call('GET', downloadURL)).arrayBuffer();
      assert.deepEqual([...(await sharp(served).raw().toBuffer()).subarray(0, 3)], colours[i]);
    }
    assert.deepEqual(await unfinishedUploads(first), []);
  });

  for (const [how, end] of [
    ['is killed', (server: ServerProcess) => server.kill('SIGKILL')],
    ['stops', (server: ServerProcess) => server.kill('SIGTERM')],
  ] as const) {
    test(`an upload continues at its offset when its process ${how} in the middle of a part`, async (t) => {
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
