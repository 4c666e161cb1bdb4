import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes, withQuery } from '../../src/shared/routes.ts';
import { noisyImage } from '../forum/tus-upload.ts';
import { type Attack, countStatuses, get, openUnread, read, type Target } from './target.ts';

/** Two comments of maximum length: one with two bytes per character, and one that compresses badly. */
const longest = () => ['ñ'.repeat(10_000), randomBytes(7500).toString('base64')];
const heldMs = 10_000;

/** Inserts a hundred comments of maximum length into each channel. */
function fillWithComments({ databaseFile, person }: Target, channelIds: string[]): void {
  const db = new DatabaseSync(databaseFile, { timeout: 10_000 });
  const insert = db.prepare(
    'insert into comments (channel_id, number, account_id, text, created_at_ms) values (?, ?, ?, ?, ?)',
  );
  const count = db.prepare(
    'update channels set comment_count = 100, last_comment_number = 100 where id = ?',
  );
  for (const id of channelIds) {
    const texts = longest();
    db.exec('begin immediate');
    for (let number = 1; number <= 100; number++) {
      insert.run(id, number, person.id, texts[number % texts.length] ?? '', Date.now());
    }
    count.run(id);
    db.exec('commit');
  }
  db.close();
}

/** Opens a hundred channels, each with a hundred comments of maximum length. */
export async function fillLists(target: Target): Promise<void> {
  const ids: string[] = [];
  for (let i = 0; i < 100; i++) {
    ids.push((await target.client.channel(target.person, `Canal ${i}`))._id);
  }
  fillWithComments(target, ids);
}

/** @returns the shortest time of a long list that is requested alone, in milliseconds; other processes may delay some */
export async function timeOfList({ client }: Target): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 9; n++) {
    const startMs = performance.now();
    // A URL that no attack requests, since it is cached from now on.
    await read(client.call('GET', `${apiRoutes.channels}?limit=100&comments=${10 + n}`));
    times.push(performance.now() - startMs);
  }
  return Math.min(...times);
}

/** Reads the list of a hundred channels, each with a hundred comments of maximum length. */
export const wholeList: Attack = async ({ client }) => {
  const reads = [apiRoutes.channels, `${apiRoutes.channels}?limit=100`, pageRoutes.home];
  const outcomes = await Promise.all(reads.map((url) => read(client.call('GET', url))));
  const largest = Math.max(...outcomes.map(({ bytes }) => bytes));
  return `${countStatuses(outcomes, 200)}, ${Math.round(largest / 1_000_000)} MB at most`;
};

/** Requests lists of long comments, each with a different URL. */
export const listsAtOnce: Attack = async ({ client }) => {
  const urls = Array.from(
    { length: 60 },
    (_, n) => `${apiRoutes.channels}?limit=${100 - n}&comments=${100 - n}`,
  );
  return countStatuses(await Promise.all(urls.map((url) => read(client.call('GET', url)))), 200);
};

/** Searches for frequent words, in the API and on the page. */
export const searchesAtOnce: Attack = async ({ client }) => {
  const urls = Array.from({ length: 100 }, (_, n) =>
    withQuery(n % 2 ? apiRoutes.search : pageRoutes.search, { q: `canal ${n} el la`, limit: 100 }),
  );
  return countStatuses(await Promise.all(urls.map((url) => read(client.call('GET', url)))), 200);
};

/** Opens live streams that request all comments of a long channel, and reads nothing. */
export const unreadStreams: Attack = async (target) => {
  const channel = await target.client.channel(target.person);
  fillWithComments(target, [channel._id]);
  const url = `${apiRoutes.channelLive(channel._id)}?after=0`;
  return holdUnread(target, 600, get(url));
};

/** Sends pipelined requests for lists of long comments, and does not read the responses. */
export const unreadLists: Attack = async (target) => {
  const channel = await target.client.channel(target.person);
  fillWithComments(target, [channel._id]);
  return holdUnread(target, 50, get(apiRoutes.channelComments(channel._id)).repeat(20));
};

/** Requests a large image many times and does not read the responses. */
export const unreadImages: Attack = async (target) => {
  const response = await target.client.upload(target.person, await noisyImage(1500));
  assert.equal(response.status, 200);
  const { downloadURL } = (await response.json()) as { downloadURL: string };
  return holdUnread(target, 40, get(downloadURL).repeat(5));
};

async function holdUnread(target: Target, many: number, text: string): Promise<string> {
  const sockets = await Promise.all(Array.from({ length: many }, () => openUnread(target, text)));
  await delay(heldMs);
  for (const socket of sockets) socket.destroy();
  return `${many} connections`;
}
