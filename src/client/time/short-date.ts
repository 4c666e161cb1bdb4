const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  );

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
