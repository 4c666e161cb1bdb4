/** Texts that databases, JSON, HTML or case folding may treat differently. */

type Some<T> = readonly [T, ...T[]];

/** Each row has spellings of one address, which the forum must treat as the same account. */
export const addresses: Some<Some<string>> = [
  ['straße@ejemplo.es', 'STRASSE@ejemplo.es', 'strasse@EJEMPLO.ES', 'STRAẞE@ejemplo.es'],
  ['İstanbul@ejemplo.es', 'i\u0307stanbul@ejemplo.es', 'I\u0307STANBUL@EJEMPLO.ES'],
  ['istanbul@ejemplo.es', 'ISTANBUL@ejemplo.es'],
  ['ΣΊΣΥΦΟΣ@ejemplo.es', 'σίσυφος@ejemplo.es', 'σίσυφοσ@ejemplo.es'],
  ['jos\u00e9@ejemplo.es', 'jose\u0301@ejemplo.es', 'JOSÉ@EJEMPLO.ES'],
  ['ＡＢＣ@ejemplo.es', 'abc@ejemplo.es', 'ａｂｃ@EJEMPLO.es'],
  ['🦖@ejemplo.es', '  🦖@ejemplo.es ', '🦖@EJEMPLO.ES'],
  ['con espacios y "comillas"', 'CON ESPACIOS Y "COMILLAS"', '\u00a0con espacios y "comillas"\t'],
  ["o'brien@ejemplo.es", "O'BRIEN@ejemplo.es"],
  [`${'l'.repeat(249)}@e.es`, `${'L'.repeat(249)}@E.ES`],
  [`${'🦖'.repeat(254)}`, `${'🦖'.repeat(254)} `],
  ['%_\\%@ejemplo.es', '％_\\%@ejemplo.es'],
];

export const userNames: Some<string> = [
  'Lucía Herrero',
  'Strauß',
  'İlker',
  'Σίσυφος',
  'N\u0303andu\u0301',
  'Ｆｕｌｌｗｉｄｔｈ',
  '🦖 Dino 👨‍👩‍👧',
  '  entre   espacios  ',
  'invi\u00adsible\u200b\u0007 y\r\naparte',
  'א'.repeat(80),
  '🦖'.repeat(80),
  "Robert'); DROP TABLE accounts;--",
  '<b>negrita</b> & "comillas"',
];

export const channelNames: Some<string> = [
  ...userNames,
  'ñ'.repeat(120),
  '\u202eal revés',
  'مقهى الحي',
];

export const longTexts: Some<string> = [
  'Hola',
  'Uno\n\ndos\n\tcon sangría\n',
  'Uno\r\ndos\vtres\u2028cuatro\u0007\u009f\u0002',
  'שלום עולם, hola \u202e etrever\u202c y \u2067بعد\u2069',
  '👨‍👩‍👧‍👦🏳️‍🌈🇪🇸'.repeat(20),
  'e\u0301'.repeat(50),
  '\ufeffcon marca de orden',
  "</script><script>alert('1')</script>",
  '\\u0000 no es NUL, ni %00, ni $1, ni ?',
  'ñ'.repeat(5000),
  '𝒳'.repeat(2500),
];

/** Texts that every field must reject. */
export const badTexts: Some<string> = [
  '',
  '   \n\t ',
  '\u200b\u2060',
  '\u0007\u009f\r',
  'a\u0000b',
  'a\ud800b',
  'x'.repeat(10_001),
];

/** Ids, names and cursors that the forum never issued. */
export const madeUp: Some<string> = [
  'nada',
  '0',
  '-1',
  '00000000-0000-7000-8000-000000000000',
  'a\u0000b',
  '\u0000',
  '\ufffd',
  "' or 1=1 --",
  'ÁÉÍ',
  '😀',
  'x'.repeat(300),
];

/** Cursors of the channel list; some are well-formed but name no channel. */
export const madeUpCursors: Some<string> = [
  ...madeUp,
  '',
  '1_',
  '_',
  '1_x',
  '1_00000000-0000-7000-8000-000000000000',
  '0_ffffffff-ffff-ffff-ffff-ffffffffffff',
  '999999999_ffffffff-ffff-ffff-ffff-ffffffffffff',
  '9999999999_ffffffff-ffff-ffff-ffff-ffffffffffff',
  `1_${'-'.repeat(36)}`,
  `1_${'0-'.repeat(18)}`,
  `0_${'f'.repeat(36)}`,
];

export const covers: Some<string> = [
  '/default-avatar.svg',
  '/files/images/a.jpg',
  '/files/images/caf%C3%A9.jpg',
  'https://ejemplo.es/a.png?x=%00&y=ñ',
];

export const badCovers: Some<string> = ['', 'a.png', 'javascript:alert(1)', '/files/\u0000', '//x'];
