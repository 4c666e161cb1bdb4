import type { UploadUse } from '../../../shared/images.ts';
import type { Config } from '../../system/settings/config.ts';

/** The purpose of an upload: an image or a file that is stored, or a chat that is brought. */
export type TusUse = UploadUse | 'import';

/** Megabytes that an upload for this use may have. */
export const maxMbOf = (
  { maxImageMb, maxFileMb, maxImportMb }: Pick<Config, 'maxImageMb' | 'maxFileMb' | 'maxImportMb'>,
  use: TusUse,
) => ({ file: maxFileMb, import: maxImportMb })[use as string] ?? maxImageMb;

/** The use that the metadata of an upload name, which the tus server parses again; an image for any other. */
export function usedFor(metadata: string | string[] | undefined): TusUse {
  const [, encoded = ''] = /(?:^|,) *use ([\w+/]+=*)/.exec(String(metadata)) ?? [];
  const use = Buffer.from(encoded, 'base64').toString();
  return use === 'file' || use === 'import' ? use : 'comment';
}
