import type { User } from '../../src/shared/accounts.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { assetRoutes } from '../../src/shared/routes.ts';
import { readDemoChannels } from './content.ts';
import type { DemoClient } from './demo-client.ts';
import type { DemoImages } from './images.ts';
import { demoPeople } from './people.ts';
import { commentTimes } from './rhythm.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Before the first channel opens. */
const joinedDaysAgo = 21.5;
const password = 'una-tarde-de-tertulia';

export interface DemoAccount extends User {
  password: string;
}

interface Member extends DemoAccount {
  token: string;
}

/**
 * Fills an empty forum through its API.
 * @param setClock sets the server's time before each call, because rows carry it
 */
export async function fillForum(
  client: DemoClient,
  images: DemoImages,
  setClock: (timeMs: number) => void,
): Promise<{ people: DemoAccount[]; channels: Channel[] }> {
  const startMs = Date.now();
  const contents = readDemoChannels();

  setClock(startMs - joinedDaysAgo * dayMs);
  const members = new Map<string, Member>();
  const memberOf = (key: string) => {
    const member = members.get(key);
    if (!member) throw new Error(`"${key}" has not joined`);
    return member;
  };
  await Promise.all(
    demoPeople.map(async (person) => members.set(person.key, await join(client, person, images))),
  );
  const covers = new Map(
    await Promise.all(
      contents.map(async ({ slug, author }) => {
        const cover = images.covers.get(slug);
        if (!cover) throw new Error(`no cover was drawn for "${slug}"`);
        const stored = await client.upload(memberOf(author).token, 'cover', cover);
        return [slug, stored.downloadURL] as const;
      }),
    ),
  );

  const channels: Channel[] = [];
  const calls: { timeMs: number; send: () => Promise<unknown> }[] = [];
  for (const content of contents) {
    const openedMs = startMs - content.openedDaysAgo * dayMs;
    let channelId = '';
    calls.push({
      timeMs: openedMs,
      send: async () => {
        const { name, description, slug, author } = content;
        const body = { name, description, cover: covers.get(slug) ?? '' };
        const channel = await client.createChannel(memberOf(author).token, body);
        channelId = channel._id;
        channels.push(channel);
      },
    });
    const times = commentTimes(content.slug, content.comments.length, {
      openedMs,
      latestMs: startMs - content.latestHoursAgo * hourMs,
    });
    for (const [index, { author, text }] of content.comments.entries()) {
      calls.push({
        timeMs: times[index] ?? startMs,
        send: () => client.comment(memberOf(author).token, channelId, text),
      });
    }
  }
  // One after the other, because comments are numbered in the order in which they arrive.
  for (const { timeMs, send } of calls.sort((a, b) => a.timeMs - b.timeMs)) {
    setClock(timeMs);
    await send();
  }

  const people = demoPeople.map(({ key }) => {
    const { token, ...account } = memberOf(key);
    return account;
  });
  return { people, channels };
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
