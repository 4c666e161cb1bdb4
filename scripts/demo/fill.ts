import type { User } from '../../src/shared/accounts.ts';
import type { ReadingPosition } from '../../src/shared/people.ts';
import { assetRoutes } from '../../src/shared/routes.ts';
import { channelCalls, type DemoContext } from './channel-calls.ts';
import { type DemoChannel, readDemoChannels } from './content.ts';
import type { DemoClient } from './demo-client.ts';
import type { DemoImages } from './images.ts';
import { demoPeople } from './people.ts';
import { fillQueue, moderatorKey } from './queue.ts';

const dayMs = 86_400_000;
/** Age in days of the accounts, which sign up before the first channel opens. */
const joinedDaysAgo = 21.5;
/** Channels that the first person follows. */
const followedSlugs = ['lo-bueno-de-hoy', 'trenes-lentos'];
const password = 'una-tarde-de-tertulia';

export interface DemoAccount extends User {
  password: string;
}

interface Member extends DemoAccount {
  token: string;
}

/**
 * Fills an empty forum through its API.
 * @returns the accounts, and the ids of the channels by file name
 * @param setClock sets the server's time before each call, because rows contain it
 * @param makeAdmin gives an account the admin role
 */
export async function fillForum(
  client: DemoClient,
  images: DemoImages,
  setClock: (timeMs: number) => void,
  makeAdmin: (accountId: string) => Promise<void>,
): Promise<{ people: DemoAccount[]; moderator: DemoAccount; channels: Map<string, string> }> {
  const startMs = Date.now();
  const contents = readDemoChannels();

  setClock(startMs - joinedDaysAgo * dayMs);
  const members = new Map<string, Member>();
  const memberOf = (key: string) => {
    const member = members.get(key);
    if (!member) throw new Error(`"${key}" has not joined`);
    return member;
  };
  // Images are sent one at a time: on a slow machine, an upload that waits for many others would outlast its
  // connection.
  for (const person of demoPeople) members.set(person.key, await join(client, person, images));
  const covers = new Map<string, string>();
  for (const { slug, author } of contents) {
    const cover = images.covers.get(slug);
    if (!cover) throw new Error(`no cover was drawn for "${slug}"`);
    const stored = await client.upload(memberOf(author).token, 'cover', cover);
    covers.set(slug, stored.downloadURL);
  }

  const channels = new Map<string, string>();
  const context: DemoContext = {
    client,
    startMs,
    memberOf,
    coverOf: (slug) => covers.get(slug) ?? '',
    uploadPicture: async (token, name) => {
      const picture = images.pictures.get(name);
      if (!picture) throw new Error(`no picture "${name}"`);
      return (await client.upload(token, 'comment', picture)).downloadURL;
    },
  };
  const first = () => memberOf(demoPeople[0]?.key ?? '').token;
  const calls = contents.flatMap((content) => {
    const { slug } = content;
    const written = channelCalls(content, context, (id) => channels.set(slug, id));
    const [opening] = written;
    if (!opening || !followedSlugs.includes(slug)) return written;
    // Follows the channel as soon as it opens, so that later unread comments count as new.
    const follow = () => client.follow(first(), channels.get(slug) ?? '');
    return [...written, { timeMs: opening.timeMs + 1, send: follow }];
  });
  calls.push({ timeMs: startMs - dayMs, send: () => seeNotifications(client, first()) });
  // Sent one at a time, because comments are numbered in the order of arrival.
  for (const { timeMs, send } of calls.sort((a, b) => a.timeMs - b.timeMs)) {
    setClock(timeMs);
    await send();
  }
  setClock(startMs);
  await Promise.all(
    demoPeople.map(({ key }) =>
      client.setRead(memberOf(key).token, readingPositions(key, contents, channels)),
    ),
  );

  await makeAdmin(memberOf(moderatorKey).id);
  await fillQueue(client, contents, channels, (key) => memberOf(key).token);

  const people = demoPeople.map(({ key }) => {
    const { token, ...account } = memberOf(key);
    return account;
  });
  return { people, moderator: memberOf(moderatorKey), channels };
}

async function seeNotifications(client: DemoClient, token: string): Promise<void> {
  const { data } = await client.notifications(token);
  const newest = data.find(({ kind }) => kind !== 'decision');
  if (newest) await client.setSeen(token, newest.id);
}

/**
 * How far a person has read each channel: the first person has read all but the unread comments; others have read the
 * channels in which they wrote, up to their last comment.
 */
function readingPositions(
  key: string,
  contents: DemoChannel[],
  channels: Map<string, string>,
): ReadingPosition[] {
  const isFirst = key === demoPeople[0]?.key;
  return contents.flatMap(({ slug, comments, unread }) => {
    const number = isFirst
      ? comments.length - unread
      : 1 + comments.findLastIndex(({ author }) => author === key);
    return number > 0 ? [{ channelId: channels.get(slug) ?? '', number }] : [];
  });
}

async function join(
  client: DemoClient,
  { name, email, key }: (typeof demoPeople)[number],
  { faces }: DemoImages,
): Promise<Member> {
  await client.signUp({ name, email, password, img: assetRoutes.defaultAvatar });
  const { token, user } = await client.signIn(email, password);
  const face = faces.get(key);
  if (!face) return { ...user, password, token };
  const { downloadURL } = await client.upload(token, 'avatar', face);
  await client.updateImage(token, downloadURL);
  return { ...user, img: downloadURL, password, token };
}
