import type { Database } from '../../database/tables.ts';
import { authorToken } from '../index/comment-tokens.ts';
import { isOptional, isQuestionWord, wideToken } from '../index/wide-words.ts';
import { findNamed } from './find-people.ts';
import type { Query, QueryWord } from './parse-query.ts';
import { exactly, type Match } from './terms.ts';

/** People of one name whose comments are found by it; of more, only the words of texts are. */
const mostNamed = 20;
/** Words of a question of which a text may lack one. */
const mostLoose = 5;

/**
 * The query for comments that a query finds only in a wider sense: with other forms of its words, without its function
 * words, and with a name in it as that of the author. Phrases stay as they are.
 */
export async function widen(db: Database, query: Query): Promise<Query> {
  const required: Match[][] = [];
  for (const { form, entry, isInPhrase } of withoutOptional(query.words)) {
    const wide = wideToken(form);
    const named = isInPhrase ? [] : await findNamed(db, [{ form, isPrefix: false }], mostNamed + 1);
    const authors = named.length > mostNamed ? [] : named.map(authorToken);
    const others = isInPhrase || wide === undefined ? authors : [wide, ...authors];
    required.push([...entry, ...others.map(exactly)]);
  }
  return { ...query, required };
}

/** A question in a wider sense for texts that lack one of its words; undefined for other queries. */
export async function loosen(db: Database, query: Query): Promise<Query | undefined> {
  const wide = await widen(db, query);
  const { required } = wide;
  const isQuestion = query.words.some(({ form }) => isQuestionWord(form));
  if (!isQuestion || required.length < 2 || required.length > mostLoose) return undefined;
  // One of each two words, which is all but one of all words.
  const pairs = required.flatMap((one, index) =>
    required.slice(index + 1).map((other) => [...one, ...other]),
  );
  return { ...wide, required: pairs };
}

function withoutOptional(words: QueryWord[]): QueryWord[] {
  const kept = words.filter(
    // The last word of `vitamina A` is no function word.
    ({ form, isInPhrase }, index) =>
      isInPhrase || !isOptional(form) || (form.length === 1 && index === words.length - 1),
  );
  return kept.length > 0 ? kept : words;
}
