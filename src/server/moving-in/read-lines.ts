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
      for (let line of lines) {
        for (; line.length > longestText; line = line.slice(longestText)) {
          yield line.slice(0, longestText);
        }
        yield line.endsWith('\r') ? line.slice(0, -1) : line;
      }
      for (; rest.length > longestText; rest = rest.slice(longestText)) {
        yield rest.slice(0, longestText);
      }
    }
  } catch (error) {
    throw toUnreadable(error);
  }
  if (rest !== '') yield rest;
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
