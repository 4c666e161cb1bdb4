import { clockMs } from '../../dom/time-words.ts';

/** The days of the week, then the months. */
const names = 'dom lun mar mié jue vie sáb ene feb mar abr may jun jul ago sept oct nov dic'.split(
  ' ',
);

/** A date whose UTC fields are those of the reader's clock, or of UTC itself on the server. */
function clockTime(iso: string, isServed: boolean): Date {
  const ms = Date.parse(iso);
  return new Date(isServed ? ms : clockMs(ms));
}

/**
 * For example '20 nov 2026', in the reader's time zone. Does not use `Intl`: its output may differ between server
 * and browser, and hydration needs the same text.
 * @param isServed whether the text is rendered on the server or during hydration, in which case it is in UTC
 */
export const shortDate = (iso: string, isServed = false) => dayOf(clockTime(iso, isServed));

const dayOf = (date: Date) =>
  `${date.getUTCDate()} ${names[7 + date.getUTCMonth()]} ${date.getUTCFullYear()}`;

const weekdayOf = (date: Date) => `${names[date.getUTCDay()]} ${dayOf(date)}`;

/**
 * For example 'mar 24 nov 2026, 19:05', in the reader's time zone.
 * @param isServed whether the text is rendered on the server or during hydration, in which case it is in UTC and says so
 */
export function fullDate(iso: string, isServed = false): string {
  const date = clockTime(iso, isServed);
  const hour = date.toISOString().slice(11, 16);
  return `${weekdayOf(date)}, ${hour}${isServed ? ' UTC' : ''}`;
}

/**
 * For example 'mar 24 nov, 19:05' in the reader's time zone, with the year if it is not the present one.
 * @param nowMs null on the server and during hydration. The text is then the day in UTC, for example 'mar 24 nov 2026',
 *   which is about as wide, so that nothing moves when the hour replaces the year.
 */
export function dayAndHour(iso: string, nowMs: number | null): string {
  if (nowMs === null) return weekdayOf(clockTime(iso, true));
  return fullDate(iso).replace(` ${new Date(nowMs).getFullYear()},`, ',');
}
