import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import type { Forum, Person } from '../forum/forum.ts';
import { plainImage } from './images.ts';

interface ChannelTexts {
  name?: string;
  description?: string;
}

/** A channel with an uploaded cover, so that the browser logs no error. */
export async function openChannel(
  forum: Forum,
  author: Person,
  { name = 'Cine de barrio', description = 'Películas con gente al lado.' }: ChannelTexts = {},
): Promise<Channel> {
  const body = { name, description, cover: await uploadCover(forum, author) };
  return forum.json('POST', apiRoutes.channels, { token: author.token, body });
}

/** Creates channels one after the other, all with the same cover. */
export async function openChannels(
  forum: Forum,
  author: Person,
  names: string[],
): Promise<Channel[]> {
  const cover = await uploadCover(forum, author);
  const opened: Channel[] = [];
  for (const name of names) {
    const body = { name, description: 'Uno de muchos.', cover };
    opened.push(await forum.json('POST', apiRoutes.channels, { token: author.token, body }));
  }
  return opened;
}

async function uploadCover(forum: Forum, author: Person): Promise<string> {
  const { buffer } = await plainImage();
  const stored = (await (await forum.upload(author, buffer)).json()) as StoredFile;
  return new URL(stored.downloadURL, forum.url).pathname;
}
