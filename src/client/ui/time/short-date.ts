const weekdays = 'dom lun mar mié jue vie sáb'.split(' ');
const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  );

/**
 * For example '20 nov 2026', in the reader's time zone. Does not use `Intl`: its output may differ between server
 * and browser, and hydration needs the same text.
 * @param isServed whether the text is rendered on the server or during hydration, in which case it is in UTC
 */
export function shortDate(iso: string, isServed = false): string {
  const date = new Date(iso);
  const [day, monthIndex, year] = isServed
    ? [date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear()]
    : [date.getDate(), date.getMonth(), date.getFullYear()];
  const month = months[monthIndex] ?? '';
  // September is abbreviated to four letters.
  const short = month.slice(0, month === 'septiembre' ? 4 : 3);
  return `${day} ${short} ${year}`;
}

/**
 * For example 'mar 24 nov, 19:05' in the reader's time zone, with the year if it is not the present one.
 * @param nowMs null on the server and during hydration. The text is then the day in UTC, for example 'mar 24 nov 2026',
 *   which is about as wide, so that nothing moves when the hour replaces the year.
 */
export function dayAndHour(iso: string, nowMs: number | null): string {
  const date = new Date(iso);
  const isServed = nowMs === null;
  const weekday = weekdays[isServed ? date.getUTCDay() : date.getDay()];
  const day = `${weekday} ${shortDate(iso, isServed)}`;
  if (isServed) return day;
  const year = date.getFullYear();
  const shown = year === new Date(nowMs).getFullYear() ? day.replace(` ${year}`, '') : day;
  return `${shown}, ${date.getHours()}:${String(date.getMinutes()).padStart(2, '0')}`;
}
