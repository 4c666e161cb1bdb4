import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeTimeZone } from '../../../test/client/change-time-zone.ts';
import type { Problem } from '../../shared/errors.ts';
import { Failure, toProblem } from './failures.ts';

changeTimeZone('America/Havana');

const silenced = {
  code: 'silenced',
  detail: 'No puedes escribir en el foro. Motivo: Insultas.',
};
test("says when a restriction ends, in the reader's time zone", () => {
  const textOf = (until: string | null) => new Failure(toProblem({ ...silenced, until })).text;
  assert.equal(textOf(null), silenced.detail);
  assert.equal(
    textOf('2026-11-20T03:05:00.000Z'),
    `${silenced.detail} Dura hasta el jueves, 19 de noviembre de 2026, 22:05.`,
  );
});

const refusalOf = (status: number, code: string, errors?: Problem['errors']) =>
  new Failure({ ...silenced, status, code, errors } as Problem);

test('shows the message for the first invalid field, and names the field that another problem is about', () => {
  const errors = [
    { field: 'name', message: 'Escribe un nombre.' },
    { field: 'email', message: 'Escribe un correo.' },
  ];
  const failure = refusalOf(400, 'invalid_fields', errors);
  assert.equal(failure.text, 'Escribe un nombre.');
  assert.equal(failure.errorOf('email'), 'Escribe un correo.');
  assert.equal(refusalOf(409, 'email_taken').errorOf('email'), silenced.detail);
  assert.equal(refusalOf(403, 'silenced').errorOf('email'), undefined);
});

test('distinguishes a rejected request from one that can be repeated and one that may have been carried out', () => {
  const kinds = [400, 401, 429, 500].map((status) => refusalOf(status, 'some'));
  assert.deepEqual(
    kinds.map(({ isRefused, isUnknown }) => [isRefused, isUnknown]),
    [
      [true, false],
      [false, false],
      [false, false],
      [false, true],
    ],
  );
  assert.equal(new Failure(null).isUnknown, true);
  assert.match(new Failure(null, { isLate: true }).text, /tarda demasiado/);
});

test('says whether a response that is not the server’s is a refusal, an error or no answer', () => {
  const expected = { 0: 'No hay conexión', 399: 'No hay conexión', 400: 'No se ha aceptado' };
  const others = { 408: 'No hay conexión', 499: 'No se ha aceptado', 500: 'Ahora mismo hay' };
  for (const [status, text] of Object.entries({ ...expected, ...others })) {
    const failure = new Failure(null, { answered: Number(status) });
    assert.ok(failure.text.startsWith(text), status);
    assert.equal(failure.isRefusedByProxy, text === 'No se ha aceptado', status);
    assert.equal(failure.hasServerFailed, text === 'Ahora mismo hay', status);
  }
});
