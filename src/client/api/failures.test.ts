import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, toProblem } from './failures.ts';

const silenced = {
  code: 'silenced',
  detail: 'No puedes escribir en el foro. Motivo: Insultas.',
};
const textIn = (zone: string, until: string | null) => {
  process.env.TZ = zone;
  return new Failure(toProblem({ ...silenced, until })).text;
};

test('says until when somebody may not write, in the time of the reader', () => {
  assert.equal(textIn('America/Bogota', null), silenced.detail);
  assert.equal(
    textIn('America/Bogota', '2026-11-20T03:05:00.000Z'),
    `${silenced.detail} Dura hasta el jueves, 19 de noviembre de 2026, 22:05.`,
  );
});
