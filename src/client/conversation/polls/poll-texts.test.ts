import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenTime, resultOf, votersText, votesText } from './poll-texts.ts';

const start = '2027-03-28T20:30';
const poll = (isClosed: boolean, voters: number | null, ...votes: (number | null)[]) => ({
  ...{ isClosed, voters },
  options: votes.map((count, position) => ({
    ...{ position, text: `Opción ${position}`, votes: count },
    start: position > 0 ? start : null,
  })),
});
const told = { voters: 2, votes: [2, 1] };
const vote = { channelId: 'c1', number: 1, options: [0, 1], result: told };

test('counts are those of a closed poll, else those that somebody who voted was told', () => {
  assert.equal(resultOf(poll(false, null, null, null), null), null);
  assert.deepEqual(resultOf(poll(false, null, null, null), vote), told);
  assert.deepEqual(resultOf(poll(true, 3, 3, 1), vote), { voters: 3, votes: [3, 1] });
});

test('a closed poll says how many voted, also if there were too few or none', () => {
  const textOf = (one: ReturnType<typeof poll>) => votersText(one, resultOf(one));
  assert.equal(textOf(poll(false, null, null)), '');
  assert.match(textOf(poll(true, null, null)), /^Han votado menos de 3 personas/);
  assert.equal(textOf(poll(true, 0, 0)), 'No ha votado nadie.');
  assert.equal(textOf(poll(true, 1, 1)), 'Ha votado 1 persona.');
  assert.equal(textOf(poll(true, 1200, 1)), 'Han votado 1200 personas.');
  assert.equal(votesText(1, 3), '1 voto, 33\u00a0%');
  assert.equal(votesText(0, 0), '0 votos, 0\u00a0%');
});

test('the chosen time is the first with the most votes, if somebody voted for it', () => {
  assert.equal(chosenTime(poll(true, 3, 1, 3, 3)), start);
  assert.equal(chosenTime(poll(true, 3, 3, 1)), null);
  assert.equal(chosenTime(poll(true, 0, 0, 0)), null);
  assert.equal(chosenTime(poll(true, null, null, null)), null);
});
