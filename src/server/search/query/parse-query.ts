import { stem } from '../index/stem.ts';
import { type Form, findForms } from '../index/words.ts';
import { exactly, type Match, type Terms } from './terms.ts';

/** A required word as it is written in the query. */
export interface QueryWord extends Form {
  /** Its entry in `required`. */
  entry: Match[];
  /** Whether the word is in a phrase. */
  isInPhrase: boolean;
}

/** A parsed search. Tokens are those of `findWords`. */
export interface Query extends Terms {
  /** The words of `required`, in their order. */
  words: QueryWord[];
  /** Entries that must follow each other directly; all of them are also in `required`. */
  phrases: Match[][][];
  /** Tokens that must not follow each other directly. */
  excludedPhrases: string[][];
}

/** Maximum number of required words, excluded words, phrases of either kind, and words of a phrase. */
const maxWords = 16;
const minPrefix = 3;
/** Longest part of a query that is parsed, in UTF-16 code units. */
const maxRead = 1000;

const QUOTE = /["«»“”„‟]/;

/**
 * Parses a visitor's query: words, `"phrases"` and exclusions with a minus. Words without a space between them
 * are a phrase, such as `ana@ejemplo.es`. Never fails.
 * @param isTyping whether the last word, of three letters or more, may be incomplete
 */
export function parseQuery(q: string, isTyping: boolean): Query {
  const groups = groupsOf(q.slice(0, maxRead));
  const entryOf = ({ form, end }: Form) =>
    isTyping && end === q.length ? begunWord(form) : [exactly(stem(form))];
  const wanted = groups
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ forms }) =>
      forms
        .slice(0, maxWords)
        .map((form) => ({ ...form, entry: entryOf(form), isInPhrase: forms.length > 1 })),
    );
  // A part of an excluded phrase would exclude more than the phrase does.
  const unwanted = groups
    .filter(({ isExcluded, forms }) => isExcluded && forms.length <= maxWords)
    .map(({ forms }) => forms.map(({ form }) => stem(form)));

  const words = firstDistinct(wanted.flat(), ({ entry }) => entry);
  const keys = new Set(words.map(({ entry }) => JSON.stringify(entry)));
  const phrases = wanted
    .filter(({ length }) => length > 1)
    .map((phrase) => phrase.map(({ entry }) => entry))
    .filter((phrase) => phrase.every((entry) => keys.has(JSON.stringify(entry))));
  return {
    required: words.map(({ entry }) => entry),
    words,
    excluded: firstDistinct(unwanted.filter(({ length }) => length === 1).flat()),
    phrases: firstDistinct(phrases),
    excludedPhrases: firstDistinct(unwanted.filter(({ length }) => length > 1)),
  };
}

function firstDistinct<T>(list: T[], keyOf: (item: T) => unknown = (item) => item): T[] {
  const distinct = new Map<string, T>();
  for (const item of list) {
    const key = JSON.stringify(keyOf(item));
    if (!distinct.has(key)) distinct.set(key, item);
  }
  return [...distinct.values()].slice(0, maxWords);
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
  if (form.length < minPrefix) return [exactly(stem(form))];
  const stems = [form, `${form}s`, `${form}es`].map(stem);
  const others = [...new Set(stems)].filter((token) => !token.startsWith(form));
  return [{ token: form, isPrefix: true }, ...others.map(exactly)];
}
