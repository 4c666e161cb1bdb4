import { limits } from '../../../shared/limits.ts';
import { parseQuery, type Query } from './parse-query.ts';

/** A text to search for. */
export interface SearchText {
  /** As it is shown again: trimmed, in NFC. */
  q: string;
  query: Query;
}

/** Control characters and halves of surrogate pairs. PostgreSQL cannot take them; nobody types them. */
const unsearchable = /[\p{Cc}\p{Cs}]/gu;

/**
 * Parses what somebody searches for.
 * @param isTyping whether the last word is only begun
 * @returns what to do instead, in Spanish, when it cannot be searched for
 */
export function parseSearchText(raw: string, isTyping: boolean): SearchText | { hint: string } {
  // Before normalising, which takes time. No character decomposes into more than the factor.
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
