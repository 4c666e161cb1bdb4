import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import type { Channel, ChannelPage } from '../../src/shared/channels.ts';
import { apiRoutes } from '../../src/shared/routes.ts';
import { readDemoChannels } from './content.ts';
import { DemoClient } from './demo-client.ts';
import { type Demo, startDemo } from './start-demo.ts';

const dayMs = 86_400_000;
const ownDir = path.join(import.meta.dirname, 'not-for-the-demo');
let demo: Demo;
let listed: Channel[];

before(async () => {
  demo = await startDemo({
    PORT: '0',
    DATA_DIR: ownDir,
    DATABASE_URL: 'postgres://nowhere/at-all',
  });
  const response = await fetch(new URL(apiRoutes.channels, demo.url));
  listed = ((await response.json()) as ChannelPage).data;
});
after(() => demo?.stop());

test('the demo has each channel with its comments in order', () => {
  for (const content of readDemoChannels()) {
    const channel = listed.find(({ name }) => name === content.name);
    assert.equal(channel?.commentCount, content.comments.length);
    assert.equal(channel.description, content.description);
    assert.deepEqual(
      channel.comments.map(({ comment }) => comment),
      content.comments.slice(0, 100).map(({ text }) => text),
    );
  }
});

test('channels and comments date from the last three weeks, and a new comment from now', async () => {
  const ages = listed
    .flatMap(({ createdAt, comments }) => [createdAt, ...comments.map((one) => one.createdAt)])
    .map((createdAt) => Date.now() - Date.parse(createdAt));
  assert.ok(Math.min(...ages) > 0 && Math.max(...ages) < 21 * dayMs);
  assert.ok(Math.max(...ages) > 20 * dayMs);

  const client = new DemoClient(demo.url);
  const [person] = demo.people;
  const { token } = await client.signIn(person?.email ?? '', person?.password ?? '');
  const { createdAt } = await client.comment(token, listed[0]?._id ?? '', 'Hola.');
  assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000);
});

test('covers and faces have their aspect ratios, and some people have no image', async () => {
  const shapeOf = async (url: string) => {
    const response = await fetch(new URL(url, demo.url));
    const { width, height } = await sharp(await response.arrayBuffer()).metadata();
    return width / height;
  };
  for (const { cover } of listed) assert.equal(await shapeOf(cover), 2.5);
  const faces = demo.people.filter(({ img }) => img?.startsWith('/files/'));
  assert.ok(faces.length > 0 && faces.length < demo.people.length);
  for (const { img } of faces) assert.equal(await shapeOf(img ?? ''), 1);
});

test('the demo ignores DATA_DIR and removes its folder at the end', async () => {
  assert.ok(existsSync(path.join(demo.dataDir, 'images')));
  assert.ok(!existsSync(ownDir));
  await demo.stop();
  assert.ok(!existsSync(demo.dataDir));
  await demo.stop();
});
