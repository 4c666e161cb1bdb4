import { headBytes, isImage, kindOf, unsupported } from '../../shared/file-kind.ts';
import { megabytesText } from '../../shared/number-texts.ts';
import { ApiError } from '../http/api-error.ts';

/** An uploaded file cannot be stored as an image. */
export class ImageRejected extends ApiError {}

/** The file is not a complete image of an accepted format. */
export class NotAnImage extends ImageRejected {
  constructor(bytes: Uint8Array, cause?: unknown) {
    const kind = kindOf(bytes.subarray(0, headBytes));
    super('not_an_image', { cause, ...(!isImage(kind) && { detail: unsupported[kind] }) });
  }
}

const tooMuchMemory =
  'Esta imagen ocupa demasiada memoria al abrirla. Guárdala más pequeña o como JPEG y vuelve a subirla.';

/** The file is of none of the accepted kinds, or has macros. */
export class UnsupportedFile extends ImageRejected {
  constructor(hasMacros = false) {
    super('unsupported_file', hasMacros ? { detail: withMacros } : {});
  }
}

const withMacros =
  'Ese documento lleva macros, que son programas. Guarda una copia sin macros y súbela.';

/** The upload has more bytes than its use allows. */
export class UploadTooLarge extends ImageRejected {
  constructor(use: string, bytes: number, maxMb: number) {
    const weight = megabytesText(Math.ceil(bytes / 1024 / 1024));
    const subject = use === 'file' || use === 'import' ? 'El archivo' : 'La imagen';
    super('too_large', {
      detail: `${subject} pesa ${weight}; el máximo es ${megabytesText(maxMb)}.`,
    });
  }
}

/** The image has too many pixels, or decoding it takes too much memory. */
export class ImageTooLarge extends ImageRejected {
  constructor(limit: 'pixels' | 'memory', cause?: unknown) {
    super('image_too_large', { cause, ...(limit === 'memory' && { detail: tooMuchMemory }) });
  }
}

/** The image or file does not fit into the account's quota. */
export class ImageQuotaExceeded extends ImageRejected {
  constructor(quotaMb: number) {
    const detail = `Tus imágenes y archivos ya ocupan los ${megabytesText(quotaMb)} que tienes. Si necesitas más, escribe a quien administra el foro.`;
    super('quota_exceeded', { detail });
  }
}

const fieldOf = { cover: 'cover', avatar: 'img', comment: 'images', file: 'files' } as const;

/** The URL in a field is on this site but does not belong to an upload by the account for this use. */
export function imageNotFound(use: keyof typeof fieldOf): ApiError {
  const message =
    use === 'file'
      ? 'Este archivo ya no está o no lo subiste para un comentario. Súbelo otra vez.'
      : 'Esta imagen ya no está o no la subiste para este uso. Súbela otra vez.';
  return new ApiError('invalid_fields', { errors: [{ field: fieldOf[use], message }] });
}
