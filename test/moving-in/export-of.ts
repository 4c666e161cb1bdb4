import type { Export } from '../../src/server/moving-in/read-export.ts';
import { readLines } from '../../src/server/moving-in/read-lines.ts';

/** An export with this text, and with attachments of these names. */
export function exportOf(text: string, ...attachments: string[]): Export {
  return {
    name: '',
    attachments: new Map(attachments.map((name) => [name, 10])),
    lines: () => readLines(bytesOf(text)),
    openAttachment: () => Promise.reject(new Error('not opened')),
    [Symbol.dispose]: () => {},
  };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
