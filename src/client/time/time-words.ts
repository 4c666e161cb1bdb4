const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Each unit from the number of days at which it is used. Months and years are of average length. */
const units = [
  ['year', 365.25],
  ['month', 30.44],
  ['week', 7],
  ['day', 1],
] as const;

/** Created at their first use. The first one counts: 'la semana pasada' would not be that of the calendar. */
let relative: Intl.RelativeTimeFormat | undefined;
let full: Intl.DateTimeFormat | undefined;

/**
 * Such as 'hace 2 horas' on the same day of the browser's time zone, 'ayer' on the day before. A time
 * in the future, as by a clock that is ahead, gives 'ahora mismo'.
 */
export function relativeTime(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso);
  if (ageMs < minuteMs) return 'ahora mismo';
  relative ??= new Intl.RelativeTimeFormat('es');
  if (ageMs < hourMs) return relative.format(-Math.floor(ageMs / minuteMs), 'minute');
  const days = calendarDay(nowMs) - calendarDay(Date.parse(iso));
  if (days === 0) return relative.format(-Math.floor(ageMs / hourMs), 'hour');
  if (days <= 2) return days === 1 ? 'ayer' : 'anteayer';
  const [unit, length] = units.find(([, length]) => days >= length) ?? ['day', 1];
  return relative.format(-Math.floor(days / length), unit);
}

/** Consecutive numbers of the days in the browser's time zone. */
function calendarDay(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs;
}

/** Such as 'viernes, 20 de noviembre de 2026, 12:00', in the browser's time zone. */
export function fullTime(iso: string): string {
  full ??= new Intl.DateTimeFormat('es', { dateStyle: 'full', timeStyle: 'short' });
  return full.format(new Date(iso));
}
