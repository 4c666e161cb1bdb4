import type { Database } from '../../database/tables.ts';
import { authorToken } from '../index/comment-tokens.ts';
import { bareTokens, isOptional, isQuestionWord, rootTokens } from '../index/wide-words.ts';
import { findNamed } from './find-people.ts';
import type { Query } from './parse-query.ts';
import type { Match } from './terms.ts';

/** People of one name whose comments are found by it; of more, only the words of texts are. */
const mostNamed = 20;
/** Words of a question of which a text may lack one. */
const mostLoose = 5;

/**
 * The query for comments that a query finds only in a wider sense: with other forms of its words, without its function
 * words, and with a name in it as that of the author. Phrases stay as they are.
 * @param withBare whether words count that only share the root, as nouns do
 */
export async function widen(db: Database, query: Query, withBare: boolean): Promise<Query> {
  const required: Match[][] = [];
  // The last word of `vitamina A` is no function word.
  const words = query.words.filter(
    ({ form, isInPhrase }, index) =>
      isInPhrase || !isOptional(form) || (form.length === 1 && index === query.words.length - 1),
  );
  for (const { form, written, entry, isInPhrase } of words.length > 0 ? words : query.words) {
    const named = isInPhrase ? [] : await findNamed(db, [form], mostNamed + 1);
    const authors = named.length > mostNamed ? [] : named.map(authorToken);
    const others = isInPhrase ? [] : rootTokens(form, written);
    if (withBare && !isInPhrase) others.push(...bareTokens(form, written));
    required.push([...new Set([...entry, ...others, ...authors])]);
  }
  return { ...query, required };
}

/** A question in a wider sense for texts that lack one of its words; undefined for other queries. */
export async function loosen(db: Database, query: Query): Promise<Query | undefined> {
  const wide = await widen(db, query, true);
  const { required } = wide;
  const isQuestion = query.words.some(({ form }) => isQuestionWord(form));
  if (!isQuestion || required.length < 2 || required.length > mostLoose) return undefined;
  // One of each two words, which is all but one of all words.
  const pairs = required.flatMap((one, index) =>
    required.slice(index + 1).map((other) => [...one, ...other]),
  );
  return { ...wide, required: pairs };
}
