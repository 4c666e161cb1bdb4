import { OperatorError } from '../system/operator-error.ts';

/** The exported chat cannot be read. The message is Spanish and says what to do. */
export class UnreadableExport extends OperatorError {}

/** Replaces an error of the ZIP library or of decompression. Errors of the system, such as a full disk, stay as they are. */
export function toUnreadable(error: unknown): unknown {
  const isForeign = error instanceof Error && !('syscall' in error);
  if (!isForeign || error instanceof OperatorError) return error;
  return new UnreadableExport(
    'El ZIP está dañado o incompleto, o no es un ZIP normal. Cópialo otra vez desde el teléfono o exporta el chat de nuevo.',
    { cause: error },
  );
}
