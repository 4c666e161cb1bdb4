import { headBytes, kindOf } from '../../shared/file-kind.ts';

/** Whether a file is a GIF or WebP that moves. Those that cannot be read do not. */
export async function isAnimated(file: Blob): Promise<boolean> {
  try {
    const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
    const kind = kindOf(head);
    if (kind === 'webp') return hasAnimationFlag(head);
    return kind === 'gif' && hasSeveralImages(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    console.warn(error);
    return false;
  }
}

/** Reads the flags of a WebP's first chunk, which only files with more than an image have. */
function hasAnimationFlag(head: Uint8Array): boolean {
  const chunk = String.fromCharCode(...head.slice(12, 16));
  return chunk === 'VP8X' && ((head[20] ?? 0) & 0x02) !== 0;
}

function hasSeveralImages(gif: Uint8Array): boolean {
  /** The bytes of a colour table, by the flags of what has it. */
  const tableBytes = (flagsAt: number) => {
    const flags = gif[flagsAt] ?? 0;
    return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
  };
  let images = 0;
  let at = 13 + tableBytes(10);
  while (images < 2 && at < gif.length) {
    const block = gif[at];
    if (block === 0x2c) {
      images++;
      // Place, size, flags, colour table and the width of codes.
      at += 11 + tableBytes(at + 9);
    } else if (block === 0x21) at += 2;
    else break;
    // The data, in parts that begin with their length; an empty one is the last.
    for (let length = gif[at] ?? 0; length > 0; length = gif[at] ?? 0) at += 1 + length;
    at++;
  }
  return images > 1;
}
