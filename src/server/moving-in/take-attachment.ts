import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { acceptUpload, type ImageServices } from '../images/accept-image.ts';
import { ImageRejected } from '../images/errors.ts';
import { fileNameOf } from '../images/stored-file.ts';
import { DiskFull } from '../images/uploads/upload-errors.ts';
import { uploadFolder } from '../images/uploads/upload-folder.ts';
import { maxMbOf } from '../images/uploads/upload-limits.ts';
import { usableBytes } from '../system/disk-reserve.ts';
import type { Config } from '../system/settings/config.ts';
import type { Export } from './read-export.ts';
import { toUnreadable, UnreadableExport } from './unreadable-export.ts';

export interface AttachmentServices extends ImageServices {
  config: Pick<Config, 'accountQuotaMb' | 'dataDir' | 'maxImageMb' | 'maxFileMb' | 'maxImportMb'>;
}

/** An attachment of a chat, stored as what a comment carries; `url` is undefined for one that was refused. */
export interface TakenAttachment {
  use: 'comment' | 'file';
  name: string;
  url: string | undefined;
}

const imageEnding = /\.(?:jpe?g|png|webp|gif|avif|heic)$/i;
/** The number that iOS writes before the name of an attachment; a name may also begin with a day. */
const iosNumber = /^0\d{7}-/;

/**
 * Stores an attachment like an upload by this person, who has no quota. @throws DiskFull; an error of the store
 * @param name a key of `source.attachments`
 */
export async function takeAttachment(
  services: AttachmentServices,
  source: Export,
  name: string,
  accountId: string,
): Promise<TakenAttachment> {
  const { config } = services;
  const use = imageEnding.test(name) ? 'comment' : 'file';
  const shown = name.replace(iosNumber, '');
  const bytes = source.attachments.get(name) ?? 0;
  const refused = { use, name: shown, url: undefined } as const;
  if (bytes > maxMbOf(config, use) * 1024 * 1024) return refused;
  if ((await usableBytes(config.dataDir)) < bytes) throw new DiskFull();
  const folder = uploadFolder(config);
  // The sweep of uploads removes it if this process is killed.
  const file = path.join(folder, `import-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    await pipeline(await source.openAttachment(name), createWriteStream(file)).catch((error) => {
      throw toUnreadable(error);
    });
    const upload = { file, fileName: shown, use, accountId } as const;
    const { url, full_path } = await acceptUpload({ ...services, isImport: true }, upload);
    return { use, name: fileNameOf(full_path), url };
  } catch (error) {
    // A damaged entry of the ZIP is left out like a picture that is none.
    if (error instanceof ImageRejected || error instanceof UnreadableExport) return refused;
    throw error;
  } finally {
    await rm(file, { force: true });
  }
}
