import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { openToRead } from '../../database/database.ts';
import type { ExportFile } from '../../database/table-register.ts';
import type { Database } from '../../database/tables.ts';
import {
  accountRow,
  channelRows,
  channelVersionRows,
  imageRows,
  readingRows,
  sessionRows,
  thanksRows,
} from './account-rows.ts';
import { commentRows, commentVersionRows } from './comment-rows.ts';
import { type ExportedImage, listImages } from './exported-images.ts';

type Lists = Record<ExportFile, (db: Database, accountId: string) => AsyncGenerator<object[]>>;

/** Files of the archive, each a JSON array. */
const lists: Lists = {
  'cuenta.json': accountRow,
  'sesiones.json': sessionRows,
  'canales.json': channelRows,
  'versiones-de-canales.json': channelVersionRows,
  'comentarios.json': commentRows,
  'versiones-de-comentarios.json': commentVersionRows,
  'gracias.json': thanksRows,
  'lecturas.json': readingRows,
  'imagenes.json': imageRows,
};

export interface Snapshot {
  /** Open temporary files that are already unlinked, so closing one deletes it. */
  files: { name: string; handle: FileHandle }[];
  images: ExportedImage[];
}

/**
 * Copies the rows of an account at one moment to temporary files, so that a slow client holds no database
 * connection. The files are unlinked, so that none stays when the process is killed.
 * @param signal stops it between two batches
 */
export async function takeSnapshot(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
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
        for (const [name, read] of Object.entries(lists)) {
          const handle = await openUnlinked(config.dataDir);
          files.push({ name, handle });
          await writeList(handle, read(trx, accountId), signal);
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
  batches: AsyncGenerator<object[]>,
  signal: AbortSignal,
): Promise<void> {
  let separator = '[\n';
  for await (const batch of batches) {
    signal.throwIfAborted();
    let lines = '';
    for (const item of batch) {
      lines += `${separator}${JSON.stringify(item)}`;
      separator = ',\n';
    }
    await handle.writeFile(lines);
  }
  await handle.writeFile(separator === '[\n' ? '[]\n' : '\n]\n');
}
