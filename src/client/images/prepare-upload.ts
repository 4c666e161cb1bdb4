import { type FileKind, headBytes, isImage, kindOf, unsupported } from '../../shared/file-kind.ts';
import { megabytesText } from '../../shared/number-texts.ts';
import { megabyte } from './byte-texts.ts';
import { reduceImage } from './reduce-image.ts';
import type { SentUse } from './upload/upload-task.ts';

/**
 * Checks a chosen file, and reduces an image if that helps. Returns a message if the server would reject it; the kind of
 * other files is left to the server.
 */
export async function prepareUpload(
  file: File,
  use: SentUse,
  maxMb: number,
): Promise<{ file: File } | { message: string }> {
  const isPlainFile = use === 'file' || use === 'import';
  const another = isPlainFile ? 'otro' : 'otra imagen';
  if (file.size === 0) return { message: `El archivo está vacío. Elige ${another}.` };
  const kind = await readKind(file);
  if (!kind) return { message: `El archivo no se puede leer. Elige ${another}.` };

  const maxBytes = maxMb * megabyte;
  let sent = file;
  if (!isPlainFile) {
    if (!isImage(kind)) return { message: unsupported[kind] };
    sent = await reduceImage(file, kind, maxBytes);
  }
  if (sent.size > maxBytes) {
    const thing = isPlainFile ? 'El archivo' : 'La imagen';
    return {
      message: `${thing} pesa ${megabytesText(Math.ceil(sent.size / megabyte))}; el máximo es ${megabytesText(maxMb)}.`,
    };
  }
  return { file: sent };
}

/** The file's format; undefined if it cannot be read, for example because it is a dropped folder. */
async function readKind(file: File): Promise<FileKind | undefined> {
  try {
    return kindOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}
