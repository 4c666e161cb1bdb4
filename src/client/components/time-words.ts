const months = [
  'ene',
  'feb',
  'mar',
  'abr',
  'may',
  'jun',
  'jul',
  'ago',
  'sept',
  'oct',
  'nov',
  'dic',
];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Each unit from the age at which it is used. Months and years are of average length. */
const units = [
  ['year', 365.25 * dayMs],
  ['month', 30.44 * dayMs],
  ['week', 7 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const;

/**
 * Such as '20 nov 2026', in UTC. Its own table of months, because the server's and the browser's
 * `Intl` may differ, and what both render must not.
 */
export function shortDate(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Such as 'hace 2 horas'. A clock that is ahead of ours shows as now. */
export function relativeTime(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso);
  const unit = units.find(([, lengthMs]) => ageMs >= lengthMs);
  if (!unit) return 'ahora mismo';
  const words = new Intl.RelativeTimeFormat('es', { numeric: 'auto' });
  return words.format(-Math.floor(ageMs / unit[1]), unit[0]);
}

/** Date and time in full, where the reader is. */
export function fullTime(iso: string): string {
  const words = new Intl.DateTimeFormat('es', { dateStyle: 'full', timeStyle: 'short' });
  return words.format(new Date(iso));
}
