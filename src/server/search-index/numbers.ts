/** A number in a text, with the fields of `Form`. */
interface FoundNumber {
  form: string;
  start: number;
  end: number;
  /** Its groups of digits as they stand in the text, by which it is found as well. */
  parts?: string[];
}

const DIGITS = /^[0-9]+$/;
const NUMBER = /[0-9]+(?:[.,'’·][0-9]+)*/y;
const SEPARATOR = /[.,'’·]/;
/** Matches `10 000` and `1 000 000`. */
const SPACED_NUMBER =
  /(?<![0-9][ \u00a0\u2009\u202f-])[1-9][0-9]{0,2}(?:(?:[\u00a0\u2009\u202f][0-9]{3}){1,9}|(?: [0-9]{3}){2,9}| 000)(?:[.,][0-9]+)?(?![0-9]|[ \u00a0\u2009\u202f-][0-9])/y;
/**
 * Matches a time of day: `20:30`, `20.30 h`, `20h30`, `20 h`. Of a time without `:` and `h`, such as `20.30`, nobody can
 * say whether it is a price; both have the same form.
 */
const TIME =
  /(?<![0-9][:.,'’·])([01]?[0-9]|2[0-4])(?:([:.,'’·h])([0-5][0-9])(?![0-9]|[:.,'’·][0-9])(?:[ \u00a0\u202f]?(h|hs|hrs|horas?)(?![\p{L}\p{N}]))?|[ \u00a0\u202f]?(h|hs|hrs)(?![\p{L}\p{N}]))/iuy;

/** Matches groups of digits, with what may stand between those of a telephone number: `(91) 123-45.67`, `91/123`. */
const GROUPS =
  /[0-9]{1,16}(?:(?:\)[ \u00a0\u2009\u202f./‐‑-]?\(?|[ \u00a0\u2009\u202f./‐‑-]\(?|\()[0-9]{1,16}){0,8}/y;
/**
 * The sizes of the groups in which telephone numbers are written, of nine digits in Spain and of ten in Mexico, and how the
 * number begins. Other numbers stand beside each other too, so other groups count only behind the code of the country.
 */
const telephones: Record<string, RegExp> = {
  '3 2 2 2': /^[6-9]/,
  '3 6': /^[6-9]/,
  '3 3 3': /^[6-9]/,
  '2 3 2 2': /^[89][1-8]/,
  '2 3 4': /^[89][1-8]/,
  '2 7': /^[89][1-8]/,
  '2 4 4': /^(?:33|5[56]|81)/,
  '2 8': /^(?:33|5[56]|81)/,
  '2 2 2 2 2': /^(?:33|5[56]|81)/,
  '3 3 4': /^[2-9]/,
  '3 3 2 2': /^[2-9]/,
  '3 1 2 2 2': /^[2-9]/,
  '3 7': /^[2-9]/,
};
/** Groups that lists of numbers and amounts have as well, and that are no telephone number when another number follows. */
const listed = ['3 3 3', '2 2 2 2 2'];
/** Matches the code of Spain or Mexico, with the former prefixes of Mexican numbers. */
const COUNTRY = /^(?:(?:00)?34(?=[6-9][0-9]{8}$)|(?:(?:00)?521?|01|04[45])(?=[2-9][0-9]{9}$))/;

/** The time of day at `start`. */
export function timeAt(text: string, start: number): FoundNumber | undefined {
  TIME.lastIndex = start;
  const [written, hour = '', sign, minutes = '00', ...signs] = TIME.exec(text) ?? [];
  if (written === undefined) return undefined;
  const form = `${Number(hour)}·${minutes}`;
  const found = { form, start, end: start + written.length };
  const unit = signs.find(Boolean);
  const isCertain = unit !== undefined || sign === ':' || sign?.toLowerCase() === 'h';
  if (!isCertain) return found;
  const parts = written.toLowerCase().match(/[0-9]+|\p{L}+/gu) ?? [];
  return { ...found, parts };
}

/** Digits of the shortest and the longest telephone number, with the code of its country. */
const fewestDigits = 9;
const mostDigits = 16;

/** The longest telephone number at `start`. @param written groups of digits at that place */
function telephoneAt(text: string, start: number, written: string): FoundNumber | undefined {
  if (written.length < fewestDigits) return undefined;
  const groups = [...written.matchAll(/[0-9]+/g)];
  const isCut = /^[0-9]|^[.,'’·][0-9]/.test(
    text.slice(start + written.length, start + written.length + 2),
  );
  let digits = '';
  let allSizes = '';
  let longest: FoundNumber | undefined;
  for (const [index, group] of groups.entries()) {
    digits += group[0];
    allSizes += `${index === 0 ? '' : ' '}${group[0].length}`;
    if (digits.length > mostDigits) break;
    if (digits.length < fewestDigits) continue;
    const form = digits.replace(COUNTRY, '');
    const before = digits.length - form.length;
    // Most groups of digits are none, so this comes before all that costs more.
    if (before === 0 && !Object.hasOwn(telephones, allSizes)) continue;
    const parts = groups.slice(0, index + 1).map(([part]) => part);
    const hasCode = before > 0 && (text[start - 1] === '+' || digits.startsWith('00'));
    const sizes = sizesBehind(parts, before);
    const isOfList = listed.includes(sizes) && (index < groups.length - 1 || isCut);
    if (!hasCode && (!telephones[sizes]?.test(form) || isOfList)) continue;
    longest = { form, start, end: start + group.index + group[0].length, parts };
  }
  return longest;
}

/** The sizes of the groups behind a country's code of so many digits; empty if it does not end with a group. */
function sizesBehind(parts: string[], codeDigits: number): string {
  let left = codeDigits;
  const own = parts.filter(({ length }) => {
    const isOwn = left <= 0;
    left -= length;
    return isOwn;
  });
  const ownDigits = own.reduce((sum, { length }) => sum + length, 0);
  const digits = parts.reduce((sum, { length }) => sum + length, 0);
  return ownDigits === digits - codeDigits ? own.map(({ length }) => length).join(' ') : '';
}

/** The numbers at `start`; none when there are only digits without a country's code. */
export function numbersAt(text: string, start: number): FoundNumber[] {
  const read = (pattern: RegExp) => {
    pattern.lastIndex = start;
    return pattern.exec(text)?.[0] ?? '';
  };
  const one = (form: string, written: string): FoundNumber[] => [
    { form: form.replace(COUNTRY, ''), start, end: start + written.length },
  ];
  const telephone = telephoneAt(text, start, read(GROUPS));
  if (telephone) return [telephone];
  const spaced = read(SPACED_NUMBER);
  if (spaced !== '') return one(spaced.replace(/[^0-9.,]/g, '').replace(/[.,]/, '·'), spaced);
  const written = read(NUMBER);
  if (DIGITS.test(written)) return COUNTRY.test(written) ? one(written, written) : [];
  const parts = written.split(SEPARATOR);
  const separators = written.replace(/[0-9]+/g, '');
  // Groups of three digits have the same separator, and decimals another: 1.000.000 and 10.000,50; not 0.125.
  const other = separators.split('').findIndex((separator) => separator !== separators[0]);
  const grouped = other === -1 ? separators.length : other;
  const isGrouped =
    /^[1-9][0-9]{0,2}$/.test(parts[0] ?? '') &&
    parts.slice(1, grouped + 1).every((part) => part.length === 3);
  const decimals = separators.length - (isGrouped ? grouped : 0);
  if (decimals <= 1) {
    const whole = parts.slice(0, parts.length - decimals).join('');
    return one(decimals === 0 ? whole : `${whole}·${parts.at(-1)}`, written);
  }
  // Dates and versions such as 21.11.2026 and 1.2.3 are several numbers.
  let end = start - 1;
  return parts.map((part) => {
    const from = end + 1;
    end = from + part.length;
    return { form: part, start: from, end };
  });
}
