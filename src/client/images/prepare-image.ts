import { type FileKind, headBytes, isImage, kindOf, unsupported } from '../../shared/file-kind.ts';
import { megabytesText } from '../../shared/number-texts.ts';
import { megabyte } from './byte-texts.ts';
import { reduceImage } from './reduce-image.ts';

/** Checks a chosen file and reduces it if that helps. Returns a message if the server would reject it. */
export async function prepareImage(
  file: File,
  maxMb: number,
): Promise<{ file: File } | { message: string }> {
  if (file.size === 0) return { message: 'El archivo está vacío. Elige otra imagen.' };
  const kind = await readKind(file);
  if (!kind) return { message: 'El archivo no se puede leer. Elige otra imagen.' };
  if (!isImage(kind)) return { message: unsupported[kind] };

  const maxBytes = maxMb * megabyte;
  const reduced = await reduceImage(file, kind, maxBytes);
  if (reduced.size > maxBytes) {
    return {
      message: `La imagen pesa ${megabytesText(Math.ceil(reduced.size / megabyte))}; el máximo es ${megabytesText(maxMb)}.`,
    };
  }
  return { file: reduced };
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
