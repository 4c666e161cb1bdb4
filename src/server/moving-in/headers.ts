import { visibleName } from '../../shared/clean-text.ts';
import { dayMs } from '../system/times.ts';
import { isNotice } from './notices.ts';

/**
 * The forms in which messages begin. `\s` also matches the no-break spaces U+00A0 and U+202F, which stand before "p. m.".
 * | Android | `15/3/24, 9:05 - Ana: hola`, `15/3/2024 9:05 p. m. - Ana: hola` |
 * | iOS | `[15/3/24, 9:05:12] Ana: hola`, `[15/3/24 9:05:12 p. m.] Ana: hola` |
 * | older iOS | `15/3/16, 9:05:12: Ana: hola` |
 */
const form =
  /^(?<start>\[?)(?<first>\d{1,4})(?<separator>[/.-])(?<second>\d{1,2})\k<separator>(?<third>\d{2,4})(?<comma>,?)\s(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?<seconds>:[0-5]\d)?(?<half>\s?[ap]\.?\s?m\.?)?(?<end> - |\] |: )/i;
/** Marks of direction, and that of byte order, before a header. */
const marks = /^[\u200e\u200f\u202a-\u202e\ufeff]+/;

/** Which number of `15/3/24` is the day. */
export type DateOrder = 'day-month' | 'month-day';

export interface Header {
  /** Equal for headers of one form: brackets, separator, comma, digits of the year, seconds, 12 or 24 hours. */
  form: string;
  /** The three numbers of the date, in the order of the text. */
  date: [string, string, string];
  /** Milliseconds since midnight. */
  timeMs: number;
  /** The author of the message, at most 200 code units; '' for a notice of WhatsApp about the group. */
  person: string;
  /** The first line of the text, with its marks. */
  body: string;
}

/** @returns undefined for a line that neither has the form of a header nor names a person or a notice */
export function parseHeader(line: string): Header | undefined {
  const text = line.replace(marks, '');
  const match = form.exec(text);
  const author = match && parseAuthor(text.slice(match[0].length));
  if (!match?.groups || !author) return undefined;
  const { start, first = '', separator, second = '', third = '', comma, end } = match.groups;
  const { hour, minute, seconds, half } = match.groups;
  const isPm = /p/i.test(half ?? '');
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isPm ? 12 : 0);
  const shape = [start, first.length > 2, separator, third.length, comma, !seconds, !half, end];
  return {
    form: shape.join(),
    date: [first, second, third],
    timeMs: ((hours * 60 + Number(minute)) * 60 + Number(seconds?.slice(1) ?? 0)) * 1000,
    ...author,
  };
}

/** Code units of a name, of which the rest is left out. Names of contacts are shorter. */
const longestName = 200;
const quote = /["“”]/;

/** Separates the person from the text. */
function parseAuthor(rest: string): { person: string; body: string } | undefined {
  const end = rest.search(/: |:$/);
  const head = end < 0 ? rest : rest.slice(0, end);
  // The colon may be in the name of the group: `Ana creó el grupo "Obras: portal 3"`.
  const isQuoted = head.split(quote).length % 2 === 0;
  if ((end < 0 || isQuoted) && isNotice(head)) return { person: '', body: rest };
  if (end < 0) return undefined;
  // Words under an invisible name are never those of the person before.
  const name = visibleName(head).trim() || head || ' ';
  return { person: name.slice(0, longestName).toWellFormed(), body: rest.slice(end + 2) };
}

/** Nothing is older than WhatsApp. */
const oldestMs = Date.UTC(2009);

/**
 * Time on the clock of the phone that made the export, in milliseconds as if it were UTC.
 * @param latestMs no message is later
 * @returns undefined when there is no such day, or no message can be from it
 */
export function wallMs(
  { date: [first, second, third], timeMs }: Header,
  order: DateOrder,
  latestMs: number,
): number | undefined {
  const isYearFirst = first.length > 2;
  const [day, month] = order === 'day-month' ? [first, second] : [second, first];
  const numbers = isYearFirst ? [first, second, third] : [third.padStart(4, '20'), month, day];
  const midnight = Date.parse(
    `${numbers.map((number) => number.padStart(2, '0')).join('-')}T00:00Z`,
  );
  const isDay = new Date(midnight).getUTCDate() === Number(isYearFirst ? third : day);
  const ms = midnight + timeMs;
  return isDay && timeMs < dayMs && ms >= oldestMs && ms <= latestMs ? ms : undefined;
}
