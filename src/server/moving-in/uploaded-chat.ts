import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../shared/limits.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { safeFileName } from '../images/file-names.ts';
import { settingsInForce } from '../site-settings/site-settings.ts';
import { unlessMissing } from '../system/missing.ts';
import type { Config } from '../system/settings/config.ts';

type Place = Pick<Config, 'dataDir'>;

/** How long an uploaded chat is stored, unless it is brought before. */
const storedMs = limits.importHours * 3_600_000;

/** A chat that was uploaded. */
export interface UploadedChat {
  file: string;
  name: string;
  bytes: number;
  erasedAtMs: number;
}

/** The folder of the only uploaded chat, of which nothing is ever served. */
const folderOf = ({ dataDir }: Place) => path.join(dataDir, 'moving-in');

/**
 * Checks that an account may upload a chat. @throws ApiError `staff_only`, `community_is_open`
 */
export async function requireImporter(db: Database, accountId: string): Promise<void> {
  const account = await db
    .selectFrom('accounts')
    .select('role')
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (account?.role !== 'admin') throw new ApiError('staff_only');
  if ((await settingsInForce(db)).readers !== 'members') throw new ApiError('community_is_open');
}

/** Takes a complete upload in place of an earlier one. @param fileName as the client gave it */
export async function receiveChat(place: Place, file: string, fileName: string): Promise<void> {
  await eraseUploadedChat(place);
  const folder = folderOf(place);
  await mkdir(folder, { recursive: true });
  await rename(file, path.join(folder, safeFileName(fileName, ['zip', 'txt'], 'chat')));
}

/** The uploaded chat; undefined without one. */
export async function findUploadedChat(place: Place): Promise<UploadedChat | undefined> {
  const folder = folderOf(place);
  const [name] = (await unlessMissing(readdir(folder))) ?? [];
  if (name === undefined) return undefined;
  const file = path.join(folder, name);
  const found = await unlessMissing(stat(file));
  return found && { file, name, bytes: found.size, erasedAtMs: found.mtimeMs + storedMs };
}

/** @throws ApiError `import_not_found` without an uploaded chat */
export async function requireUploadedChat(place: Place): Promise<UploadedChat> {
  const found = await findUploadedChat(place);
  if (!found) throw new ApiError('import_not_found');
  return found;
}

/** @param only nothing is erased if another chat was uploaded since */
export async function eraseUploadedChat(place: Place, only?: UploadedChat): Promise<void> {
  if (only && (await findUploadedChat(place))?.erasedAtMs !== only.erasedAtMs) return;
  await rm(folderOf(place), { recursive: true, force: true });
}

/** Erases the uploaded chat a day after it came. @returns the number of erased files */
export async function sweepUploadedChat(place: Place, nowMs: number): Promise<number> {
  const found = await findUploadedChat(place);
  if (!found || nowMs < found.erasedAtMs) return 0;
  await eraseUploadedChat(place);
  return 1;
}
