import type { UploadUse } from '../../../shared/images.ts';
import type { Config } from '../../system/settings/config.ts';

/** Megabytes that an upload for this use may have. */
export const maxMbOf = (
  { maxImageMb, maxFileMb }: Pick<Config, 'maxImageMb' | 'maxFileMb'>,
  use: UploadUse,
) => (use === 'file' ? maxFileMb : maxImageMb);

/** Whether the metadata of an upload says that it is a file. The tus server parses them again. */
export function isForFile(metadata: string | string[] | undefined): boolean {
  const [, use = ''] = /(?:^|,) *use ([\w+/]+=*)/.exec(String(metadata)) ?? [];
  return Buffer.from(use, 'base64').toString() === 'file';
}
