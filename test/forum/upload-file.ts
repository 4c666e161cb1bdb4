import type { StoredFile } from '../../src/shared/images.ts';
import { pdf } from '../attacks/hostile-files.ts';
import type { Person } from './forum.ts';
import type { ForumClient } from './forum-client.ts';

/** Uploads a file for a comment. */
export async function uploadFile(
  forum: ForumClient,
  owner: Pick<Person, 'token'>,
  filename = 'acta.pdf',
  bytes: Uint8Array = pdf,
): Promise<StoredFile> {
  const response = await forum.upload(owner, bytes, { filename, use: 'file' });
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as StoredFile;
}
