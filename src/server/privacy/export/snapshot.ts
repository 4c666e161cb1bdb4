import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { openToRead } from '../../database/engine.ts';
import type { ExportList } from '../../database/table-register.ts';
import type { Database } from '../../database/tables.ts';
import type { DatabaseSettings } from '../../system/settings/config.ts';
import {
  accountRow,
  channelRows,
  channelVersionRows,
  decisionRows,
  imageRows,
  invitationRows,
  notificationRows,
  pendingRows,
  readingRows,
  reportRows,
  sessionRows,
  thanksRows,
} from './account-rows.ts';
import { commentRows, commentVersionRows } from './comment-rows.ts';
import { type ExportedImage, listImages } from './exported-images.ts';

/** Size at which a chunk of a file is written, so that other requests can run in between. */
const chunkChars = 64 * 1024;

type ReadItems = (db: Database, accountId: string, signal: AbortSignal) => AsyncGenerator<object>;

/** The lists in the archive, each a JSON array in its own file. */
const lists: Record<ExportList, { file: string; read: ReadItems }> = {
  account: { file: 'cuenta.json', read: accountRow },
  sessions: { file: 'sesiones.json', read: sessionRows },
  channels: { file: 'canales.json', read: channelRows },
  'channel versions': { file: 'versiones-de-canales.json', read: channelVersionRows },
  comments: { file: 'comentarios.json', read: commentRows },
  'comment versions': { file: 'versiones-de-comentarios.json', read: commentVersionRows },
  thanks: { file: 'gracias.json', read: thanksRows },
  'reading positions': { file: 'lecturas.json', read: readingRows },
  notifications: { file: 'avisos.json', read: notificationRows },
  decisions: { file: 'decisiones.json', read: decisionRows },
  reports: { file: 'denuncias.json', read: reportRows },
  invitations: { file: 'invitaciones.json', read: invitationRows },
  'pending posts': { file: 'pendientes.json', read: pendingRows },
  images: { file: 'imagenes.json', read: imageRows },
};

export interface Snapshot {
  /** Temporary files, open but already unlinked, so that closing one deletes it. */
  files: { name: string; handle: FileHandle }[];
  images: ExportedImage[];
}

/**
 * Copies the rows of an account at one point in time to temporary files, so that a slow client does not occupy a
 * database connection. The files are unlinked, so that none remains if the process is killed.
 * @param signal stops it between two rows
 */
export async function takeSnapshot(
  config: DatabaseSettings,
  accountId: string,
  signal: AbortSignal,
): Promise<Snapshot> {
  const db = openToRead(config);
  if (!db) throw new Error('the database is gone');
  const files: Snapshot['files'] = [];
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        for (const { file, read } of Object.values(lists)) {
          const handle = await openUnlinked(config.dataDir);
          files.push({ name: file, handle });
          await writeList(handle, read(trx, accountId, signal), signal);
        }
        return { files, images: await listImages(trx, accountId) };
      });
  } catch (error) {
    await closeAll(files);
    throw error;
  } finally {
    await db.destroy();
  }
}

export async function closeAll(files: Snapshot['files']): Promise<void> {
  for (const { handle } of files) await handle.close().catch(() => {});
}

async function openUnlinked(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `export-${randomUUID()}.part`);
  const handle = await open(file, 'wx+', 0o600);
  await rm(file);
  return handle;
}

async function writeList(
  handle: FileHandle,
  items: AsyncGenerator<object>,
  signal: AbortSignal,
): Promise<void> {
  let lines = '';
  let separator = '[\n';
  for await (const item of items) {
    signal.throwIfAborted();
    lines += `${separator}${JSON.stringify(item)}`;
    separator = ',\n';
    if (lines.length < chunkChars) continue;
    await handle.writeFile(lines);
    lines = '';
  }
  await handle.writeFile(`${lines}${separator === '[\n' ? '[]' : '\n]'}\n`);
}
