import { toUnreadable, UnreadableExport } from './unreadable-export.ts';

/** Code units of the longest line and of the longest message. WhatsApp sends 65,536 at most. */
export const longestText = 100_000;

/**
 * Reads the lines of a text in UTF-8, with or without a byte order mark. A line beyond `longestText` comes in parts, so
 * that it never fills the memory. Half a character at the end, as in a truncated file, is ignored.
 * @throws UnreadableExport for other encodings
 */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const chunk of bytes) {
      const lines = (rest + decode(decoder, chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield* partsOf(line.endsWith('\r') ? line.slice(0, -1) : line);
      while (rest.length > longestText) {
        yield rest.slice(0, longestText);
        rest = rest.slice(longestText);
      }
    }
  } catch (error) {
    throw toUnreadable(error);
  }
  if (rest !== '') yield* partsOf(rest);
}

function decode(decoder: TextDecoder, chunk: Buffer): string {
  if (chunk.includes(0)) throw notUtf8('UTF-16 o no es texto');
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw notUtf8(
      chunk[0] === 0xff || chunk[0] === 0xfe ? 'UTF-16' : 'Latin-1 u otra codificación',
    );
  }
}

const notUtf8 = (found: string) =>
  new UnreadableExport(
    `El texto del chat no está en UTF-8 (está en ${found}). Exporta el chat otra vez desde WhatsApp y no lo guardes con otro programa.`,
  );

function* partsOf(line: string): Generator<string> {
  for (let start = 0; start === 0 || start < line.length; start += longestText) {
    yield line.slice(start, start + longestText);
  }
}
