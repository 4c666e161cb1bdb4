/** Real browsers send shorter user agents. */
const maxChars = 400;

/** Tokens of the header, most specific first: most browsers also name the browsers they derive from. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Opera', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['YaBrowser/', 'Yandex'],
  ['DuckDuckGo/', 'DuckDuckGo'],
  ['FxiOS/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chromium/', 'Chromium'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const systems = [
  ['iPad', 'iPad'],
  ['iPhone', 'iPhone'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'Mac'],
  ['Linux', 'Linux'],
] as const;

/**
 * Describes the browser and system for people, such as "Firefox en Android", without further details.
 * @param userAgent the header, which clients may set to anything
 */
export function browserName(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, maxChars);
  const find = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => text.includes(mark))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (system) return `${browser ?? 'Navegador'} en ${system}`;
  return browser ?? 'Navegador desconocido';
}
