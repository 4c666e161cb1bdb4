import { limits } from '../../../shared/limits.ts';
import type { Database } from '../../database/tables.ts';
import { firstWithin } from '../../forum/comments/comment-details.ts';
import { isOptional, stem } from '../../search-index/stem.ts';
import { findWords, type Word } from '../../search-index/words.ts';
import { findCandidates } from './find-candidates.ts';
import { occurringTokens, type Scope } from './find-docs.ts';
import { findNamed, wordsOfNames } from './find-people.ts';
import { misspellings, withOtherN } from './misspellings.ts';
import { isInOrder, parseQuery, type Query, type QueryWord } from './parse-query.ts';
import { findChannels, listMatchingChannels } from './search-channels.ts';
import { widen } from './search-comments.ts';
import type { Match } from './terms.ts';

/** Maximum number of misspelt words in a query that is corrected. */
const mostCorrected = 2;
/** Variants are counted in at most this many of the newest texts, and in this many of their UTF-16 code units. */
const [comparedTexts, comparedChars] = [50, 100_000];

interface Misspelt extends Scope {
  q: string;
  /** Whether the last word may be incomplete. If so, only n and ñ are corrected. */
  isTyping: boolean;
  /** Whether the correction must have exact hits, which contain its function words. */
  isExact: boolean;
}

/**
 * Corrects the spelling of a query that finds nothing: n and ñ in any word, and words that occur neither in a visible
 * text of the scope nor in a name. Replaces them with the variants that most often occur together in the newest
 * texts.
 */
export async function findCorrection(
  db: Database,
  { q, isTyping, isExact, ...scope }: Misspelt,
): Promise<string | null> {
  const isEverywhere = scope.channelId === undefined && scope.authorId === undefined;
  const query = { ...parseQuery(q, false), phrases: [], excludedPhrases: [] };
  const find = async (wanted: Query, limit: number) =>
    (await findCandidates(db, { ...scope, query: wanted, limit })).found;
  // If so many of the first hits are hidden that the search stops, a later comment may still contain the word.
  const hasAny = async (wanted: Query) => {
    const { found, rest } = await findCandidates(db, { ...scope, query: wanted, limit: 1 });
    return found.length > 0 || rest !== null;
  };
  const occurs = async (forms: string[]) => {
    const wanted = { ...query, required: [forms.map(stem)], excluded: [] };
    return (
      (await hasAny(wanted)) ||
      (isEverywhere && (await findChannels(db, wanted, 1)).length > 0) ||
      (scope.authorId === undefined && (await findNamed(db, [forms], 1)).length > 0)
    );
  };

  /** Forms that may have been intended. */
  const variants = new Map<QueryWord, string[]>();
  let corrected = 0;
  for (const word of query.words) {
    if (isOptional(word.form)) continue;
    const others = withOtherN(word.form);
    if (others.length > 0 && (await occurs(others))) {
      variants.set(word, [word.form, ...others]);
    } else if (!isTyping && !(await occurs([word.form]))) {
      const meant = misspellings(word.form);
      if (meant.length === 0 || ++corrected > mostCorrected) return null;
      variants.set(word, meant);
    }
  }
  if (variants.size === 0) return null;

  const tokens = new Map([...variants].map(([word, forms]) => [word, new Set(forms.map(stem))]));
  const meant = isExact ? query : await widen(db, query);
  const required: Match[][] = [];
  for (const [index, word] of meant.words.entries()) {
    const stems = tokens.get(word);
    required.push(stems ? await occurringTokens(db, [...stems]) : (meant.required[index] ?? []));
  }
  const wanted = { ...meant, required, except: undefined };
  const texts = (await find(wanted, comparedTexts)).map(({ text }) => text);
  if (isEverywhere) {
    const channels = await listMatchingChannels(db, wanted);
    texts.push(...channels.map(({ name, description }) => `${name}\n${description}`));
    const name: string[][] = [];
    for (const word of query.words) {
      const forms = variants.get(word);
      name.push(forms ? await wordsOfNames(db, forms) : [word.form]);
    }
    texts.push(...(await findNamed(db, name, comparedTexts)).map((found) => found.name));
  }
  const counts = new Map<string, number>();
  for (const text of firstWithin(comparedChars, texts, ({ length }) => length)) {
    const written = replaceWords(q, text, query, tokens);
    if (written !== undefined && isInOrder(parseQuery(written, false), text)) {
      counts.set(written, (counts.get(written) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/**
 * The query with its words replaced by words of a text; undefined if the text lacks them or the query becomes too
 * long.
 * @param tokens the tokens that may replace each word
 */
function replaceWords(
  q: string,
  text: string,
  query: Query,
  tokens: Map<QueryWord, Set<string>>,
): string | undefined {
  const words = findWords(text);
  const used = new Set(query.words.flatMap((word) => (tokens.has(word) ? [] : word.entry)));
  let replaced = '';
  let at = 0;
  for (const [{ start, end }, meant] of tokens) {
    const word = words.find(({ token }) => meant.has(token) && !used.has(token));
    if (!word) return undefined;
    used.add(word.token);
    replaced += q.slice(at, start) + letters(word);
    at = end;
  }
  replaced += q.slice(at);
  return [...replaced].length > limits.searchChars ? undefined : replaced;
}

/** The letters and digits of a word, normalized and in lower case, without others such as invisible characters. */
function letters({ form, written }: Word): string {
  const shown = written
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return shown.length > form.length ? form : shown;
}
