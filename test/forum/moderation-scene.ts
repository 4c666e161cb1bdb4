import { buildIndex } from '../../src/server/search-index/build-index.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import type { PendingPost } from '../../src/shared/pending.ts';
import { assetRoutes } from '../../src/shared/routes.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { reviewFirstPosts } from './change-settings.ts';
import type { Forum, Person } from './forum.ts';
import { staff } from './moderators.ts';

/** Texts that occur nowhere else, so that each is found at every place that shows it. */
export const marks = {
  comment: 'quetzalcomenta',
  deleted: 'quetzalborrado',
  channel: 'Quetzalcanal',
  about: 'quetzaldescribe',
  /** In the author's channel, by somebody else. */
  answer: 'quetzalresponde',
  name: 'Quetzalina Vizcacha',
  waiting: 'quetzalespera',
  plan: 'Quetzalproyecto',
  newName: 'Quetzalia Nutria',
};
type Image = 'picture' | 'cover' | 'avatar' | 'loose' | 'waitingPicture' | 'planCover';

/** What a decision can hide: each text of `marks`, and images. */
export type Thing = keyof typeof marks | Image;

export type Viewer = 'guest' | 'member' | 'author' | 'newcomer' | 'moderator' | 'admin';

export interface Scene {
  forum: Forum;
  /** The people who read, and `bea`, who wrote the answer. */
  people: Record<Exclude<Viewer, 'guest'> | 'bea', Person>;
  /** A channel of the member. */
  shared: Channel;
  /** The author's channel. */
  own: Channel;
  pending: { waiting: PendingPost; plan: PendingPost };
  images: Record<Image, string>;
}

/**
 * Fills a forum in which first posts are reviewed: the author has published all that a decision can hide, at every
 * place where others meet it, and the newcomer has a comment and a channel that wait for approval.
 */
export async function buildScene(forum: Forum): Promise<Scene> {
  const [member, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const [author, newcomer] = [await forum.person(marks.name), await forum.person(marks.newName)];
  const [moderator, admin] = [await staff(forum), await staff(forum, 'admin', 'Ada')];
  let width = 60;
  const upload = async (owner: Person, use: string) => {
    const png = await quarters(width++, 40).png().toBuffer();
    const stored = await forum.upload(owner, png, { filename: `${use}-${width}.png`, use });
    return assetRoutes.file(((await stored.json()) as StoredFile).fullPath);
  };
  const images = {
    picture: await upload(author, 'comment'),
    cover: await upload(author, 'cover'),
    avatar: await upload(author, 'avatar'),
    loose: await upload(author, 'comment'),
    waitingPicture: await upload(newcomer, 'comment'),
    planCover: await upload(newcomer, 'cover'),
  };
  const { token, id } = author;
  await forum.json('PUT', apiRoutes.updateImage, { token, body: { id, img: images.avatar } });
  const shared = await forum.channel(member, 'Plaza');
  const own = await forum.json<Channel>('POST', apiRoutes.channels, {
    token,
    body: { name: marks.channel, description: marks.about, cover: images.cover },
  });
  const { _id } = shared;
  await forum.comment(member, _id, 'Buenos días');
  await forum.comment(author, _id, `${marks.comment} a todas`, {
    replyTo: 1,
    images: [{ url: images.picture, alt: '' }],
  });
  await forum.comment(member, _id, 'Gracias', { replyTo: 2 });
  for (const { name, id: accountId } of [author, newcomer])
    await forum.comment(bea, _id, `Hola, @${name}`, {
      mentions: [{ start: 6, length: 1 + name.length, accountId }],
    });
  await forum.comment(author, _id, marks.deleted);
  await forum.json('DELETE', apiRoutes.channelComment(_id, 6), { token });
  await forum.comment(bea, own._id, `${marks.answer}, @Ana`, {
    mentions: [{ start: marks.answer.length + 2, length: 4, accountId: member.id }],
  });
  await forum.json('PUT', apiRoutes.level(own._id), { ...member, body: { level: 'all' } });
  await forum.json('PUT', apiRoutes.thanks(_id, 1), { token });
  await forum.json('PUT', apiRoutes.thanks(_id, 2), bea);
  await forum.json('PUT', apiRoutes.thanks(_id, 4), newcomer);
  const reads = [_id, own._id].map((channelId) => ({ channelId, number: 1 }));
  await forum.json('PUT', apiRoutes.reads, { token: member.token, body: reads });

  await reviewFirstPosts(forum);
  const sent = { token: newcomer.token };
  const waiting = await forum.json<PendingPost>('PUT', apiRoutes.comment, {
    ...sent,
    body: {
      id: _id,
      comment: marks.waiting,
      replyTo: 1,
      images: [{ url: images.waitingPicture, alt: '' }],
    },
  });
  const plan = await forum.json<PendingPost>('POST', apiRoutes.channels, {
    ...sent,
    body: { name: marks.plan, description: 'Tomates', cover: images.planCover },
  });
  await buildIndex(forum.services, new AbortController().signal);
  return {
    forum,
    shared,
    own,
    pending: { waiting, plan },
    people: { member, bea, author, newcomer, moderator, admin },
    images,
  };
}
