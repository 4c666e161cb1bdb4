import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { openToRead } from '../../database/engine.ts';
import { exportedTables } from '../../database/table-register.ts';
import type { Database } from '../../database/tables.ts';
import type { DatabaseSettings } from '../../system/settings/config.ts';
import { type ExportedImage, listImages } from './exported-images.ts';
import { exportedLines } from './exported-rows.ts';

/** Size at which a chunk of a file is written, so that other requests can run in between. */
const chunkChars = 64 * 1024;

export interface Snapshot {
  /** Temporary files, open but already unlinked, so that closing one deletes it. */
  files: { name: string; handle: FileHandle }[];
  images: ExportedImage[];
}

/**
 * Copies the rows of an account at one point in time to temporary files, so that a slow client does not occupy a
 * database connection. The files are unlinked, so that none remains if the process is killed.
 * @param db reads the names of those who are mentioned @param signal stops it between two rows
 */
export async function takeSnapshot(
  { config, db }: { config: DatabaseSettings; db: Database },
  accountId: string,
  signal: AbortSignal,
): Promise<Snapshot> {
  const copied = openToRead(config);
  if (!copied) throw new Error('the database is gone');
  const files: Snapshot['files'] = [];
  try {
    return await copied
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        for (const table of exportedTables) {
          const handle = await openUnlinked(config.dataDir);
          files.push({ name: `${table.file}.jsonl`, handle });
          await writeLines(handle, exportedLines({ trx, db }, table, accountId), signal);
        }
        return { files, images: await listImages(trx, accountId) };
      });
  } catch (error) {
    await closeAll(files);
    throw error;
  } finally {
    await copied.destroy();
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

async function writeLines(
  handle: FileHandle,
  lines: AsyncGenerator<string>,
  signal: AbortSignal,
): Promise<void> {
  let chunk = '';
  for await (const line of lines) {
    signal.throwIfAborted();
    chunk += line;
    if (chunk.length < chunkChars) continue;
    await handle.writeFile(chunk);
    chunk = '';
  }
  await handle.writeFile(chunk);
}
