import type { Channel } from '../../src/shared/channels.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import { apiRoutes, pageRoutes } from '../../src/shared/routes.ts';
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

async function commentWithBadInput(community: Community): Promise<void> {
  const { transcript } = community;
  const id = community.channel()?.id ?? 'nada';
  const body = community.pick<unknown>([
    { id, comment: community.pick(texts.badTexts) },
    { id: community.pick(texts.madeUp), comment: 'Hola' },
    { id, comment: 'Hola', autorId: community.pick(texts.madeUp) },
    { id },
  ]);
  await transcript.call('PUT', apiRoutes.comment, { ...community.token(), body });
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

/** Opens the live stream of a channel after a comment, and reads the missed comments from it. */
async function readLive(community: Community): Promise<void> {
  const channel = community.channel();
  if (!channel) return;
  const seen = community.between(0, channel.comments);
  const after = commentId(channel.id, seen);
  const reader = await LiveReader.open(community.transcript.forum, channel.id, after);
  for (let number = seen; number < channel.comments; number++) {
    community.transcript.note(JSON.stringify(await reader.next(), null, 1));
  }
  reader.close();
}

export const forumSteps: Step[] = [
  { name: 'create a channel', times: 24, take: createChannel },
  { name: 'create a channel with bad input', times: 6, take: createWithBadInput },
  { name: 'comment', times: 50, take: comment },
  { name: 'comment with bad input', times: 8, take: commentWithBadInput },
  { name: 'read with bad input', times: 30, take: readWithBadInput },
  { name: 'catch up on missed comments by the live stream', times: 4, take: readLive },
  {
    name: 'page through the channels',
    times: 4,
    take: (community) =>
      readPages(
        community,
        `${apiRoutes.channels}?limit=${community.between(1, 6)}&comments=${community.between(0, 3)}`,
      ),
  },
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
