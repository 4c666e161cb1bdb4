import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sweepUploadedChat } from '../../moving-in/uploaded-chat.ts';
import { unlessMissing } from '../../system/missing.ts';
import type { Config } from '../../system/settings/config.ts';
import { uploadFolder } from './upload-folder.ts';

/** How long an unfinished upload is stored without progress. */
const graceMs = 3_600_000;

/** Removes this machine's uploads without progress for an hour, and the uploaded chat after its day. @returns the number of removed files */
export async function sweepUploads({
  config,
  now,
}: {
  config: Pick<Config, 'dataDir'>;
  now: () => number;
}): Promise<number> {
  const folder = uploadFolder(config);
  await mkdir(folder, { recursive: true });
  const uploads = Object.groupBy(await readdir(folder), (name) => name.split('.', 1)[0] ?? '');
  let removed = await sweepUploadedChat(config, now());
  for (const names of Object.values(uploads)) {
    const files = names?.map((name) => path.join(folder, name)) ?? [];
    const times = await Promise.all(files.map(modifiedAtMs));
    if (times.some((time) => now() - time < graceMs)) continue;
    await Promise.all(files.map((file) => rm(file, { force: true })));
    removed += files.length;
  }
  return removed;
}

/** 0 when the file has been removed. */
async function modifiedAtMs(file: string): Promise<number> {
  return (await unlessMissing(stat(file)))?.mtimeMs ?? 0;
}
