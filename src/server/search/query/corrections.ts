import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { stem } from '../index/stem.ts';
import { isKnown, isOptional } from '../index/wide-words.ts';
import { findWords } from '../index/words.ts';
import { findCandidates, type Scope } from './find-candidates.ts';
import { findNames } from './find-people.ts';
import { isInOrder } from './matches.ts';
import { misspellings, withOtherN } from './misspellings.ts';
import { parseQuery, type Query, type QueryWord } from './parse-query.ts';
import { searchChannels } from './search-channels.ts';
import { exactly, type Match } from './terms.ts';

/** Misspelt words that are corrected in one query. */
const mostCorrected = 2;
/** Newest comments with variants of which the most frequent is taken. */
const comparedTexts = 50;

/** Forms that may have been meant, by the words of the query. */
type Variants = Map<QueryWord, string[]>;

/**
 * Corrects the spelling of a query that finds nothing: first n and ñ in any words, then words that occur nowhere, by
 * one letter.
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
  const correct = (variants: Variants, isStrict: boolean) =>
    chooseVariants(db, q, keepOnly(query, variants, isStrict), variants, scope, yieldIfDue);
  const otherN: Variants = new Map();
  for (const word of query.words) {
    const [form, ...others] = withOtherN(word.form);
    const tokens = others.map((other) => exactly(stem(other)));
    if (form !== undefined && tokens.length > 0 && (await occurs(db, tokens, yieldIfDue))) {
      otherN.set(word, [form, ...others]);
    }
  }
  const corrected = otherN.size > 0 ? await correct(otherN, true) : null;
  if (corrected !== null || isTyping) return corrected;
  const absent: Variants = new Map();
  for (const word of query.words) {
    if (isKnown(word.form) || (await occurs(db, word.entry, yieldIfDue))) continue;
    const variants = misspellings(word.form);
    if (variants.length === 0 || absent.size === mostCorrected) return null;
    absent.set(word, variants);
  }
  if (absent.size === 0) return null;
  const strict = await correct(absent, true);
  return strict ?? (isExact ? null : correct(absent, false));
}

/** The query whose words have these variants, and without its function words unless it is strict. */
function keepOnly(query: Query, variants: Variants, isStrict: boolean): Query {
  const words = query.words.filter(
    (word) => isStrict || variants.has(word) || word.isInPhrase || !isOptional(word.form),
  );
  return { ...query, words };
}

async function occurs(db: Database, entry: Match[], yieldIfDue: YieldIfDue): Promise<boolean> {
  const query = { ...parseQuery('', false), required: [entry] };
  return (await findCandidates(db, { query, limit: 1 }, yieldIfDue)).found.length > 0;
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
  const tokens = new Map(
    [...variants].map(([word, forms]) => [word, [...new Set(forms.map((form) => stem(form)))]]),
  );
  const required = query.words.map((word) => tokens.get(word)?.map(exactly) ?? word.entry);
  const wanted = { ...query, required, phrases: [], excludedPhrases: [] };
  const search = { ...scope, query: wanted, limit: comparedTexts, withTexts: true };
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
    const written = writtenIn(text, [...tokens]);
    if (written) counts.set(written, (counts.get(written) ?? 0) + 1);
    await yieldIfDue();
  }
  for (const [written] of [...counts].sort((one, other) => other[1] - one[1])) {
    const corrected = replaceWords(q, [...variants.keys()], JSON.parse(written));
    const correctedQuery = parseQuery(corrected, false);
    if (texts.some((text) => isInOrder(correctedQuery, text))) return corrected;
  }
  return null;
}

function replaceWords(q: string, words: QueryWord[], forms: string[]): string {
  let replaced = '';
  let at = 0;
  for (const [index, { start, end }] of words.entries()) {
    replaced += q.slice(at, start) + (forms[index] ?? '');
    at = end;
  }
  return replaced + q.slice(at);
}

/** The words of the text that have the tokens, as they are written there, as JSON; null when one is missing. */
function writtenIn(text: string, wanted: [QueryWord, string[]][]): string | null {
  const words = findWords(text);
  const forms = wanted.map(([, tokens]) => {
    const word = words.find(({ token }) => tokens.includes(token));
    return word && text.slice(word.start, word.end).toLowerCase();
  });
  return forms.every((form) => form !== undefined) ? JSON.stringify(forms) : null;
}
