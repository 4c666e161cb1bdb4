import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { stem } from '../index/stem.ts';
import { isOptional } from '../index/wide-words.ts';
import { findWords } from '../index/words.ts';
import { findCandidates } from './find-candidates.ts';
import { findDocs, type Scope } from './find-docs.ts';
import { findNames } from './find-people.ts';
import { misspellings, withOtherN } from './misspellings.ts';
import { isInOrder, parseQuery, type QueryWord } from './parse-query.ts';
import { searchChannels } from './search-channels.ts';

/** Misspelt words that are corrected in one query. */
const mostCorrected = 2;
/** Newest comments with variants of which the most frequent is taken. */
const comparedTexts = 50;

/** Forms that may have been meant, by the words of the query. */
type Variants = Map<QueryWord, string[]>;

interface Misspelt extends Scope {
  q: string;
  /** Whether the last word may be incomplete: only n and ñ are corrected then. */
  isTyping: boolean;
  /** Whether the correction must have exact hits, which have its function words too. */
  isExact: boolean;
}

/** Corrects the spelling of a query that finds nothing: n and ñ in any words, and words that occur nowhere. */
export async function findCorrection(
  db: Database,
  misspelt: Misspelt,
  yieldIfDue: YieldIfDue,
): Promise<string | null> {
  const occurs = async (tokens: string[]) => {
    await yieldIfDue();
    const query = { required: [tokens], excluded: [] };
    return (await findDocs(db, { query, limit: 1 })).docs.length > 0;
  };
  const variants: Variants = new Map();
  let corrected = 0;
  for (const word of parseQuery(misspelt.q, false).words) {
    const others = withOtherN(word.form);
    if (others.length > 0 && (await occurs(others.map(stem)))) {
      variants.set(word, [word.form, ...others]);
    } else if (!misspelt.isTyping && !isOptional(word.form) && !(await occurs(word.entry))) {
      const meant = misspellings(word.form);
      if (meant.length === 0 || ++corrected > mostCorrected) return null;
      variants.set(word, meant);
    }
  }
  return chooseVariants(db, misspelt, variants, yieldIfDue);
}

/** Puts the variants that occur most often together in the newest comments in place of the words. */
async function chooseVariants(
  db: Database,
  { q, isExact, channelId, authorId }: Misspelt,
  variants: Variants,
  yieldIfDue: YieldIfDue,
): Promise<string | null> {
  if (variants.size === 0) return null;
  const query = { ...parseQuery(q, false), phrases: [], excludedPhrases: [] };
  const formsAt = new Map([...variants].map(([{ start }, forms]) => [start, forms]));
  const kept = query.words.filter(
    ({ form, start, isInPhrase }) =>
      isExact || formsAt.has(start) || isInPhrase || !isOptional(form),
  );
  query.required = kept.map(({ start, entry }) => [
    ...new Set(formsAt.get(start)?.map(stem) ?? entry),
  ]);
  const search = { query, channelId, authorId, limit: comparedTexts };
  const texts = (await findCandidates(db, search, yieldIfDue)).found.map(({ text }) => text);
  if (channelId === undefined && authorId === undefined) {
    const channels = await searchChannels(db, query, yieldIfDue);
    texts.push(...channels.map(({ name, description }) => `${name}\n${description}`));
    if (kept.length === variants.size) {
      texts.push(...(await findNames(db, [...variants.values()].flat(), comparedTexts)));
    }
  }
  const counts = new Map<string, number>();
  for (const text of texts) {
    const written = replaceWords(q, text, variants);
    if (written !== undefined && isInOrder(parseQuery(written, false), text)) {
      counts.set(written, (counts.get(written) ?? 0) + 1);
    }
    await yieldIfDue();
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/** The query with the words of a text that are variants, as they are written there; undefined without one of them. */
function replaceWords(q: string, text: string, variants: Variants): string | undefined {
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
