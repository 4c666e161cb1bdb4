import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { passwordToken } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { ApiError } from '../../http/api-error.ts';
import { refuseWeakPassword } from './weak-password.ts';

const names = ['Íñigo Peña', 'inigo.p@ejemplo.es'];

/** Checks a password as for a page that asks to be warned. @returns the text of the refusal, or '' if the password is accepted */
async function warning(password: string, known: string[] = names): Promise<string> {
  try {
    await refuseWeakPassword(password, known);
    return '';
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'weak_password');
    return error.detail ?? '';
  }
}

test('refuses a password that contains the name or the e-mail address, in any spelling', async () => {
  for (const password of [
    'inigo pena',
    'xx ÍÑIGO  PEÑA 2026',
    'I\u0301n\u0303igoPen\u0303a',
    'inigo.p',
    'Inigo.P@Ejemplo.es!',
  ]) {
    assert.match(await warning(password), /^Contiene tu nombre/, password);
  }
});

test('accepts a name so short that many passwords contain it, unless it is the whole password', async () => {
  assert.equal(await warning('tres bueyes', ['bu', 'e@ejemplo.es']), '');
  assert.match(await warning('BU', ['bu']), /^Contiene/);
});

test('refuses one of the most common passwords, in any spelling', async () => {
  for (const password of ['123456', 'Qwerty', 'Prín Cess'])
    assert.match(await warning(password), /^Es una de las contraseñas más usadas/, password);
});

test('accepts other passwords, also when nothing is known about the account', async () => {
  assert.equal(await warning('caballo grapa batería'), '');
  assert.equal(await warning('caballo grapa batería', ['', ' ', '\u0301']), '');
  assert.equal(await warning('íñigo peña', []), '');
});

test('each call with a new password refuses a weak one only if it asks to be warned', async () => {
  await using forum = await Forum.start('sqlite');
  const [editor, recoverer, other] = [
    await forum.person(),
    await forum.person(),
    await forum.person(),
  ];
  const { codes } = await forum.json<{ codes: string[] }>('POST', apiRoutes.recoveryCodes, {
    token: recoverer.token,
    body: { currentPassword: recoverer.password },
  });
  const { email } = recoverer;
  const token = await passwordToken(forum, other.email);
  const own = /^Contiene tu nombre o tu correo/;
  const common = /^Es una de las contraseñas más usadas/;
  const calls: [method: string, url: string, body: object, expected: RegExp][] = [
    ['POST', apiRoutes.signUp, { name: 'Ana Ruiz', email: 'a@b.es', password: 'anaruiz' }, own],
    ['POST', apiRoutes.setPassword, { token, password: '123456' }, common],
    ['POST', apiRoutes.recover, { email, code: codes[0], password: email }, own],
    [
      'PATCH',
      apiRoutes.me,
      { currentPassword: editor.password, password: `2 ${editor.name}` },
      own,
    ],
  ];
  for (const [method, url, body, expected] of calls) {
    const call = (more: object) =>
      forum.call(method, url, { token: editor.token, body: { ...body, ...more } });
    const { detail, errors } = await expectProblem(
      await call({ warn: true }),
      400,
      'weak_password',
    );
    assert.match(detail, expected, url);
    assert.deepEqual(errors, [{ field: 'password', message: detail }]);
    assert.equal((await call({})).ok, true, url);
  }
});
