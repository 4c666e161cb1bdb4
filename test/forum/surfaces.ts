import assert from 'node:assert/strict';
import { feedPaths } from '../../src/server/pages/syndication/head-links.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import { assetRoutes, pageRoutes, searchUrl, withQuery } from '../../src/shared/routes.ts';
import type { CallOptions } from './forum-client.ts';
import { LiveReader } from './live-reader.ts';
import { marks, type Scene, type Thing, type Viewer } from './moderation-scene.ts';
import { readZip } from './read-zip.ts';

export const allViewers: Viewer[] = [
  ...(['guest', 'member', 'author', 'newcomer', 'moderator', 'admin'] as const),
];

/** Names of the surfaces that depend on the account that reads. */
export const personalNames = [
  ...['me', 'news', 'mentions', 'trash', 'pending', 'queue', 'versions', 'members', 'export'],
];

/** For each thing, the viewers who see it, each with the names of the surfaces that show it. */
export type Seen = Partial<Record<Thing, Partial<Record<Viewer, string>>>>;

/** Reads every surface as each of these viewers. */
export async function readSurfaces(scene: Scene, viewers = allViewers): Promise<Seen> {
  const seen: Seen = {};
  const opens = openerOf(scene);
  const all = await Promise.all(viewers.map((viewer) => readAs(scene, viewer, opens)));
  for (const [index, viewer] of viewers.entries())
    for (const [thing, names] of all[index] ?? [])
      seen[thing] = { ...seen[thing], [viewer]: [...names].sort().join(' ') };
  return seen;
}

/** Requests an address. A failure of the server must not count as a page that shows nothing. */
async function get({ forum }: Scene, url: string, options?: CallOptions): Promise<Response> {
  const response = await forum.call('GET', url, options);
  assert.ok(response.status < 500, `${url}: ${response.status}`);
  return response;
}

/** Says whether an address opens, which is asked only once for each. */
function openerOf(scene: Scene) {
  const asked = new Map<string, Promise<boolean>>();
  return (address: string): Promise<boolean> => {
    const known = asked.get(address) ?? get(scene, address).then(({ ok }) => ok);
    asked.set(address, known);
    return known;
  };
}
type Opens = ReturnType<typeof openerOf>;

/** The surfaces that show each thing to a viewer. */
async function readAs(
  scene: Scene,
  viewer: Viewer,
  opens: Opens,
): Promise<Map<Thing, Set<string>>> {
  const shown = new Map<Thing, Set<string>>();
  const add = (thing: Thing, surface: string) =>
    shown.set(thing, (shown.get(thing) ?? new Set()).add(surface));
  const surfaces = {
    // The admin reads as a second moderator.
    ...(viewer === 'admin' ? {} : publicSurfaces(scene)),
    ...(viewer === 'guest' ? pages(scene) : personal(scene)),
  };
  for (const [surface, urls] of Object.entries(surfaces)) {
    const texts = await Promise.all(urls.map((url) => read(scene, viewer, url)));
    await find(scene, texts.join('\n'), surface, add, opens);
  }
  if (viewer === 'guest') {
    for (const text of await readLive(scene)) await find(scene, text, 'live', add, opens);
    for (const [thing, url] of Object.entries(scene.images)) {
      const paths = [
        url,
        assetRoutes.variant(url, '500.webp'),
        apiRoutes.storedFile(decodeURIComponent(url.replace('/files/', ''))),
      ];
      for (const path of paths) if (await opens(path)) add(thing as Thing, 'address');
    }
  } else {
    const { token } = scene.people[viewer];
    const answer = await get(scene, apiRoutes.export, { token });
    if (answer.status === 200)
      for (const [, file] of readZip(Buffer.from(await answer.arrayBuffer())))
        await find(scene, String(file), 'export', add, opens);
  }
  return shown;
}

/** Adds the things that a text shows. An image whose address does not open is added as `surface!`. */
async function find(
  { images }: Scene,
  text: string,
  surface: string,
  add: (thing: Thing, surface: string) => void,
  opens: Opens,
): Promise<void> {
  const lower = text.toLowerCase();
  for (const [thing, mark] of Object.entries(marks))
    if (lower.includes(mark.toLowerCase())) add(thing as Thing, surface);
  for (const [thing, url] of Object.entries(images)) {
    const start = text.indexOf(url);
    if (start < 0) continue;
    if (surface === 'export') {
      add(thing as Thing, surface);
      continue;
    }
    const address = /[^"\\ ,]+/.exec(text.slice(start))?.[0].replaceAll('&amp;', '&') ?? '';
    add(thing as Thing, (await opens(address)) ? surface : `${surface}!`);
  }
}

/** The text of a response, without the words that a page of search repeats and the marks of its hits. */
async function read(scene: Scene, viewer: Viewer, url: string): Promise<string> {
  const { forum, people } = scene;
  const response = await get(scene, url, viewer === 'guest' ? {} : people[viewer]);
  const text = await response.text();
  if (!url.startsWith(pageRoutes.search)) return text;
  const q = new URL(url, forum.url).searchParams.get('q') ?? '';
  return text
    .replaceAll(q, '')
    .replaceAll(encodeURIComponent(q), '')
    .replace(/<(?:\/?mark[^>]*|!-- --)>/g, '');
}

/** The comments that live streams send to a reader who has none. */
async function readLive(scene: Scene): Promise<string[]> {
  const { forum, shared, own } = scene;
  const sent: string[] = [];
  for (const { _id } of [shared, own]) {
    if (!(await get(scene, apiRoutes.channel(_id))).ok) continue;
    const { length } = await forum.allComments(_id);
    const reader = await LiveReader.open(forum, _id, 0);
    for (let count = 0; count < length; count++)
      sent.push(JSON.stringify(await reader.nextComment()));
    reader.close();
  }
  return sent;
}

type Surfaces = Record<string, string[]>;

/** Addresses that everybody may read. */
function publicSurfaces({
  shared,
  own,
  people: { member, bea, author, newcomer },
}: Scene): Surfaces {
  const channels = [shared._id, own._id];
  const persons = [member, bea, author, newcomer].map(({ id }) => id);
  return {
    list: ['comments', 'activity', 'new'].map((sort) => withQuery(apiRoutes.channels, { sort })),
    channel: channels.flatMap((id) => [
      apiRoutes.channel(id),
      `${apiRoutes.channel(id)}?comments=0`,
    ]),
    comments: channels.flatMap((id) => [
      ...[apiRoutes.channelComments(id), `${apiRoutes.channelComments(id)}?around=2`],
      `${apiRoutes.channelComments(id)}?before=${commentId(id, 9)}`,
    ]),
    replies: channels.flatMap((id) => [1, 2].map((number) => apiRoutes.replies(id, number))),
    thanks: [1, 4].map((number) => apiRoutes.thanks(shared._id, number)),
    profile: persons.flatMap((id) => [
      ...[apiRoutes.user(id), apiRoutes.userChannels(id), apiRoutes.userComments(id)],
    ]),
    search: [{ q: 'quetz', typing: 1 }, { q: marks.name }].map((query) =>
      withQuery(apiRoutes.search, query),
    ),
  };
}

/** Pages, which are the same for everybody, and other ways to search. */
function pages({ shared, own, people: { member, author, newcomer } }: Scene): Surfaces {
  const words = Object.values(marks);
  const misspelt = [marks.comment, marks.channel, marks.waiting].map((mark) =>
    mark.toLowerCase().replace('quetzal', 'quetzl'),
  );
  return {
    searches: [
      ...[...words, ...misspelt].map((q) => ({ q })),
      ...[marks.comment, marks.about].map((q) => ({ q, sort: 'relevance', exact: 1 })),
      ...['quetzalc', 'vizc', 'nutr'].map((q) => ({ q, typing: 1 })),
      { q: `"${marks.comment} a todas"`, author: author.id },
      { q: marks.comment, channel: shared._id },
    ].map((query) => withQuery(apiRoutes.search, query)),
    home: [
      ...['', '?sort=activity', '?sort=new'].map((sort) => pageRoutes.home + sort),
      feedPaths.channels,
    ],
    page: [shared, own].flatMap(({ _id }) => [
      ...[pageRoutes.channel(_id), `${pageRoutes.channel(_id)}?n=2`],
      feedPaths.channel(_id),
    ]),
    person: [member, author, newcomer].map(({ id }) => pageRoutes.user(id)),
    // In capitals, so that the words that the page repeats differ from those that it finds.
    found: words.map((mark) => searchUrl({ q: mark.toUpperCase() })),
    public: [apiRoutes.log, apiRoutes.rules, pageRoutes.log, pageRoutes.rules],
  };
}

/** Addresses for accounts, some of them for moderators only. */
function personal({ shared, own }: Scene): Surfaces {
  const channels = [shared._id, own._id];
  return {
    me: [apiRoutes.me],
    news: [withQuery(apiRoutes.news, { channels: channels.join() }), apiRoutes.notifications],
    mentions: ['quetzal', 'vizcacha', null].flatMap((prefix) =>
      channels.map((channel) => withQuery(apiRoutes.users, { channel, prefix })),
    ),
    trash: [apiRoutes.trash],
    pending: [apiRoutes.pendingPosts],
    queue: ['open', 'pending', 'decided'].map((state) => withQuery(apiRoutes.queue, { state })),
    versions: [1, 2, 6].map((number) => apiRoutes.versions(shared._id, number)),
    members: [apiRoutes.members, withQuery(apiRoutes.members, { unapproved: 1 })],
  };
}
