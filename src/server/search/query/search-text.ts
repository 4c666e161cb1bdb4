import { limits } from '../../../shared/limits.ts';
import { parseQuery, type Query } from './parse-query.ts';

export interface SearchText {
  /** The text as it is shown again: trimmed and in NFC. */
  q: string;
  query: Query;
}

/** Control characters and lone surrogates: PostgreSQL cannot store them and nobody types them. */
const unsearchable = /[\p{Cc}\p{Cs}]/gu;

/**
 * Parses the text of a search.
 * @param isTyping whether the last word may be incomplete
 * @returns a hint in Spanish when the text cannot be searched for
 */
export function parseSearchText(raw: string, isTyping: boolean): SearchText | { hint: string } {
  // Checked before normalizing, which takes time. No character decomposes into more than `rawFactor`.
  if (raw.length > 2 * limits.searchChars * limits.rawFactor) return { hint: tooLong };
  const q = raw.replace(unsearchable, ' ').trim().normalize('NFC');
  if ([...q].length > limits.searchChars) return { hint: tooLong };
  const query = parseQuery(q, isTyping);
  if (query.required.length > 0) return { q, query };
  const hasExcluded = query.excluded.length > 0 || query.excludedPhrases.length > 0;
  return { hint: hasExcluded ? onlyExcluded : noWord };
}

const tooLong = `Es demasiado largo para buscarlo: como mucho, ${limits.searchChars} caracteres. Quita alguna palabra.`;
const onlyExcluded =
  'Escribe también alguna palabra sin el guion delante: con él solo se descartan comentarios.';
const noWord = 'Escribe al menos una palabra o un número.';
