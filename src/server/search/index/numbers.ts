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

/** What may stand between the groups of a telephone number, and between all digits of one with `+` or `00`. */
const between = String.raw`[ \u00a0\u2009\u202f.‐‑-]`;
const loose = String.raw`[ \u00a0\u2009\u202f.()‐‑-]{0,3}`;
/** What may stand after an area code, as in `(91) 123` and `91/123`. */
const afterArea = `(?:\\)${between}?|${between}|/)`;

/** A list of groups, such as `3 2 2 2`, with a separator between each two. */
const groups = (sizes: string) =>
  sizes
    .split(' ')
    .map((size) => `[0-9]{${size}}`)
    .join(between);

/**
 * Matches telephone numbers as they are written in Spain (nine digits) and in Mexico (ten). Numbers without a country's
 * code must have the usual groups, since other numbers also stand beside each other.
 */
const TELEPHONE = new RegExp(
  `(?:${[
    `(?:(?<=\\+)|00)34${loose}[6-9](?:${loose}[0-9]){8}`,
    `(?:(?<=\\+)|00)52(?:${loose}1)?${loose}[2-9](?:${loose}[0-9]){9}`,
    `(?:34${between})?(?:${[
      `(?=[6-9])(?:${groups('3 2 2 2')}|${groups('3 6')}|${groups('3 3 3')}(?!${between}[0-9]))`,
      `[89][1-8]${afterArea}(?:${groups('3 2 2')}|${groups('3 4')}|[0-9]{7})`,
    ].join('|')})`,
    `(?:(?:52${loose}(?:1${loose})?|0(?:1|44|45)${loose}))?(?:${[
      `(?:33|5[56]|81)${afterArea}(?:${groups('4 4')}|[0-9]{8}|${groups('2 2 2 2')}(?!${between}[0-9]))`,
      `[2-9][0-9]{2}${afterArea}(?:${groups('3 4')}|${groups('3 2 2')}|${groups('1 2 2 2')}|[0-9]{7})`,
    ].join('|')})`,
  ].join('|')})(?![0-9])`,
  'y',
);
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

/** The numbers at `start`; none when there are only digits without a country's code. */
export function numbersAt(text: string, start: number): FoundNumber[] {
  const read = (pattern: RegExp) => {
    pattern.lastIndex = start;
    return pattern.exec(text)?.[0] ?? '';
  };
  const one = (form: string, written: string): FoundNumber[] => [
    { form: form.replace(COUNTRY, ''), start, end: start + written.length },
  ];
  const telephone = read(TELEPHONE);
  if (telephone !== '') {
    const parts = telephone.match(/[0-9]+/g) ?? [];
    return one(parts.join(''), telephone).map((found) => ({ ...found, parts }));
  }
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
