const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  );
const weekdays = 'domingo lunes martes miércoles jueves viernes sábado'.split(' ');

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

/** Made when first needed, and once. */
let relative: Intl.RelativeTimeFormat | undefined;

/**
 * Such as '20 nov 2026', in UTC. Its own table of months, because the server's and the browser's
 * `Intl` may differ, and what both render must not.
 */
export function shortDate(iso: string): string {
  const date = new Date(iso);
  const month = months[date.getUTCMonth()] ?? '';
  // Three letters, but 'sept'.
  const short = month.slice(0, month === 'septiembre' ? 4 : 3);
  return `${date.getUTCDate()} ${short} ${date.getUTCFullYear()}`;
}

/** Such as 'hace 2 horas'. A clock that is ahead of ours shows as now. */
export function relativeTime(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso);
  const unit = units.find(([, lengthMs]) => ageMs >= lengthMs);
  if (!unit) return 'ahora mismo';
  relative ??= new Intl.RelativeTimeFormat('es', { numeric: 'auto' });
  return relative.format(-Math.floor(ageMs / unit[1]), unit[0]);
}

/**
 * Date and time in full, where the reader is, as `Intl` writes them: it takes a phone 50 ms to get
 * ready to, in the moment when a channel's page is about to answer.
 */
export function fullTime(iso: string): string {
  const date = new Date(iso);
  const day = `${date.getDate()} de ${months[date.getMonth()]} de ${date.getFullYear()}`;
  const minutes = `${date.getMinutes()}`.padStart(2, '0');
  return `${weekdays[date.getDay()]}, ${day}, ${date.getHours()}:${minutes}`;
}
