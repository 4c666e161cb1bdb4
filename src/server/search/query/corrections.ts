import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { stem } from '../index/stem.ts';
import { isOptional } from '../index/wide-words.ts';
import { findWords } from '../index/words.ts';
import { findCandidates } from './find-candidates.ts';
import { findDocs, type Scope } from './find-docs.ts';
import { findNames } from './find-people.ts';
import { misspellings, withOtherN } from './misspellings.ts';
import { isInOrder, parseQuery, type Query, type QueryWord } from './parse-query.ts';
import { searchChannels } from './search-channels.ts';

/** Misspelt words that are corrected in one query. */
const mostCorrected = 2;
/** Newest comments with variants of which the most frequent is taken. */
const comparedTexts = 50;

/** Forms that may have been meant, by the words of the query. */
type Variants = Map<QueryWord, string[]>;

/**
 * Corrects the spelling of a query that finds nothing: first n and ñ in any words, then words that occur nowhere.
 * @param isTyping whether the last word may be incomplete: only n and ñ are corrected then
 * @param isExact whether the correction must have exact hits, which have its function words too
 */
export async function findCorrection(
  db: Database,
  q: string,
  scope: Scope,
  { isTyping, isExact }: { isTyping: boolean; isExact: boolean },
  yieldIfDue: YieldIfDue,
): Promise<string | null> {
  const query = parseQuery(q, false);
  const occurs = async (tokens: string[]) => {
    await yieldIfDue();
    return (
      (await findDocs(db, { query: { required: [tokens], excluded: [] }, limit: 1 })).docs.length >
      0
    );
  };
  const correct = async (variants: Variants, isStrict: boolean) => {
    if (variants.size === 0) return null;
    const words = query.words.filter(
      (word) => isStrict || variants.has(word) || word.isInPhrase || !isOptional(word.form),
    );
    return chooseVariants(db, q, { ...query, words }, variants, scope, yieldIfDue);
  };
  const otherN: Variants = new Map();
  for (const word of query.words) {
    const others = withOtherN(word.form);
    if (others.length > 0 && (await occurs(others.map(stem))))
      otherN.set(word, [word.form, ...others]);
  }
  const corrected = await correct(otherN, true);
  if (corrected !== null || isTyping) return corrected;
  const absent: Variants = new Map();
  for (const word of query.words) {
    if (isOptional(word.form) || (await occurs(word.entry))) continue;
    const variants = misspellings(word.form);
    if (variants.length === 0 || absent.size === mostCorrected) return null;
    absent.set(word, variants);
  }
  return (await correct(absent, true)) ?? (isExact ? null : correct(absent, false));
}

/** Puts the variants that occur most often together in the newest comments in place of the words. */
async function chooseVariants(
  db: Database,
  q: string,
  query: Query,
  variants: Variants,
  scope: Scope,
  yieldIfDue: YieldIfDue,
): Promise<string | null> {
  const tokensOf = (word: QueryWord) => variants.get(word)?.map(stem);
  const required = query.words.map((word) => [...new Set(tokensOf(word) ?? word.entry)]);
  const wanted = { ...query, required, phrases: [], excludedPhrases: [] };
  const search = { ...scope, query: wanted, limit: comparedTexts };
  const { found } = await findCandidates(db, search, yieldIfDue);
  const texts = found.map(({ text }) => text);
  if (!scope.channelId && !scope.authorId) {
    const channels = await searchChannels(db, wanted, yieldIfDue);
    texts.push(...channels.map(({ name, description }) => `${name}\n${description}`));
    if (query.words.length === variants.size) {
      texts.push(...(await findNames(db, [...variants.values()].flat(), comparedTexts)));
    }
  }
  const counts = new Map<string, number>();
  for (const text of texts) {
    const written = replaceWords(q, text, [...variants]);
    if (written !== undefined) counts.set(written, (counts.get(written) ?? 0) + 1);
    await yieldIfDue();
  }
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([written]) => written);
  return (
    byCount.find((written) => texts.some((text) => isInOrder(parseQuery(written, false), text))) ??
    null
  );
}

/** The query with the words of a text that are variants, as they are written there; undefined without one of them. */
function replaceWords(
  q: string,
  text: string,
  variants: [QueryWord, string[]][],
): string | undefined {
  const words = findWords(text);
  let replaced = '';
  let at = 0;
  for (const [{ start, end }, forms] of variants) {
    const tokens = new Set(forms.map(stem));
    const word = words.find(({ token }) => tokens.has(token));
    if (!word) return undefined;
    replaced += q.slice(at, start) + word.written.toLowerCase();
    at = end;
  }
  return replaced + q.slice(at);
}
