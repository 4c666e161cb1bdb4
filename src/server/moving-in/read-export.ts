import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { visibleName } from '../../shared/clean-text.ts';
import { openZip } from './open-zip.ts';
import { readLines } from './read-lines.ts';
import { UnreadableExport } from './unreadable-export.ts';

/** A chat as WhatsApp exports it. */
export interface Export extends Disposable {
  /** Name of the chat, from the name of the file; '' without one. */
  name: string;
  /** Bytes of each attachment that is in the export, by name. */
  attachments: Map<string, number>;
  /** Reads the lines of the chat, from the beginning each time. @throws UnreadableExport */
  lines(): AsyncGenerator<string>;
  /** @param name a key of `attachments` */
  openAttachment(name: string): Promise<Readable>;
}

/** How WhatsApp begins the names of exports. */
const exportName =
  /^(?:Chat de WhatsApp|Conversación de WhatsApp|WhatsApp Chat)(?: con| with| -) /i;

/**
 * Opens an export: a ZIP, or the text alone. Nothing is written, and another file that takes its name is not read.
 * @throws UnreadableExport for what is neither, and for a ZIP that is damaged, hostile or without a chat
 */
export async function openExport(file: string): Promise<Export> {
  // Opening a pipe or a device would wait forever.
  if (!(await stat(file)).isFile()) throw new UnreadableExport(`${file} no es un archivo.`);
  if (/\.txt$/i.test(file)) {
    const handle = await open(file);
    const lines = () => readLines(readFromStart(handle));
    const close = () => void handle.close();
    return {
      name: nameOf(file),
      attachments: new Map(),
      lines,
      openAttachment,
      [Symbol.dispose]: close,
    };
  }
  using opened = new DisposableStack();
  const zip = opened.use(await openZip(file));
  const text = findChat([...zip.sizes.keys()]);
  const attachments = new Map(zip.sizes);
  attachments.delete(text);
  const closing = opened.move();
  return {
    name: nameOf(text) || nameOf(file),
    attachments,
    lines: async function* () {
      yield* readLines(await zip.read(text));
    },
    openAttachment: zip.read,
    [Symbol.dispose]: () => closing.dispose(),
  };
}

/** Reads an open file by positions, so that it can be read again. */
async function* readFromStart(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(64 * 1024), position });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** The attachments of a text alone: none. */
async function openAttachment(name: string): Promise<Readable> {
  throw new UnreadableExport(`Falta ${name}: el texto ha venido sin archivos.`);
}

/** Finds the text of the chat among the files of an export, of which others may be texts, too. */
function findChat(names: string[]): string {
  const texts = names.filter((name) => /\.txt$/i.test(name));
  const chats = texts.filter((name) => name === '_chat.txt' || exportName.test(name));
  const [found, second] = chats.length > 0 ? chats : texts;
  if (found !== undefined && second === undefined) return found;
  throw new UnreadableExport(
    found === undefined
      ? 'En el ZIP no hay ningún chat (un archivo .txt). Exporta el chat desde WhatsApp y trae ese ZIP.'
      : `En el ZIP hay más de un chat (${found}, ${second}). Trae un ZIP con uno solo.`,
  );
}

/** @returns the name of the chat in the name of a file; '' if it has none */
function nameOf(file: string): string {
  const name = path.basename(file).replace(/\.[a-z]+$/i, '');
  return exportName.test(name) ? visibleName(name.replace(exportName, '')).trim() : '';
}
