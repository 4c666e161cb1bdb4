import { type FileKind, headBytes, kindOf } from '../../shared/file-kind.ts';

/** Patterns that only animated files contain, one character for each byte. */
const movements: Partial<Record<FileKind, RegExp>> = {
  // Two pictures with a time.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes.
  gif: /(?:!\xf9\x04.{4}\0[,!].*?){2}/s,
  png: /^(?:(?!IDAT).)*acTL/s,
  webp: /^.{12}VP8X.*ANIM/s,
  avif: /^.{4}ftyp.{0,64}avis/s,
};
/** These patterns are within the first bytes of a file, except in a GIF. */
const startBytes = 65_536;

/** Whether a file moves, of which the server stores the first picture. One that cannot be read does not. */
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
