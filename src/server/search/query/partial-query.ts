import { isOptional, isQuestionWord } from '../../search-index/stem.ts';
import type { Query, QueryWord } from './parse-query.ts';

/** Maximum number of words in a search that may lack some. The index query grows with them. */
const mostWords = 7;

/** The words that a text must have: all except function and question words, or all if there are no others. */
export function meantWords({ words }: Query): QueryWord[] {
  const meant = words.filter(
    ({ form, isInPhrase }, index) =>
      isInPhrase ||
      !isOptional(form) ||
      // The last word of `vitamina A` is not a function word.
      (form.length === 1 && index === words.length - 1),
  );
  return meant.length > 0 ? meant : words;
}

/**
 * The query for texts that lack up to `missing` words; undefined if that is more than half of them. One of two words
 * may be missing only in a question. Phrases must be complete.
 * @param meant the same query with only its meant words
 */
export function withMissing(query: Query, meant: Query, missing: number): Query | undefined {
  const entriesOf = (isInPhrase: boolean) =>
    meant.required.filter((_, index) => meant.words[index]?.isInPhrase === isInPhrase);
  const required = entriesOf(false);
  const isQuestion = query.words.some(({ form }) => isQuestionWord(form));
  const most = required.length === 2 && !isQuestion ? 0 : required.length / 2;
  if (missing > most || required.length > mostWords) return undefined;
  return { ...meant, required, missing, within: entriesOf(true), except: undefined };
}
