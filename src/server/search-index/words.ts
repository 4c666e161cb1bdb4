import { numbersAt, timeAt } from './numbers.ts';
import { stem, tokensOfWord } from './stem.ts';

/** Increase it when the words found in any text change, to rebuild the index. 0 means a requested rebuild. */
export const analysisVersion = 8;

/** A word of a text, not stemmed yet. */
export interface Form {
  /** In lower case, without diacritics. Letters, digits and characters beyond ASCII. */
  form: string;
  /** Range in the text, in UTF-16 code units; `end` is exclusive. */
  start: number;
  end: number;
  /**
   * Parts by which the word is found as well: the halves of one whose dot or hyphen may stand for l·l or separate two
   * words, as in `raul.lopez`, and the groups of a telephone number or a time of day.
   */
  parts?: string[];
  /** Tokens that the word is indexed by; undefined until they are computed. */
  tokens?: string[] | undefined;
}

/** A word of a text as it is indexed. */
export interface Word extends Form {
  /** Tokens that the word is indexed by, `token` first. */
  tokens: string[];
  /** The form, in the singular and, where the rule is safe, in the masculine. */
  token: string;
  /** The word as it stands in the text. */
  written: string;
}

/** Maximum lengths, in UTF-16 code units, of a token and of the part of a word that it is made from. */
const maxToken = 64;
const maxRead = 256;
const maxInitials = 8;

/**
 * Matches one of:
 * - a Chinese, Japanese or Thai character: these scripts have no spaces between words;
 * - letters, marks and digits, with invisible characters (soft hyphen) or parts of the word (`col·legi`, also written
 *   `col.legi` and `col-legi`, but not `S.L.L.` and `sol.Luego`) in between, and an ordinal sign at the end (`n.º`,
 *   `1º`, `20°`);
 * - an emoji: a flag, or pictures joined to one, with skin tones and variation selectors.
 */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}][\p{M}\u0e33\uff9e\uff9f]*|(?!\p{M})[^\p{P}\p{S}\p{Z}\p{C}ºª\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]+(?:(?:\p{Cf}+|(?<=[lL])[·‧∙⋅•](?=[lL])|(?<=[AEIOUaeiouÀ-ü]l)[.‐‑-](?=l[aeiouà-ü])|(?<=[AEIOUÀ-Ü]L)[.‐‑-](?=L[AEIOUÀ-Ü]))[^\p{P}\p{S}\p{Z}\p{C}ºª\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]+)*(?:\.?[ºª°](?!(?<=[0-9]\.?[ºª°]) ?[CFcf](?![\p{L}\p{N}])))?|\p{RI}{2}|(?![©®™‼⁉])\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*)*[\u{e0020}-\u{e007f}]*/gu;

const GEMINATE = /(?<=l)[.‐‑-](?=l)/i;
/** Matches the signs after the letter in `C#` and `C++`, which stand in tokens as the characters below. */
const SHARP = /(?:#|\+\+)(?![\p{L}\p{N}#+])/uy;
const SHARP_SIGNS: Record<string, string> = { '#': '♯', '++': '⧺' };
/** Matches a number, and the beginning of a version such as `v2.0`. */
const NUMBERED = /^v?[0-9]+$/i;
/** Matches the position between digits and letters: `10|km`, `20|h`, `covid|19`; not in `3d` and `mp3`. */
const BESIDE_DIGITS =
  /(?<=[0-9])(?=(?![ºª])\p{L}\p{M}*[\p{L}23²³]|[hH])|(?=[0-9])(?<=(?:\p{L}\p{M}*){3})/u;
/** Matches `S` in S. A. and `EE` in EE. UU. */
const INITIAL = /^[a-zñ]{1,2}$/;
/** Matches words that are also written without their hyphen, at most as long as a token. */
const HYPHENED =
  /^(?:(?:[a-zñ]|ex|anti|auto|co|inter|micro|mini|multi|pos|post|pre|semi|sub|super|vice)-[a-zñ]{2,55}|[a-zñ]{1,2}-[0-9]{1,61}|[0-9]{1,2}-[a-zñ])$/;

const ASCII = /^[a-z0-9]*$/;
const LATIN = /^[a-z0-9ñ]*$/;
const MARKS = /[\u0300-\u036f]/g;
/** Marks of Hebrew and Arabic, keycaps and variation selectors, but not vowel marks, as in Hindi. */
const OTHER_MARKS = /(?![\u3099\u309a])(?=[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}])\p{M}/gu;
const OTHER_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/** The words of a text, in order. Takes linear time. */
export function findWords(text: string): Word[] {
  return findForms(text).map((found) => {
    const { form, start, end, parts = [], tokens: known } = found;
    const written = text.slice(start, end);
    const tokens = known ?? [
      ...tokensOfWord(form, written),
      ...parts.flatMap((part) => tokensOfWord(part, part)),
    ];
    return { ...found, tokens, token: tokens[0] ?? form, written };
  });
}

/** The distinct tokens of a text. */
export function tokensOf(text: string): string[] {
  const tokens = findWords(text).flatMap(({ token, parts = [] }) => [token, ...parts.map(stem)]);
  return [...new Set(tokens)];
}

type PlainWord = Pick<Word, 'form' | 'tokens'>;

/** Recent words, which cover most of a text. They take about 10 MB, or 30 MB if all of them have accents. */
const recent = new Map<string, PlainWord>();
const mostRecent = 50_000;
/**
 * Matches words that no adjacent character but a hyphen changes. V8 copies strings of this length; longer ones would
 * keep their whole text in memory.
 */
const PLAIN = /^[a-zñáéíóúü]{3,12}$/i;

/** Undefined unless the word matches `PLAIN`. */
function plainWord(written: string): PlainWord | undefined {
  const known = recent.get(written);
  if (known || !PLAIN.test(written)) return known;
  const form = fold(written);
  const plain = { form, tokens: tokensOfWord(form, written) };
  if (recent.size === mostRecent) recent.clear();
  recent.set(written, plain);
  return plain;
}

/** Like `findWords`, without stemming. */
export function findForms(text: string): Form[] {
  const words: Form[] = [];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match; match = WORD.exec(text)) {
    const start = match.index;
    const plain = text[start - 1] === '-' ? undefined : plainWord(match[0]);
    if (plain) {
      words.push({ form: plain.form, start, end: WORD.lastIndex, tokens: plain.tokens });
      continue;
    }
    const time = timeAt(text, start);
    const numbers = time
      ? [time]
      : NUMBERED.test(match[0])
        ? numbersAt(text, start + match[0].search(/[0-9]/))
        : [];
    if (numbers.length > 0) {
      words.push(...numbers.map((found) => ({ ...found, form: found.form.slice(0, maxToken) })));
      WORD.lastIndex = numbers.at(-1)?.end ?? start;
      continue;
    }
    let end = start;
    for (const part of match[0].split(BESIDE_DIGITS)) {
      const word: Form = { form: fold(part), start: end, end: end + part.length };
      if (GEMINATE.test(part)) word.parts = part.split(GEMINATE).map(fold);
      SHARP.lastIndex = word.end;
      const [sign] = (/^[a-z]$/.test(word.form) && SHARP.exec(text)) || [''];
      word.form += SHARP_SIGNS[sign] ?? '';
      word.end += sign.length;
      if (word.form !== '' && !addToWordBefore(words, text, word)) words.push(word);
      end = word.end;
    }
  }
  return words;
}

/** In lower case, without diacritics except in ñ and without invisible characters: `Ca\u00adf\u00e9` -> `cafe`. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII.test(lower)) return lower.slice(0, maxToken);
  const read = word.replace(/(?<=[\p{L}\p{M}\p{N}])\p{Cf}+/gu, '').slice(0, maxRead);
  const [ordinal] = /\.?[ºª°]$/.exec(read) ?? [''];
  let folded = read
    .slice(0, read.length - ordinal.length)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/n[\u0300-\u0302\u0304-\u036f]*\u0303/g, 'ñ')
    .replace(MARKS, '');
  if (!LATIN.test(folded)) {
    const unseen = /[\p{L}\p{N}]/u.test(folded)
      ? /[^\p{L}\p{M}\p{N}\u2044]|\u0640/gu
      : /[\s\p{Emoji_Modifier}]|\u200d[♀♂]/gu;
    folded = folded
      .replace(OTHER_MARKS, '')
      .replace(unseen, '')
      .replace(/[ßæœøłđðþıς]/g, (letter) => OTHER_LETTERS[letter] ?? letter)
      .normalize('NFC');
  }
  // Never cut within a surrogate pair.
  const room = maxToken - ordinal.slice(-1).length;
  if (folded.length > room) folded = folded.slice(0, room).replace(/[\ud800-\udbff]$/, '');
  return folded + ordinal.slice(-1).replace('°', 'º');
}

/**
 * Joins initials with the initials before them: `S. A.` -> `sa`, `EE. UU.` and `EE UU` -> `eeuu`. Also joins words
 * that are also written without a hyphen: `e-mail` -> `email`, `AP-7` -> `ap7`, `8-M` -> `8m`.
 */
function addToWordBefore(words: Form[], text: string, word: Form): boolean {
  const before = words.at(-1);
  if (!before) return false;
  const between = text.slice(before.end, word.start);
  if (between === '-' && HYPHENED.test(`${before.form}-${word.form}`)) {
    joinTo(before, word);
    return true;
  }
  if (!isInitial(word.form)) return false;
  const isSpaced = /^\.?[ \u00a0\u202f]$/.test(between);
  const isDotted = between === '.' || (isSpaced && between.length === 2 && text[word.end] === '.');
  const areDoubled = isSpaced && word.form.length === 2;
  if (!isDotted && !areDoubled) return false;
  const parts = text
    .slice(before.start, before.end)
    .toLowerCase()
    .split(/[. \u00a0\u202f]+/);
  const areAlike = parts.every((part) => part.length === word.form.length && isInitial(part));
  if (!areAlike || parts.length === maxInitials) return false;
  joinTo(before, word);
  return true;
}

function joinTo(before: Form, { form, end }: Form): void {
  before.form += form;
  before.end = end;
  before.tokens = undefined;
}

function isInitial(letters: string): boolean {
  return INITIAL.test(letters) && (letters.length === 1 || letters[0] === letters[1]);
}
