import { isOptional, isQuestionWord } from '../index/word-tokens.ts';
import type { Query, QueryWord } from './parse-query.ts';

/** Words of a search of which some may be missing. What the index is asked for grows with them. */
const mostWords = 7;

/** The words that a text must have: all but function words and those of questions, unless there are no others. */
export function meantWords({ words }: Query): QueryWord[] {
  const meant = words.filter(
    ({ form, isInPhrase }, index) =>
      isInPhrase ||
      !isOptional(form) ||
      // The last word of `vitamina A` is no function word.
      (form.length === 1 && index === words.length - 1),
  );
  return meant.length > 0 ? meant : words;
}

/**
 * The query for texts that lack so many words, or fewer; undefined where that would be more than half of them. Of two
 * words a text may lack one only of a question. Phrases must be whole.
 * @param meant the same query with its meant words
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
