import { type FileKind, headBytes, kindOf } from '../../shared/file-kind.ts';

/** Patterns found only in animated files, with one character per byte. */
const movements: Partial<Record<FileKind, RegExp>> = {
  // Two frames with a delay.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes.
  gif: /(?:!\xf9\x04.{4}\0[,!].*?){2}/s,
  png: /^(?:(?!IDAT).)*acTL/s,
  webp: /^.{12}VP8X.*ANIM/s,
  avif: /^.{4}ftyp.{0,64}avis/s,
};
/** Except in a GIF, these patterns occur within the first bytes of a file. */
const startBytes = 65_536;

/** Whether an image is animated. The server stores only its first frame. False for an unreadable file. */
export async function isAnimated(file: Blob): Promise<boolean> {
  try {
    const kind = kindOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
    const movement = movements[kind];
    if (!movement) return false;
    const part = kind === 'gif' ? file : file.slice(0, startBytes);
    return movement.test(new TextDecoder('latin1').decode(await part.arrayBuffer()));
  } catch (error) {
    console.warn(error);
    return false;
  }
}
