import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { quarters } from '../attacks/hostile-images.ts';
import type { Forum } from './forum.ts';

/** Adds a channel with a cover, which has four objects. */
export async function addCover(forum: Forum, width: number): Promise<void> {
  const owner = await forum.person();
  const uploaded = await forum.upload(owner, await quarters(width, 400).png().toBuffer());
  const { downloadURL: cover } = (await uploaded.json()) as StoredFile;
  await forum.json('POST', apiRoutes.channels, {
    token: owner.token,
    body: { name: 'Cine', description: 'Películas', cover },
  });
}
