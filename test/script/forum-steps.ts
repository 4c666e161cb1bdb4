import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import { liveEvents } from '../../src/shared/live.ts';
import { pageRoutes, withQuery } from '../../src/shared/routes.ts';
import { LiveReader } from '../forum/live-reader.ts';
import type { Step } from './account-steps.ts';
import type { Community } from './community.ts';
import * as texts from './hard-texts.ts';

async function createChannel(community: Community): Promise<void> {
  const { transcript, images } = community;
  const { status, json } = await transcript.call('POST', apiRoutes.channels, {
    ...community.token(),
    body: {
      name: community.pick(texts.channelNames),
      description: community.pick(texts.longTexts),
      cover: community.pick([...texts.covers, ...images]),
      coverAlt: community.pick([undefined, '', 'Una plaza de noche', ' \u200b ']),
    },
  });
  if (status === 201) community.addChannel(json as Channel);
}

async function createWithBadInput(community: Community): Promise<void> {
  const { transcript, members } = community;
  const one = { name: 'A', description: 'B', cover: '/default-avatar.svg' };
  const body = community.pick<unknown>([
    { ...one, name: community.pick([...texts.badTexts, 'ñ'.repeat(121)]) },
    { ...one, description: community.pick(texts.badTexts) },
    { ...one, cover: community.pick(texts.badCovers) },
    { ...one, coverAlt: 'a\u0000' },
    { ...one, autorId: members[0]?.user.id ?? '' },
    [],
  ]);
  await transcript.call('POST', apiRoutes.channels, { ...community.token(), body });
}

async function comment(community: Community): Promise<void> {
  const channel = community.channel();
  const comment = community.pick(texts.longTexts);
  const { status } = await community.transcript.call('PUT', apiRoutes.comment, {
    ...community.token(),
    body: { id: channel?.id ?? 'nada', comment },
  });
  if (status === 200 && channel) channel.comments++;
}

/** Posts a reply with mentions and images, both valid and invalid. */
async function commentWithMore(community: Community): Promise<void> {
  const { transcript, members, images } = community;
  const channel = community.channel();
  if (!channel) return;
  const name = '@🦖 Dino';
  const text = community.pick(texts.longTexts);
  const accountId = community.chance(0.9)
    ? community.pick(members).user.id
    : community.pick(texts.madeUp);
  const body = {
    id: channel.id,
    comment: `${name}, ${text}`,
    replyTo: community.pick([null, community.between(1, Math.max(1, channel.comments)), 9_999]),
    replyExcerpt: community.pick(['', name, 7]),
    mentions: community.pick<unknown>([
      [],
      [{ start: 0, length: name.length, accountId }],
      [{ start: 0, length: name.length, accountId }],
      [{ start: community.between(-1, 9), length: community.between(0, 9), accountId }],
    ]),
    images: community.pick<unknown>([
      [],
      [],
      [{ url: community.pick(['/files/images/nada.png', ...images]), alt: 'Una plaza' }],
    ]),
  };
  const { status } = await transcript.call('PUT', apiRoutes.comment, {
    ...community.token(),
    body,
  });
  if (status === 200) channel.comments++;
}

async function commentWithBadInput(community: Community): Promise<void> {
  const { transcript } = community;
  const id = community.channel()?.id ?? 'nada';
  const body = community.pick<unknown>([
    { id, comment: community.pick(texts.badTexts) },
    { id: community.pick(texts.madeUp), comment: 'Hola' },
    { id, comment: 'Hola', autorId: community.pick(texts.madeUp) },
    { id },
    { id, comment: 'Hola', replyTo: community.pick([0, -1, 1.5, '1', 2 ** 31]) },
    { id, comment: 'Hola', replyTo: 9_999, replyExcerpt: community.pick(texts.badTexts) },
    { id, comment: 'Hola', mentions: community.pick<unknown>([null, {}, [{}], [null], 'x']) },
    { id, comment: 'Hola', images: [{ url: community.pick(texts.badCovers), alt: '' }] },
    { id, comment: 'Hola', images: [{ url: '/files/images/a.jpg', alt: 'a\u0000' }] },
  ]);
  await transcript.call('PUT', apiRoutes.comment, { ...community.token(), body });
}

/** Reads pages around, before and after comments of a channel, and the replies and thanks of one of them. */
async function readAround(community: Community): Promise<void> {
  const { id, comments } = community.channel() ?? { id: 'nada', comments: 0 };
  const number = community.between(0, comments + 2);
  const url = withQuery(apiRoutes.channelComments(id), {
    limit: community.pick([1, 5, 12, 20, 50]),
    ...community.pick<Record<string, string | number>>([
      { around: number },
      { before: commentId(id, number) },
      { before: commentId(id, 0x7fffffff) },
      { before: commentId(id, number), around: number },
    ]),
  });
  await community.transcript.call('GET', url);
  const replies = withQuery(apiRoutes.replies(id, number), {
    limit: community.between(1, 3),
    after: community.pick([null, commentId(id, number), 'x']),
  });
  await community.transcript.call('GET', replies);
  await community.transcript.call('GET', apiRoutes.thanks(id, number));
}

/** Reads a list page by page, up to its end or 40 pages. */
async function readPages({ transcript }: Community, url: string): Promise<void> {
  let next: string | null = null;
  for (let page = 0; page < 40; page++) {
    const after: string = next === null ? '' : `&after=${encodeURIComponent(next)}`;
    const { json } = await transcript.call('GET', url + after);
    next = (json as { next?: string | null }).next ?? null;
    if (next === null) return;
  }
}

const commentsOf = (community: Community) =>
  apiRoutes.channelComments(community.channel()?.id ?? 'nada');

/** Sets reading positions of channels, to valid and invalid numbers. */
async function readOn(community: Community): Promise<void> {
  const { transcript } = community;
  const position = () => ({
    channelId: community.channel()?.id ?? community.pick(texts.madeUp),
    number: community.pick<unknown>([0, 1, 2, 5, 1e300, -1, 1.5, '1']),
  });
  const body = community.pick<unknown>([position(), [position(), position(), position()], [], {}]);
  await transcript.call('PUT', apiRoutes.reads, { ...community.token(), body });
}

/** Sets which comments of a channel count as news. */
async function chooseLevel(community: Community): Promise<void> {
  const channel = community.channel()?.id ?? community.pick(texts.madeUp);
  const level = community.pick<unknown>(['all', 'mine', 'none', 'todo']);
  const options = { ...community.token(), body: { level } };
  await community.transcript.call('PUT', apiRoutes.level(channel), options);
}

async function askForNews(community: Community): Promise<void> {
  const ids = [...community.channels.map(({ id }) => id).slice(0, 20), 'nada'];
  const url = `${apiRoutes.news}?channels=${ids}`;
  await community.transcript.call('GET', url, community.token());
}

async function findPeople(community: Community): Promise<void> {
  const channel = encodeURIComponent(community.channel()?.id ?? community.pick(texts.madeUp));
  const name = community.pick(texts.userNames);
  const prefix = encodeURIComponent(
    community.pick([
      '',
      [...name].slice(0, 2).join(''),
      name.normalize('NFD').toUpperCase(),
      community.pick(texts.badTexts).toWellFormed(),
    ]),
  );
  const url = `${apiRoutes.users}?channel=${channel}&prefix=${prefix}`;
  await community.transcript.call('GET', url, community.token());
}

async function readPeople(community: Community): Promise<void> {
  const id = community.member()?.user.id ?? 'nada';
  const made = encodeURIComponent(community.pick([...texts.madeUp, ...texts.madeUpCursors]));
  const { transcript } = community;
  await transcript.call('GET', apiRoutes.user(community.pick([id, id, 'nada'])));
  await transcript.call('GET', pageRoutes.user(id));
  await readPages(community, `${apiRoutes.userComments(id)}?limit=${community.between(1, 9)}`);
  await readPages(community, `${apiRoutes.userChannels(id)}?limit=${community.between(1, 4)}`);
  await transcript.call('GET', `${apiRoutes.userComments(id)}?after=${made}`);
  await transcript.call('GET', `${pageRoutes.user(id)}?after=${made}`);
}

async function readWithBadInput(community: Community): Promise<void> {
  const { transcript, channels } = community;
  const made = encodeURIComponent(community.pick(texts.madeUp));
  const cursor = encodeURIComponent(community.pick(texts.madeUpCursors));
  const id = channels[0]?.id ?? 'nada';
  const number = community.pick([
    '0',
    '1',
    '007',
    '2147483647',
    '2147483648',
    '999999999999999',
    '-1',
  ]);
  const url = community.pick([
    `/api/channels/${made}`,
    `/api/channels/${made}/comments`,
    `/api/channels/${made}/live`,
    `/channel/${made}`,
    `/api/files/images/${made}`,
    `/files/images/${made}`,
    `/api/uploads/${made}`,
    `/api/channels?comments=1&limit=3&after=${cursor}`,
    `/api/channels?comments=1&limit=3&after=${cursor}`,
    `/?after=${cursor}`,
    `/api/channels/${id}/comments?after=${made}`,
    `/api/channels/${id}/comments?after=${id}-${number}`,
    `/channel/${id}?after=${id}-${number}`,
    '/api/channels?limit=0',
    '/api/channels?comments=x',
    `/${made}`,
  ]);
  await transcript.call(community.pick(['GET', 'GET', 'GET', 'HEAD']), url);
}

/** Edits, deletes, restores and thanks for a comment, with valid and invalid revisions and numbers. */
async function changeComment(community: Community): Promise<void> {
  const { transcript } = community;
  const { id, comments } = community.channel() ?? { id: 'nada', comments: 0 };
  const number = community.pick([0, 1, 'x', comments, comments + 1, 2_147_483_648]);
  const url = apiRoutes.channelComment(id, community.chance(0.7) ? 1 : number);
  const token = community.token();
  await transcript.call('PATCH', url, {
    ...token,
    headers: { 'if-match': community.pick(['"1"', '"2"', 'W/"1"', '*', '"3", "1"', '1']) },
    body: { comment: community.pick([...texts.longTexts, ...texts.badTexts]) },
  });
  const calls = [
    ['DELETE', url],
    ['POST', `${url}/restore`],
    ['PUT', `${url}/thanks`],
    ['DELETE', `${url}/thanks`],
    ['GET', `${apiRoutes.mine(id)}?from=1&to=${community.between(0, 9)}`],
    ['GET', apiRoutes.trash],
  ] as const;
  for (const [method, path] of calls) {
    if (community.chance(0.5)) await transcript.call(method, path, token);
  }
  // Restore it, because later steps read the comments up to their number.
  await transcript.call('POST', `${url}/restore`, token);
}

async function changeChannel(community: Community): Promise<void> {
  const { transcript } = community;
  const { id } = community.channel() ?? { id: 'nada' };
  const token = community.token();
  await transcript.call('PATCH', apiRoutes.channel(id), {
    ...token,
    headers: { 'if-match': community.pick(['"1"', '"2"', '"1", "2"', '*', '']) },
    body: community.pick<unknown>([
      { name: community.pick(texts.channelNames) },
      { description: community.pick(texts.longTexts), coverAlt: '' },
      { cover: community.pick([...texts.covers, ...texts.badCovers]) },
      {},
      [],
    ]),
  });
  for (const [method, url] of [
    ['POST', apiRoutes.closeChannel(id)],
    ['POST', apiRoutes.reopenChannel(id)],
    ['DELETE', apiRoutes.channel(id)],
    ['POST', apiRoutes.restoreChannel(id)],
  ] as const) {
    await transcript.call(method, url, token);
  }
}

/** Opens the live stream of a channel after a comment and reads the missed comments, unless there are too many. */
async function readLive(community: Community): Promise<void> {
  const channel = community.channel();
  if (!channel) return;
  const { forum } = community.transcript;
  const seen = community.between(0, channel.comments);
  const last = (await forum.allComments(channel.id)).at(-1)?.number ?? 0;
  const reader = await LiveReader.open(forum, channel.id, seen);
  for (let isRead = last <= seen; !isRead; ) {
    const event = await reader.next();
    isRead = reader.openedAt !== String(seen) || event.id === String(last);
    // A `changed` event of an earlier step may come late, or twice.
    if (event.event === liveEvents.comment)
      community.transcript.note(JSON.stringify(event, null, 1));
  }
  reader.close();
}

export const forumSteps: Step[] = [
  { name: 'create a channel', times: 24, take: createChannel },
  { name: 'create a channel with bad input', times: 6, take: createWithBadInput },
  { name: 'comment', times: 50, take: comment },
  { name: 'reply, mention and show images', times: 30, take: commentWithMore },
  { name: 'comment with bad input', times: 14, take: commentWithBadInput },
  { name: 'read around comments', times: 12, take: readAround },
  { name: 'change a comment', times: 12, take: changeComment },
  { name: 'change a channel', times: 6, take: changeChannel },
  { name: 'read with bad input', times: 30, take: readWithBadInput },
  { name: 'catch up on missed comments by the live stream', times: 4, take: readLive },
  {
    name: 'page through the channels',
    times: 4,
    take: (community) =>
      readPages(
        community,
        `${apiRoutes.channels}?limit=${community.between(1, 6)}&comments=${community.between(0, 3)}` +
          `&sort=${community.pick(['comments', 'activity', 'new'])}`,
      ),
  },
  { name: 'say how far channels are read', times: 12, take: readOn },
  { name: 'choose which comments are news', times: 8, take: chooseLevel },
  { name: 'ask for news', times: 8, take: askForNews },
  { name: 'find people to mention', times: 12, take: findPeople },
  { name: 'read about people', times: 5, take: readPeople },
  {
    name: 'page through comments',
    times: 4,
    take: (community) =>
      readPages(community, `${commentsOf(community)}?limit=${community.between(1, 9)}`),
  },
  {
    name: 'list the channels',
    times: 3,
    take: async ({ transcript }) => {
      await transcript.call('GET', apiRoutes.channels);
    },
  },
  {
    name: 'open a channel',
    times: 8,
    take: async (community) => {
      const comments = community.pick(['', '?comments=0', '?comments=2']);
      const id = community.channel()?.id ?? 'nada';
      await community.transcript.call('GET', apiRoutes.channel(id) + comments);
    },
  },
  {
    name: 'load pages',
    times: 6,
    take: async (community) => {
      const { id, comments } = community.channel() ?? { id: 'nada', comments: 0 };
      const seen = commentId(id, community.between(0, comments));
      for (const url of [
        pageRoutes.home,
        pageRoutes.channel(id),
        `${pageRoutes.channel(id)}?after=${seen}`,
        `${pageRoutes.home}?after=${community.between(0, 3)}_${id}`,
      ]) {
        await community.transcript.call('GET', url);
      }
    },
  },
  {
    name: 'check readiness',
    times: 1,
    take: async ({ transcript }) => {
      await transcript.call('GET', '/readyz');
    },
  },
];
