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

/** Created at its first use. */
let relative: Intl.RelativeTimeFormat | undefined;

/**
 * Such as '20 nov 2026', in UTC. Does not use `Intl`: its output may differ between server and
 * browser, and hydration needs the same text.
 */
export function shortDate(iso: string): string {
  const date = new Date(iso);
  const month = months[date.getUTCMonth()] ?? '';
  // September is abbreviated to four letters.
  const short = month.slice(0, month === 'septiembre' ? 4 : 3);
  return `${date.getUTCDate()} ${short} ${date.getUTCFullYear()}`;
}

/** Such as 'hace 2 horas'. A time in the future, as by a clock that is ahead, gives 'ahora mismo'. */
export function relativeTime(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso);
  const unit = units.find(([, lengthMs]) => ageMs >= lengthMs);
  if (!unit) return 'ahora mismo';
  relative ??= new Intl.RelativeTimeFormat('es', { numeric: 'auto' });
  return relative.format(-Math.floor(ageMs / unit[1]), unit[0]);
}

/**
 * Such as 'viernes, 20 de noviembre de 2026, 12:00', in the browser's time zone. The same text as
 * `Intl.DateTimeFormat` gives, which takes a phone 50 ms to create while a channel hydrates.
 */
export function fullTime(iso: string): string {
  const date = new Date(iso);
  const day = `${date.getDate()} de ${months[date.getMonth()]} de ${date.getFullYear()}`;
  const minutes = `${date.getMinutes()}`.padStart(2, '0');
  return `${weekdays[date.getDay()]}, ${day}, ${date.getHours()}:${minutes}`;
}
