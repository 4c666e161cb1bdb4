import { type FileKind, headBytes, isImage, kindOf, unsupported } from '../../shared/file-kind.ts';
import { megabyte } from './byte-texts.ts';
import { reduceImage } from './reduce-image.ts';
import { uploadTexts } from './upload-texts.ts';

/** Checks a chosen file and reduces it if that helps. Returns a message if the server would reject it. */
export async function prepareImage(
  file: File,
  maxMb: number,
): Promise<{ file: File } | { message: string }> {
  if (file.size === 0) return { message: uploadTexts.empty };
  const kind = await readKind(file);
  if (!kind) return { message: uploadTexts.unreadable };
  if (!isImage(kind)) return { message: unsupported[kind] };

  const maxBytes = maxMb * megabyte;
  const reduced = await reduceImage(file, kind, maxBytes);
  if (reduced.size > maxBytes) {
    return { message: uploadTexts.tooLarge(Math.ceil(reduced.size / megabyte), maxMb) };
  }
  return { file: reduced };
}

/** The file's format; undefined if it cannot be read, such as a dropped folder. */
async function readKind(file: File): Promise<FileKind | undefined> {
  try {
    return kindOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}
