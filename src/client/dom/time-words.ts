const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** Units with the minimum number of days for each. Months and years have their average length. */
const units = [
  [365.25, 'año', 'años'],
  [30.44, 'mes', 'meses'],
  [7, 'semana', 'semanas'],
  [1, 'día', 'días'],
] as const;

/**
 * For example 'hace 2 horas' on the same day in the browser's time zone, 'ayer' on the day before. A time in the
 * future, from a clock that runs ahead, gives 'ahora mismo'. Does not use `Intl`, whose first use takes 100 ms on a
 * phone.
 */
export function relativeTime(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso);
  if (ageMs < minuteMs) return 'ahora mismo';
  if (ageMs < hourMs) return ago(Math.floor(ageMs / minuteMs), 'minuto', 'minutos');
  const days = calendarDay(nowMs) - calendarDay(Date.parse(iso));
  if (days === 0) return ago(Math.floor(ageMs / hourMs), 'hora', 'horas');
  if (days <= 2) return days === 1 ? 'ayer' : 'anteayer';
  const [length, one, many] = units.find(([length]) => days >= length) ?? units[3];
  return ago(Math.floor(days / length), one, many);
}

const ago = (count: number, one: string, many: string) =>
  `hace ${count} ${count === 1 ? one : many}`;

/** The time at which a clock in UTC shows what the reader's clock shows at the given time. */
export const clockMs = (ms: number) => ms - new Date(ms).getTimezoneOffset() * minuteMs;

/** The day's consecutive number in the browser's time zone. */
function calendarDay(ms: number): number {
  return Math.floor(clockMs(ms) / dayMs);
}

/** For example 'viernes, 20 de noviembre de 2026, 12:00', in the browser's time zone. */
export function fullTime(iso: string): string {
  return new Date(iso).toLocaleString('es', { dateStyle: 'full', timeStyle: 'short' });
}
