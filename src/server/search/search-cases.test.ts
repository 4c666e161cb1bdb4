import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { searching, textsOf } from '../../../test/forum/searching.ts';
import { findWords } from '../search-index/words.ts';
import { matches, parseQuery } from './query/parse-query.ts';

/** Searches and the results that a Spanish speaker expects. A `*` at the end means that the word is being typed. */
const cases: [query: string, text: string, isFound: boolean][] = [
  ['cancion', 'Me encanta esta canción', true],
  ['canción', 'una cancion sin acento', true],
  ['ano', 'Feliz año nuevo', false],
  ['👍', 'De acuerdo 👍🏽', true],
  ['an\u0303o', 'Feliz año nuevo', true],
  ['pinguino', 'un pingüino en la playa', true],
  ['pingüino', 'los pinguinos caminan', true],
  ['tomate', 'Compré tomates rojos', true],
  ['luces', 'La luz está apagada', true],
  ['meses', 'Falta un mes', true],
  ['canciones', 'una canción', true],
  ['profesora', 'Llegaron los profesores', true],
  ['puerto', 'Cierra la puerta', false],
  ['canc*', 'las canciones de hoy', true],
  ['caso', 'Mi casa es grande', false],
  ['ingleses', 'Habla inglés muy bien', true],
  ['tenés', '¿Tenes mate?', true],
  ['podes', 'Vos podés venir', true],
  ['cansada', 'Estoy muy cansado', true],
  ['sale', 'Ponle sal al guiso', false],
  ['universo', 'Estudia en la universidad', false],
  ['EEUU', 'Viajé a EE. UU. en mayo', true],
  ['nº 5', 'Vive en el n.º 5', true],
  ['nº', 'Yo no voy', false],
  ['1º', 'Quedó 1.º en la carrera', true],
  ['1000000', 'Ganó 1.000.000 de euros', true],
  ['3,14', 'Pi vale 3.14', true],
  ['nunez', 'El señor Núñez', false],
  ['Muñoz', 'don MUÑOZ llegó', true],
  ['collegi', 'El col·legi és gran', true],
  ['col.legi', 'El col·legi és gran', true],
  ['intel·ligència', 'La intel-ligència', true],
  ['intel-lig*', 'La intel·ligència', true],
  ['barca', '¡Visca el Barça!', true],
  ['feijoo', 'Escribió Feijóo', true],
  ['etxebe*', 'Javier Etxeberria, de Donostia', true],
  ['"de la casa"', 'la puerta de la casa', true],
  ['"casa de la"', 'la puerta de la casa', false],
  ['perro -gato', 'El perro y el gato', false],
  ['ana@ejemplo.es', 'Escribe a ana@ejemplo.es.', true],
  ['ejemplo.es', 'Mira https://www.ejemplo.es/foro?x=1', true],
  ['¿de que?', 'No sé de qué hablas', true],
  ['@maria', 'gracias @María', true],
];

for (const [query, text, isFound] of cases) {
  test(`${query} ${isFound ? 'finds' : 'does not find'} "${text}"`, () => {
    const isTyping = query.endsWith('*');
    const parsed = parseQuery(isTyping ? query.slice(0, -1) : query, isTyping);
    assert.equal(matches(parsed, text), isFound);
  });
}

/** For each telephone number and time of day, ways to write it. */
const writtenAlike = [
  [
    ...['911234567', '91 123 45 67', '91-123-45-67', '91.123.45.67', '91 1234567', '91 123 4567'],
    ...[
      '(91) 123 45 67',
      '91/123 45 67',
      '911 23 45 67',
      '911 234 567',
      '911-234-567',
      '911.234.567',
    ],
    ...[
      '+34911234567',
      '+34 91 123 45 67',
      '+34 911 23 45 67',
      '(+34) 911 234 567',
      '+34-911-234-567',
    ],
    ...[
      '0034911234567',
      '0034 91 123 45 67',
      '34911234567',
      '34 911 23 45 67',
      '91\u00a0123\u00a045\u00a067',
    ],
  ],
  ['612345678', '612 34 56 78', '612-34-56-78', '612 345 678', '612 345678', '+34 612 34 56 78'],
  [
    ...[
      '5512345678',
      '55 1234 5678',
      '55-1234-5678',
      '(55) 1234-5678',
      '(55)12345678',
      '55 12 34 56 78',
    ],
    ...['+525512345678', '+52 55 1234 5678', '+52 (55) 1234 5678', '0052 55 1234 5678'],
    ...['+52 1 55 1234 5678', '+5215512345678', '5215512345678', '52 1 55 1234 5678'],
    ...[
      '01 55 1234 5678',
      '01 (55) 1234-5678',
      '(01 55) 1234 5678',
      '015512345678',
      '044 55 1234 5678',
    ],
  ],
  [
    '2221234567',
    '222 123 4567',
    '222 123 45 67',
    '(222) 1 23 45 67',
    '(222) 123-4567',
    '01 222 123 4567',
  ],
  [
    ...['20:30', '20.30', '20:30h', '20:30 h', '20.30h', '20.30 h', '20,30 h', "20'30 h", '20h30'],
    ...['20:30 hs', '20:30 hrs', '20.30 horas'],
  ],
  ['9:05', '09:05', '09.05 h', '9.05h', '9h05'],
  ['20:00', '20 h', '20h', '20.00', '20:00 h', '20 hs', '20 hrs'],
];

for (const ways of writtenAlike) {
  test(`${ways[0]} is found, also in a phrase, and excluded in every way to write it`, () => {
    const failures = ways.flatMap((searched) =>
      ways.flatMap((written) => {
        const text = `Quedamos: ${written}, en la plaza 3.`;
        const isFound = (q: string) => matches(parseQuery(q, false), text);
        const isRight =
          isFound(searched) &&
          isFound(`"quedamos ${searched}"`) &&
          isFound(`"${searched} en la plaza"`) &&
          !isFound(`plaza -"${searched}"`) &&
          !isFound(`plaza -"quedamos ${searched}"`);
        return isRight ? [] : [`${searched} in ${written}`];
      }),
    );
    assert.deepEqual(failures, []);
  });
}

test('amounts, dates and lists of numbers are found by their numbers', () => {
  const text =
    '1.000.000 el 2026-11-29, 15/3/24: 10 000, 700 100 200 3000; a las 20:30 h, al 91 123 45 67';
  for (const q of ['1000000', '29', '"15 3 24"', '2026', '10000', '200', '700', '20', 'h', '123'])
    assert.ok(
      parseQuery(q, false)
        .required.flat()
        .every((token) => findTokens(text).has(token)),
      q,
    );
});

const findTokens = (text: string) => new Set(findWords(text).flatMap(({ tokens }) => tokens));

onBothEngines('search for telephone numbers and times', (forum) => {
  const { search, channel, write } = searching(forum);

  test('finds, excludes and quotes them in another way than they are written', async () => {
    const texts = ['Pintor: 911234567', 'Ensayo a las 20.30 h, avisad al (55) 1234-5678'];
    const [pintor, ensayo] = texts;
    await write(await channel(), ...texts);
    for (const [q, found] of [
      ['+34 91 123 45 67', pintor],
      ['"pintor 911 23 45 67"', pintor],
      ['+52 1 55 1234 5678', ensayo],
      ['"ensayo a las 20:30"', ensayo],
      ['ensayo -"5512345678"', undefined],
    ] as const)
      assert.deepEqual(textsOf(await search(q)), found ? [found] : [], q);
  });
});
