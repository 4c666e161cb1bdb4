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
