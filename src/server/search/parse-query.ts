import { stem } from './stem.ts';
import { findForms, type Word } from './words.ts';

/** A token, or every token that begins with it. */
export interface Match {
  token: string;
  isPrefix: boolean;
}

/** What is searched for. Tokens are those of `findWords`. */
export interface Query {
  /** Each entry must occur: any one of its matches. Empty when nothing is searched for. */
  required: Match[][];
  /** Tokens that must not occur. */
  excluded: string[];
  /** Entries that must follow each other directly; all of them are in `required` too. */
  phrases: Match[][][];
  /** Tokens that must not follow each other directly. */
  excludedPhrases: string[][];
}

/** Most distinct words of a query, words of a phrase, and phrases. Others are ignored. */
const maxWords = 16;
const minPrefix = 3;
/** Longest part of a query that is read. UTF-16 code units. */
const maxRead = 1000;

const QUOTE = /["«»“”„‟]/;

/**
 * Reads what a visitor typed: words, `"phrases"` and what is excluded by a minus before it. Words
 * without a space between them are a phrase: `ana@ejemplo.es`. Never fails.
 *
 * @param isTyping whether the last word, of three letters or more, is only begun
 */
export function parseQuery(q: string, isTyping: boolean): Query {
  const query: Query = { required: [], excluded: [], phrases: [], excludedPhrases: [] };
  const seen = new Set<string>();
  for (const group of groupsOf(q.slice(0, maxRead))) {
    const words: Match[][] = [];
    for (const form of group.forms.slice(0, maxWords)) {
      const isPrefix = isTyping && !group.isExcluded && form.end === q.length;
      const entry = isPrefix ? begunWord(form.token) : [exactly(form.token)];
      const key = JSON.stringify([group.isExcluded, entry]);
      if (!seen.has(key) && seen.size === maxWords) break;
      words.push(entry);
      if (seen.has(key)) continue;
      seen.add(key);
      if (!group.isExcluded) query.required.push(entry);
    }
    const tokens = words.map(([match]) => match?.token ?? '');
    if (!group.isExcluded) {
      if (words.length > 1 && query.phrases.length < maxWords) query.phrases.push(words);
    } else if (words.length === 1) {
      query.excluded.push(...tokens);
    } else if (words.length > 1 && query.excludedPhrases.length < maxWords) {
      query.excludedPhrases.push(tokens);
    }
  }
  query.excluded = [...new Set(query.excluded)];
  return query;
}

/** Words that must follow each other, or a single word. Positions are those in the query. */
interface Group {
  forms: Word[];
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

/** `perro -gato ana@ejemplo.es`: three groups, the second one excluded. */
function splitAtSpaces(text: string, forms: Word[]): Group[] {
  const groups: Group[] = [];
  let end = 0;
  for (const form of forms) {
    const before = text.slice(end, form.start);
    end = form.end;
    const last = groups.at(-1);
    if (last && !/\s/.test(before)) {
      // https://www.ejemplo.es is searched for as ejemplo.es.
      const [first] = last.forms;
      const isScheme = before === '://' || (before === '.' && first?.token === 'www');
      if (isScheme && last.forms.length === 1) last.forms = [form];
      else last.forms.push(form);
    } else {
      groups.push({ forms: [form], isExcluded: /(?:^|\s)-(?!-)\S*$/.test(before) });
    }
  }
  return groups;
}

function exactly(form: string): Match {
  return { token: stem(form), isPrefix: false };
}

/** A word of which only the beginning is typed: `luc` finds luces too, whose token is `luz`. */
function begunWord(form: string): Match[] {
  if (form.length < minPrefix) return [exactly(form)];
  const stems = [form, `${form}s`, `${form}es`].map(stem);
  const others = [...new Set(stems)].filter((token) => !token.startsWith(form));
  return [{ token: form, isPrefix: true }, ...others.map((token) => ({ token, isPrefix: false }))];
}
