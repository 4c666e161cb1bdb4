import { stem } from '../../search-index/stem.ts';
import { type Form, findForms, findWords } from '../../search-index/words.ts';
import { findPhrase, type Match, matchesWord, type Terms } from './terms.ts';

/** A required word of a query. */
export interface QueryWord extends Form {
  written: string;
  /** Its entry in `required`. */
  entry: Match[];
  isInPhrase: boolean;
}

/** A parsed search. Its tokens are those of `findWords`. */
export interface Query extends Terms {
  /** The words of `required`, in their order. */
  words: QueryWord[];
  /** Entries that must follow each other directly; all of them are also in `required`. */
  phrases: Match[][][];
  /** Entries that must not follow each other directly. */
  excludedPhrases: Match[][][];
}

/** Maximum number of required words, excluded words, phrases of either kind, and words of a phrase. */
const maxWords = 16;
const minPrefix = 3;
/** Longest part of a query that is read, in UTF-16 code units. */
const maxRead = 1000;

const QUOTE = /["«»“”„‟]/;

/**
 * Parses a visitor's query: words, `"phrases"` and exclusions with a minus. Words without a space between them
 * are a phrase, such as `ana@ejemplo.es`. Never fails.
 * @param isTyping whether the last word, of three letters or more, may be incomplete
 */
export function parseQuery(q: string, isTyping: boolean): Query {
  const groups = groupsOf(q.slice(0, maxRead)).map(({ isExcluded, forms }) => ({
    isExcluded,
    words: forms.map((form) => ({
      ...form,
      written: q.slice(form.start, form.end),
      entry:
        isTyping && !isExcluded && form.end === q.length ? begunWord(form.form) : [stem(form.form)],
      isInPhrase: forms.length > 1,
    })),
  }));
  const wanted = groups.flatMap((group) =>
    group.isExcluded ? [] : [group.words.slice(0, maxWords)],
  );
  // A part of an excluded phrase would exclude more than the phrase does.
  const unwanted = groups.flatMap(({ isExcluded, words }) =>
    isExcluded && words.length <= maxWords ? [words.map(({ entry }) => entry)] : [],
  );
  const words = firstDistinct(wanted.flat(), ({ entry }) => entry);
  const keys = new Set(words.map(({ entry }) => entry.join()));
  const phrases = wanted
    .map((phrase) => phrase.map(({ entry }) => entry))
    .filter((phrase) => phrase.length > 1 && phrase.every((entry) => keys.has(entry.join())));
  return {
    required: words.map(({ entry }) => entry),
    words,
    excluded: firstDistinct(unwanted.filter(({ length }) => length === 1).flat(2)),
    phrases: firstDistinct(phrases),
    excludedPhrases: firstDistinct(unwanted.filter(({ length }) => length > 1)),
  };
}

function firstDistinct<T>(list: T[], keyOf: (item: T) => unknown = (item) => item): T[] {
  const keys = list.map((item) => JSON.stringify(keyOf(item)));
  return list.filter((_, index) => keys.indexOf(keys[index] ?? '') === index).slice(0, maxWords);
}

/** Words that must follow each other, or a single word. Positions refer to the query. */
interface Group {
  forms: Form[];
  isExcluded: boolean;
}

function groupsOf(q: string): Group[] {
  const groups: Group[] = [];
  let start = 0;
  let isQuoted = false;
  for (const part of q.split(QUOTE)) {
    const forms = findForms(part);
    const isMinusBefore = /(?:^|[\s"«»“”„‟])-$/.test(q.slice(Math.max(0, start - 3), start - 1));
    const found = isQuoted ? [{ forms, isExcluded: isMinusBefore }] : splitAtSpaces(part, forms);
    for (const form of forms) {
      form.start += start;
      form.end += start;
    }
    groups.push(...found);
    start += part.length + 1;
    isQuoted = !isQuoted;
  }
  return groups;
}

/** Splits `perro -gato ana@ejemplo.es` into three groups, the second one excluded. */
function splitAtSpaces(text: string, forms: Form[]): Group[] {
  const groups: Group[] = [];
  let end = 0;
  for (const form of forms) {
    const before = text.slice(end, form.start);
    end = form.end;
    const last = groups.at(-1);
    if (last && !/\s/.test(before)) {
      // `https://www.ejemplo.es` is searched for as `ejemplo.es`.
      const [first] = last.forms;
      const isScheme = before === '://' || (before === '.' && first?.form === 'www');
      if (isScheme && last.forms.length === 1) last.forms = [form];
      else last.forms.push(form);
    } else {
      groups.push({ forms: [form], isExcluded: /(?:^|\s)-(?!-)\S*$/.test(before) });
    }
  }
  return groups;
}

/** Matches for an incomplete word: `luc` also finds luces, whose token is `luz`. */
function begunWord(form: string): Match[] {
  if (form.length < minPrefix) return [stem(form)];
  const stems = [form, `${form}s`, `${form}es`].map(stem);
  return [`${form}*`, ...new Set(stems.filter((token) => !token.startsWith(form)))];
}

/** Whether a query requires or excludes an order of words, which the index does not store. */
export function hasPhrases({ phrases, excludedPhrases }: Query): boolean {
  return phrases.length + excludedPhrases.length > 0;
}

/**
 * Whether a text has the words of a query, except those that may be missing. Other forms of the words do not count.
 * Takes linear time.
 */
export function matches(query: Query, text: string): boolean {
  const words = findWords(text);
  const has = (entry: Match[]) => words.some((word) => matchesWord(entry, word));
  const found = query.required.filter(has).length;
  const isFound = found + (query.missing ?? 0) >= query.required.length;
  return isFound && !has(query.excluded) && isInOrder(query, text);
}

/** Whether a text with the words of a query has them in the required order. Takes linear time. */
export function isInOrder(query: Query, text: string): boolean {
  if (!hasPhrases(query)) return true;
  const words = findWords(text);
  const has = (phrase: Match[][]) => findPhrase(phrase, words) !== -1;
  return query.phrases.every(has) && !query.excludedPhrases.some(has);
}
