import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultText } from './poll-texts.ts';

const closed = (votes: (number | null)[], secret = false) =>
  resultText({
    ...{ multiple: false, secret, closesAt: '', isClosed: true, restartedAt: null },
    voters: votes.includes(null) ? null : 5,
    options: votes.map((count, position) => {
      return { position, text: `Opción ${position}`, start: null, votes: count };
    }),
  });

test('the result of a poll names what won, a tie, and that there is none', () => {
  assert.equal(closed([1, 3, 0]), 'Ganó: Opción 1 (3 votos)');
  assert.equal(closed([1, 0]), 'Ganó: Opción 0 (1 voto)');
  assert.equal(closed([2, 0, 2]), 'Empate: Opción 0; Opción 2 (2 votos)');
  assert.equal(closed([0, 0]), 'No ha votado nadie.');
  assert.match(closed([null, null], true), /menos de 3 personas, así que no hay resultado/);
});
