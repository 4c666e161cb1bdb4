import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWords, tokensOf } from './words.ts';

function tokens(text: string): string {
  return findWords(text)
    .map(({ token }) => token)
    .join(' ');
}

/** Texts that differ in spelling, with the tokens that all of them have. */
const writings: [what: string, tokens: string, ...texts: string[]][] = [
  ['thousands', '1000000', '1.000.000', '1000000', '1,000,000', "1'000'000"],
  [
    'thousands with spaces',
    '10000 y 1000000 y 1234·5',
    '10 000 y 1 000 000 y 1\u202f234,5',
    '10\u00a0000 y 1\u2009000\u2009000 y 1\u00a0234,5',
    '10.000 y 1.000.000 y 1234.5',
  ],
  ['numbers beside each other', '2026 100 12 345 6', '2026 100 12 345 6', '2026-100-12-345-6'],
  ['degrees', '20 c 5 f', '20ºC 5ºF', '20 ºC 5 °F', '20° C 5 F', '20ºc 5º f'],
  ['doors', '3º b 4 c', '3ºB 4ºC', '3º B 4.º C', '3.º B, 4º C'],
  ['units', '10 km 50 m2 30 h 1 er', '10km 50m² 30h 1er', '10 km 50 m2 30 h 1.er'],
  ['numbers of words', 'covid 19 window 10', 'covid19 windows10', 'COVID-19, Windows 10'],
  ['letters and hyphens', 'email m30 ap7 8m', 'e-mail M-30 AP-7 8-M', 'email M30 AP7 8M'],
  ['hyphens between words', 'pp psoe a b 2 1', 'PP-PSOE A-B 2-1', 'pp psoe a b 2 1'],
  ['decimals', '10000·50', '10.000,50', '10000,50', '10000.50', '10,000.50'],
  ['fractions of one', '0·125', '0,125', '0.125'],
  ['dates', '21 11 2026', '21/11/2026', '21.11.2026', '21-11-2026'],
  ['versions', '2·0 1·10', 'v2.0 V1.10', '2.0 1.10'],
  ['languages', 'c♯ c⧺ f♯ c vitamina c', 'C# C++ F# C, vitamina C.', 'c# c++ f# c vitamina c'],
  ['prefixes with a hyphen', 'exalumno antirrobo', 'ex-alumno anti-rrobo', 'exalumno antirrobo'],
  ['times and versions', '18·30 1 2 3', '18:30 1.2.3', '18:30, (1.2.3).'],
  ['times with seconds', '18 30 15', '18:30:15', '18 30 15'],
  ['prices', '20·50 1·5 y 25·90', '20,50 1,5 y 25.90', '20.50 1.5 y 25,90'],
  [
    'dates beside numbers',
    '2026 11 29 15 3 24 700 100 200 3000',
    '2026-11-29, 15/3/24, 700 100 200 3000',
    '2026 11 29 15 3 24 700-100-200-3000',
  ],
  ['groups of other sizes', '1 234 56', '1.234.56', '1,234,56'],
  ['numbers and ordinals', 'nº 5', 'n.º 5', 'Nº 5', 'n° 5', 'N.° 5,'],
  ['ordinals', '1º 2ª', '1º 2ª', '1.º 2.ª', '1° 2ª'],
  [
    'initials of plurals',
    'eeuu',
    'EE. UU.',
    'EEUU',
    'EE.UU.',
    'EE UU',
    'ee. uu.',
    'EE.\u00a0UU.',
    'EE. UU',
  ],
  ['initials', 'sa', 'S. A.', 'S.A.', 'S.A', 'SA', 's.a.'],
  [
    'letters that end a sentence',
    'vitamina a y luego',
    'Vitamina A. Y luego',
    'vitamina a y luego',
  ],
  ['different initials', 'am eeuu', 'a. m. EE. UU.', 'am EEUU'],
  ['other abbreviations', 'p ej', 'p. ej.', 'p.ej.'],
  [
    'words with @, #, . and _',
    'ana lopez ejemplo es',
    '@ana_lopez #ejemplo.es',
    'ana.lopez@ejemplo.es',
  ],
  [
    'Catalan l·l',
    'collegi de l illusio',
    ...['·', '.', '-', '•', '‧', '∙', '⋅', '\u2010', '\u2011', ''].map(
      (dot) => `col${dot}legi de l'il${dot}lusió`,
    ),
    ...['COL·LEGI DE L’IL·LUSIÓ', 'COL.LEGI DE L’IL-LUSIÓ', 'coŀlegi de l’Il.lusió.'],
  ],
  [
    'l.l that is none',
    's l l sll el sol luego al lat',
    'S L L, SLL. El sol.Luego, al-Lat',
    'S L L S.L.L. El sol. Luego: al Lat',
  ],
  ['elided articles', 'l home d olot', "l'home d'Olot", 'L’home d’Olot'],
  ['skin tones', '👍', '👍', '👍🏽', '👍🏿'],
  ['variants of emoji', '❤', '❤', '❤️', '❤\ufe0e'],
  ['joined emoji', '👩\u200d💻', '👩\u200d💻', '👩🏽\u200d💻', '👩🏿\u200d💻'],
  ['genders of emoji', '🤷', '🤷', '🤷\u200d♂️', '🤷🏻\u200d♀'],
  ['flags', '🇪🇸 🇲🇽 🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇪🇸🇲🇽🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇪🇸 🇲🇽 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['keycaps', '1', '1️⃣', '1⃣', '1'],
  [
    'invisible characters',
    'palabra',
    'pala\u00adbra',
    '\ufeffpala\u200bbra\u200d',
    'pa\u2060labra',
  ],
  ['ñ', 'ñandu', 'ñandú', 'ÑANDU\u0301', 'n\u0303andu', 'N\u0303ANDÚ', 'n\u0323\u0303andu'],
  ['other marks', 'barca', 'barça', 'BARÇA', 'barc\u0327a', 'bärćâ', 'ḃàŗčå'],
  ['widths and ligatures', 'ofinal m2', 'oﬁnal m²', 'ＯＦＩＮＡＬ ｍ２'],
  ['letters of other languages', 'lodz orsted aether', 'Łódź Ørsted Æther', 'LÓDŹ ØRSTED ÆTHER'],
  ['Turkish i', 'istanbul', 'İstanbul', 'ıstanbul', 'ISTANBUL'],
  ['ß', 'gross', 'groß', 'GROẞ', 'GROSS'],
  ['Greek and Cyrillic', 'λογοσ елка', 'λόγος ёлка', 'ΛΌΓΟΣ ЁЛКА', 'λογοσ елка'],
  ['Arabic and Hebrew', 'العربية עברית', 'الْعَرَبِيَّة עִבְרִית', 'العربيّة עברית'],
  ['scripts without spaces', '漢 字 か 한국어 ไ ท ย', '漢字か한국어ไทย', '漢 字 か 한국어 ไ ท ย'],
  ['digits in words', 'mp3 covid 19 3d', 'MP3 covid-19 3D', 'mp3, «Covid 19» (3d)'],
  ['signs', '', '', ' ', '¿? ¡! … — _ * " © ™ € \u0301\u200d', '\0', '\ud83d', '🏽', '#️⃣'],
];

for (const [what, expected, ...texts] of writings) {
  test(`all spellings of ${what} have the same tokens`, () => {
    assert.deepEqual(
      texts.map(tokens),
      texts.map(() => expected),
    );
  });
}

test('n and ñ are two letters', () => {
  assert.equal(tokens('ano año ANO AÑO'), 'ano año ano año');
});

test('positions refer to the original text, even if lower case has another length', () => {
  const text = 'İİ ß👍🏽, an\u0303os\u0301 n.º 1.000,5 EE. UU. col·legi\u200b ﷺ fin';
  const written = findWords(text).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(written, [
    ...['İİ', 'ß', '👍🏽', 'an\u0303os\u0301', 'n.º', '1.000,5', 'EE. UU', 'col·legi', 'ﷺ', 'fin'],
  ]);
});

test('tokens consist of letters, digits or characters beyond ASCII, at most 64 code units', () => {
  const points = Array.from({ length: 0x1fb00 }, (_, point) => String.fromCodePoint(point));
  const written = points.filter((point) => /(?!\p{sc=Hang}|\p{sc=Han})[^\p{C}\p{Z}]/u.test(point));
  const text = written
    .map((point) => `${point} 1${point} a${point}1 a${point.repeat(35)}`)
    .join(' ');
  const tokens = findWords(`${text} ${'a'.repeat(100)} ${'1'.repeat(100)}º`).map(
    ({ token }) => token,
  );
  const odd = tokens.filter(
    (token) =>
      !/^[a-z0-9\u0080-\uffff]{1,64}$/.test(token) || /\s/.test(token) || !token.isWellFormed(),
  );
  assert.deepEqual(odd, []);
});

test('a word with a dot or a hyphen between two l is also found by its parts', () => {
  const address = 'raul.lopez@ejemplo.es';
  assert.deepEqual(tokensOf(address), ['raullopez', 'raul', 'lopez', 'ejemplo', 'es']);
  assert.deepEqual(findWords(address)[0]?.tokens, ['raullopez', 'raul', 'lopez']);
});

test('each token of a text is listed once', () => {
  assert.deepEqual(tokensOf('La luz y las luces, la LUZ'), ['la', 'luz', 'y', 'las']);
});
