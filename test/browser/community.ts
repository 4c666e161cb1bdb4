import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { assetRoutes } from '../../src/shared/routes.ts';
import type { Forum, Person } from '../forum/forum.ts';
import { plainImage } from './images.ts';

interface ChannelTexts {
  name?: string;
  description?: string;
}

/** Opens a channel with the default avatar as its cover, so that no image has to be processed. */
export function openChannel(
  forum: Forum,
  author: Person,
  {
    name = 'Cine de barrio',
    description = 'Películas con gente al lado.',
    cover = assetRoutes.defaultAvatar,
  }: ChannelTexts & { cover?: string } = {},
): Promise<Channel> {
  const body = { name, description, cover };
  return forum.json('POST', apiRoutes.channels, { token: author.token, body });
}

export async function openChannelWithCover(
  forum: Forum,
  author: Person,
  texts: ChannelTexts = {},
): Promise<Channel> {
  const { buffer } = await plainImage();
  const { downloadURL } = (await (await forum.upload(author, buffer)).json()) as StoredFile;
  return openChannel(forum, author, { ...texts, cover: new URL(downloadURL, forum.url).pathname });
}

/** Opens channels one after another. */
export async function openChannels(
  forum: Forum,
  author: Person,
  names: string[],
): Promise<Channel[]> {
  const opened: Channel[] = [];
  for (const name of names) {
    opened.push(await openChannel(forum, author, { name, description: 'Uno de muchos.' }));
  }
  return opened;
}
