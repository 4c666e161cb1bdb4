import { megabyte } from './byte-texts.ts';
import { type FileKind, headBytes, type ImageKind, kindOf } from './file-kind.ts';
import { reduceImage } from './reduce-image.ts';
import { uploadTexts } from './upload-texts.ts';

/** Makes a chosen file ready to be sent, or says why the server would refuse it. */
export async function prepareImage(
  file: File,
  maxMb: number,
): Promise<{ file: File } | { refusal: string }> {
  if (file.size === 0) return { refusal: uploadTexts.empty };
  const kind = await readKind(file);
  if (!kind) return { refusal: uploadTexts.unreadable };
  if (!isImage(kind)) return { refusal: uploadTexts.foreign[kind] };

  const reduced = await reduceImage(file, kind);
  if (reduced.size > maxMb * megabyte) {
    return { refusal: uploadTexts.tooLarge(Math.ceil(reduced.size / megabyte), maxMb) };
  }
  return { file: reduced };
}

/** Undefined for what cannot be read, such as a folder that was dropped. */
async function readKind(file: File): Promise<FileKind | undefined> {
  try {
    return kindOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}

function isImage(kind: FileKind): kind is ImageKind {
  return !(kind in uploadTexts.foreign);
}
