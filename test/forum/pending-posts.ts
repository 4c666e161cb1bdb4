import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before } from 'node:test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import type { PendingList, PendingPost } from '../../src/shared/pending.ts';
import { assetRoutes } from '../../src/shared/routes.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { changeSettings, reviewFirstPosts } from './change-settings.ts';
import type { Forum, Person } from './forum.ts';

/** A channel of a forum that reviews first posts, and the calls that concern pending posts. */
export function pendingPosts(forum: () => Forum) {
  let host: Person;
  let channel: Channel;
  before(async () => {
    host = await forum().person('Ana');
    channel = await forum().channel(host);
    await forum().comment(host, channel._id, 'Bienvenidas');
    await reviewFirstPosts(forum());
  });

  const put = (
    { token }: Person,
    comment: string,
    more: { key?: string; [field: string]: unknown } = {},
  ) => {
    const { key = randomUUID(), ...rest } = more;
    const headers = { 'idempotency-key': key };
    const body = { id: channel._id, comment, ...rest };
    return forum().call('PUT', apiRoutes.comment, { token, headers, body });
  };
  const pending = async (response: Response) => {
    const body = await response.text();
    assert.equal(response.status, 202, body);
    return JSON.parse(body) as PendingPost;
  };
  const list = async ({ token }: Person) =>
    (await forum().json<PendingList>('GET', apiRoutes.pendingPosts, { token })).data;
  const withdraw = ({ token }: Person, { id }: PendingPost) =>
    forum().call('DELETE', apiRoutes.pendingPost(id), { token });
  const newChannel = ({ token }: Person, more: object = {}) => {
    const body = { name: 'Bancal', description: 'Acelgas', cover: '/default-avatar.svg', ...more };
    return forum().call('POST', apiRoutes.channels, { token, body });
  };
  const uploaded = async (owner: Person, use: string, shade: number) => {
    const image = await quarters(40 + shade, 16)
      .png()
      .toBuffer();
    const response = await forum().upload(owner, image, { use, filename: `${randomUUID()}.png` });
    return assetRoutes.file(((await response.json()) as StoredFile).fullPath);
  };
  /** A person who has already published, so that only posts with signals wait for review. */
  async function known(): Promise<Person> {
    const person = await forum().person();
    await changeSettings(forum(), {});
    await forum().comment(person, channel._id, 'Ya estaba aquí');
    await reviewFirstPosts(forum());
    return person;
  }

  return {
    /** The author of the channel. */
    get host() {
      return host;
    },
    get channel() {
      return channel;
    },
    put,
    pending,
    list,
    withdraw,
    newChannel,
    uploaded,
    known,
  };
}
