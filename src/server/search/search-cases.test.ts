import assert from 'node:assert/strict';
import { test } from 'node:test';
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
