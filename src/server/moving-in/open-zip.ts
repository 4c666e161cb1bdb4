import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, validateFileName, type ZipFile } from 'yauzl';
import { megabytesText, numberText } from '../../shared/number-texts.ts';
import { toUnreadable, UnreadableExport } from './unreadable-export.ts';

const maxEntries = 20_000;
/** Bytes of one file, and of all files together, as they are after decompression. */
const maxEntryBytes = 2 * 1024 ** 3;
const maxTotalBytes = 8 * 1024 ** 3;
/** Compression beyond this ratio is refused: texts reach 20, pictures 2, and bombs 1,000. Small files may have any. */
const maxRatio = 200;
const smallBytes = 1024 ** 2;

/** The files of a ZIP by their names without folders, in NFC. */
export interface OpenZip extends Disposable {
  /** Bytes of each file after decompression. */
  sizes: Map<string, number>;
  /** @throws UnreadableExport, also later by the stream */
  read(name: string): Promise<Readable>;
}

/**
 * Opens a ZIP and checks the whole list of its files.
 * @throws UnreadableExport for a damaged or truncated ZIP, encrypted files, links, names that leave the folder, duplicate
 * names, and too many or too large files
 */
export async function openZip(file: string): Promise<OpenZip> {
  using opened = new DisposableStack();
  const zip = await openPromise(file, { autoClose: false }).catch(rethrow);
  opened.defer(() => zip.close());
  const entries = await listEntries(zip).catch(rethrow);
  const closing = opened.move();
  return {
    sizes: new Map([...entries].map(([name, entry]) => [name, entry.uncompressedSize])),
    read: async (name) => {
      const entry = entries.get(name);
      if (!entry) throw new UnreadableExport(`Falta ${name} en el ZIP.`);
      // The stream fails at more bytes than the checked list says, and at fewer.
      return zip.openReadStreamPromise(entry).catch(rethrow);
    },
    [Symbol.dispose]: () => closing.dispose(),
  };
}

function rethrow(error: unknown): never {
  throw toUnreadable(error);
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries) {
    throw new UnreadableExport(
      `El ZIP tiene ${numberText(zip.entryCount)} archivos y caben ${numberText(maxEntries)}. Exporta el chat sin archivos.`,
    );
  }
  const entries = new Map<string, Entry>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    // Some programs do not mark names in UTF-8 as such.
    const whole = isUtf8(entry.fileNameRaw) ? entry.fileNameRaw.toString() : entry.fileName;
    requireOrdinary(whole, entry);
    const name = path.posix.basename(whole).normalize('NFC');
    // Folders, and the hidden files that macOS adds to a ZIP.
    if (whole.endsWith('/') || name.startsWith('.')) continue;
    if (entries.has(name)) refuse(whole, 'aparece dos veces');
    total += entry.uncompressedSize;
    if (total > maxTotalBytes) refuse(whole, `pasa de ${megabytesText(8192)} con los anteriores`);
    entries.set(name, entry);
  }
  return entries;
}

function requireOrdinary(name: string, entry: Entry): void {
  if (validateFileName(name) !== null) refuse(name, 'apunta fuera de su carpeta');
  if (entry.isEncrypted()) refuse(name, 'está cifrado con una contraseña');
  if (!entry.canDecodeFileData()) refuse(name, 'está comprimido de una forma que no se lee aquí');
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (![0, 0o100000, 0o040000].includes(kind)) refuse(name, 'es un enlace, no un archivo');
  if (entry.uncompressedSize > allowedBytes(entry))
    refuse(name, 'ocupa demasiado al descomprimirlo');
}

function refuse(name: string, why: string): never {
  throw new UnreadableExport(
    `El ZIP no se puede usar: ${JSON.stringify(name.slice(0, 200))} ${why}. Usa el que hace WhatsApp, sin cambiarlo.`,
  );
}

function allowedBytes({ compressedSize }: Entry): number {
  return Math.min(maxEntryBytes, Math.max(smallBytes, maxRatio * compressedSize));
}
