import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { hashCost } from '../../src/server/accounts/passwords/passwords.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../src/shared/channels.ts';
import { limits } from '../../src/shared/limits.ts';
import { changeValues } from '../../test/change-values.ts';
import { readDemoChannels } from './content.ts';
import { DemoClient } from './demo-client.ts';
import { demoPeople } from './people.ts';
import { type Demo, startDemo } from './start-demo.ts';

const dayMs = 86_400_000;
const unusedDir = path.join(import.meta.dirname, 'not-for-the-demo');
let demo: Demo;
let listed: Channel[];

// Real password hashes would make signing up everybody slow; another test covers their cost.
changeValues(hashCost, { memory: 64, passes: 1 });

before(async () => {
  const env = { PORT: '0', DATA_DIR: unusedDir, DATABASE_URL: 'postgres://nowhere/at-all' };
  const { TMPDIR, TEST_FOLDER } = process.env;
  // In memory, hundreds of calls do not wait for a disk.
  if (TEST_FOLDER) process.env.TMPDIR = TEST_FOLDER;
  demo = await startDemo(env, 0.2).finally(() => {
    if (TMPDIR) process.env.TMPDIR = TMPDIR;
    else delete process.env.TMPDIR;
  });
  const response = await fetch(new URL(apiRoutes.channels, demo.url));
  listed = ((await response.json()) as ChannelPage).data;
});
after(() => demo?.stop());

/** Replaces each `@{key}` with a name. */
const shown = (text: string) =>
  text.replace(
    /@\{(\w+)\}/g,
    (_, key) => `@${demoPeople.find((person) => person.key === key)?.name}`,
  );

test('the demo has each channel with its comments in order', () => {
  for (const content of readDemoChannels()) {
    const channel = listed.find(({ name }) => name === content.name);
    const left = content.comments.filter((comment) => !comment.deletedAfterMinutes);
    assert.equal(channel?.commentCount, left.length);
    assert.equal(channel.description, content.description);
    assert.equal(channel.closedAt !== null, content.closedHoursAgo !== undefined);
    assert.deepEqual(
      channel.comments.map(({ comment }) => comment),
      left.slice(0, Math.floor(limits.listComments / listed.length)).map(({ text }) => shown(text)),
    );
    for (const comment of channel.comments) {
      const { reply, thanks, images } = content.comments[comment.number - 1] ?? {};
      assert.equal(comment.replyTo, reply ?? null);
      assert.equal(comment.thanks.count, thanks?.length);
      assert.deepEqual(
        comment.images.map(({ alt }) => alt),
        images?.map(({ alt }) => alt),
      );
    }
  }
});

test('one edit is marked and one is not, and names in texts are mentions', () => {
  const comments = listed.flatMap((channel) => channel.comments);
  const edited = comments.filter(({ revision }) => revision > 1);
  assert.ok(edited.some(({ editedAt }) => editedAt !== null));
  assert.ok(edited.some(({ editedAt }) => editedAt === null));
  const [mention] = comments.flatMap(({ comment, mentions }) =>
    mentions.map(({ start, length, name }) => [comment.slice(start, start + length), `@${name}`]),
  );
  assert.ok(mention);
  assert.equal(mention[0], mention[1]);
});

test('the first person has unread comments, seen and new notifications, two followed channels and a deleted comment in the trash', async () => {
  const client = new DemoClient(demo.url);
  const [person] = demo.people;
  assert.ok(person);
  const { token } = await client.signIn(person.email, person.password);
  const { reads } = await client.news(token, [...demo.channels.values()]);
  for (const { slug, unread, comments } of readDemoChannels()) {
    const read = reads[demo.channels.get(slug) ?? ''];
    assert.equal(read?.unread, comments.length > 0 ? unread : undefined, slug);
  }
  const trash = (await client.trash(token)).data;
  assert.deepEqual([trash.length, trash[0]?.channelName], [1, 'Cine de barrio']);
  const { data, channels } = await client.notifications(token);
  assert.deepEqual(new Set(data.map(({ isNew }) => isNew)), new Set([true, false]));
  assert.deepEqual(new Set(data.map(({ kind }) => kind)), new Set(['reply', 'thanks']));
  assert.equal(channels.length, 2);
  assert.ok(channels.some(({ unread }) => unread > 0));
});

test('the moderator of the demo has a queue of reports and an appeal', async () => {
  const client = new DemoClient(demo.url);
  const { token } = await client.signIn(demo.moderator.email, demo.moderator.password);
  const { data } = await client.queue(token);
  assert.equal(data.length, 5);
  assert.equal(data.filter(({ appeal }) => appeal !== null).length, 1);
  assert.ok(data.some(({ reports }) => reports.count === 2));
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
  const beganMs = Date.now();
  const { createdAt } = await client.comment(token, {
    id: listed[0]?._id ?? '',
    comment: 'Hola.',
  });
  assert.ok(Date.parse(createdAt) >= beganMs && Date.parse(createdAt) <= Date.now());
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
  assert.ok(!existsSync(unusedDir));
  await demo.stop();
  assert.ok(!existsSync(demo.dataDir));
  await demo.stop();
});
