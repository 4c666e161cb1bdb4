import { bulletedText } from '../../shared/clean-text.ts';
import { FieldParser } from '../http/field-parser.ts';
import { isCall, isEncryptionNotice, isNotice } from './notices.ts';

/** Why something in an export does not become a comment. */
export type LeftOut = 'notice' | 'call' | 'deleted' | 'omitted' | 'missing' | 'unreadable';

export interface Body {
  /** In the form in which comments are stored; '' where only an attachment is sent. */
  text: string;
  /** The name of an attachment that is in the export. */
  attachment?: string;
  isEdited: boolean;
  /** Set where an attachment was not exported, or is not in the ZIP. */
  lacks?: 'omitted' | 'missing';
}

/** The mark with which WhatsApp begins its own words, of which Android leaves out many. */
const own = /^\u200e/;
const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** A text without the marks of direction that WhatsApp adds to names, numbers and its own words. */
export const withoutMarks = (text: string) => text.replace(marks, '');

const edited =
  /<(?:se editó este mensaje|este mensaje (?:fue|se ha) editado|mensaje editado|this message was edited)\.?>$/i;
const deleted =
  /^<?(?:(?:eliminaste|borraste|se eliminó|se borró) este mensaje|este mensaje (?:fue|ha sido) eliminado|(?:un|el) administrador eliminó este mensaje|you deleted this message|this message was deleted)(?: como admin(?:istrador)?| as admin| by admin [^\n]{1,100})?\.?>?$/i;
const unreadable =
  /^(?:null|(?:esperando (?:el|este) mensaje|no se puede mostrar este mensaje|waiting for this message)[^\n]{0,100})$/i;
/** Files that were not exported, on Android and on iOS, where the words follow a mark or stand alone. */
const omitted =
  /^<[^<>\n]{1,60} (?:omitid[oa]s?|omitted)>|(?:^|\u200e)(?:(?:imagen|foto|audio|v[ií]deo|nota de v[ií]deo|gif|sticker|documento|(?:tarjeta de )?contacto)(?: de visualización única)? omitid[oa]|(?:image|photo|audio|video|video note|gif|sticker|document|contact card) omitted)\.?$/i;
const attached =
  /^\u200e?([^\n]{1,255}) \((?:archivo adjunto|file attached)\)(?:\n|$)|\u200e?<(?:adjunto|attached): ([^<>\n]{1,255})>/i;
/** The title of a document, which stands beside it. */
const documentTitle = /^[^\n]{1,255} • \d{1,6} (?:p[aá]ginas?|pages?)$/i;

/**
 * Reads the text of one message.
 * @param raw all its lines, with the marks of WhatsApp
 * @param attachments those that are in the export
 * @returns why it is left out, if it is
 */
export function readBody(raw: string, attachments: ReadonlyMap<string, unknown>): Body | LeftOut {
  const isEdited = edited.test(raw.trimEnd());
  let text = raw.trimEnd().replace(edited, '').trimEnd();
  const plain = withoutMarks(text).trim();
  if (deleted.test(plain)) return 'deleted';
  if (unreadable.test(plain)) return 'unreadable';
  if (own.test(text) && isCall(plain)) return 'call';

  const file = attached.exec(text);
  const name = withoutMarks(file?.[1] ?? file?.[2] ?? '')
    .trim()
    .normalize('NFC');
  const isOmitted = file === null && omitted.test(text);
  const isOwn = own.test(text) && !file && !isOmitted && !plain.includes('\n');
  if ((isOwn && isNotice(plain)) || isEncryptionNotice(plain)) return 'notice';
  if (file || isOmitted) {
    text = withoutMarks(text.replace(file ? attached : omitted, '')).trim();
    if (documentTitle.test(text) || text === name || name.endsWith(`-${text}`)) text = '';
  }
  const stored = storedText(withoutMarks(text));
  if (stored === undefined) return 'unreadable';
  if (attachments.has(name)) return { text: stored, attachment: name, isEdited };
  if (!file && !isOmitted) return stored === '' ? 'unreadable' : { text: stored, isEdited };
  const lacks = file ? 'missing' : 'omitted';
  return stored === '' ? lacks : { text: stored, isEdited, lacks };
}

/** @returns undefined for a text that no comment may have */
function storedText(raw: string): string | undefined {
  const fields = new FieldParser();
  const text = fields.optionalText('text', bulletedText(raw), Number.POSITIVE_INFINITY);
  try {
    fields.done();
    return text;
  } catch {
    return undefined;
  }
}
