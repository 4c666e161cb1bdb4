import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { UnsupportedFile } from './errors.ts';
import type { MadeImage } from './image-processing.ts';

interface Kind {
  contentType: string;
  /** The usual one first. */
  extensions: string[];
  /** Matches the first bytes, as Latin-1: `file-type` also recognizes some kinds behind other bytes. */
  begins: RegExp;
}

const zip = /^PK/;
const office = (type: string, extension: string): Kind => ({
  contentType: `application/vnd.${type}`,
  extensions: [extension],
  begins: zip,
});
const openXml = 'openxmlformats-officedocument';
const mp4: Kind = { contentType: 'audio/mp4', extensions: ['m4a'], begins: /^.{4}ftyp/s };
const ogg: Kind = { contentType: 'audio/ogg', extensions: ['ogg', 'opus', 'oga'], begins: /^OggS/ };

/** Accepted kinds by the extensions that `file-type` gives them. */
const kinds = new Map<string, Kind>([
  ['pdf', { contentType: 'application/pdf', extensions: ['pdf'], begins: /^%PDF-/ }],
  ['docx', office(`${openXml}.wordprocessingml.document`, 'docx')],
  ['xlsx', office(`${openXml}.spreadsheetml.sheet`, 'xlsx')],
  ['pptx', office(`${openXml}.presentationml.presentation`, 'pptx')],
  ['odt', office('oasis.opendocument.text', 'odt')],
  ['ods', office('oasis.opendocument.spreadsheet', 'ods')],
  ['odp', office('oasis.opendocument.presentation', 'odp')],
  ['mp3', { contentType: 'audio/mpeg', extensions: ['mp3'], begins: /^(?:ID3|\xff[\xe2-\xff])/ }],
  ['m4a', mp4],
  // Telephones record sound in it.
  ['mp4', mp4],
  ...['ogg', 'opus', 'oga', 'spx'].map((extension) => [extension, ogg] as const),
]);

/** Names of entries that only documents with macros have; names in a ZIP are not compressed. */
const macroEntries = [
  'vbaProject.bin',
  'Basic/script-lc.xml',
  ...['python', 'javascript', 'beanshell'].map((language) => `Scripts/${language}/`),
];
/** The handler of a video track. */
const videoTrack = '\0\0\0\0vide';

/**
 * Reads an uploaded file, which is stored as it is, without variants. Its bytes decide what it is; of what they do not
 * tell, text is what has no NUL and is called `.txt` or `.csv`. `file-type` bounds what it reads: the costliest file of 20 MB
 * that we made takes it an eighth of a second.
 * @throws UnsupportedFile; an error when the file cannot be read
 */
export async function readFileUpload(file: string, name: string): Promise<MadeImage> {
  const bytes = await readFile(file);
  const found = await fileTypeFromBuffer(bytes);
  const kind = found ? kinds.get(found.ext) : textKind(bytes, name);
  if (found && /macro/i.test(found.mime)) throw new UnsupportedFile(true);
  if (!kind?.begins.test(bytes.toString('latin1', 0, 16))) throw new UnsupportedFile();
  if (kind === mp4 && bytes.includes(videoTrack)) throw new UnsupportedFile();
  if (kind.begins === zip && macroEntries.some((entry) => bytes.includes(entry))) {
    throw new UnsupportedFile(true);
  }
  const { contentType, extensions } = kind;
  const full = { bytes, width: 0, height: 0 };
  return { contentType, extensions, full, variants: new Map(), largestVariant: 0 };
}

function textKind(bytes: Buffer, name: string): Kind | undefined {
  const [, extension = ''] = /\.(txt|csv)$/i.exec(name)?.map((part) => part.toLowerCase()) ?? [];
  if (extension === '' || bytes.length === 0 || bytes.includes(0)) return undefined;
  const type = extension === 'csv' ? 'text/csv' : 'text/plain';
  // Spreadsheets also write CSV in Latin-1, whose name would be a guess.
  const contentType = isUtf8(bytes) ? `${type}; charset=utf-8` : type;
  return { contentType, extensions: [extension], begins: /^/ };
}
