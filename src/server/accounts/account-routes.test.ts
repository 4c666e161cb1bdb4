import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum.ts';
import type { Problem } from '../../shared/errors.ts';
import { apiRoutes } from '../../shared/routes.ts';

const problemOf = async (response: Response) => {
  assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  const problem = (await response.json()) as Problem;
  assert.equal(problem.status, response.status);
  return problem;
};

onBothEngines('accounts', (forum) => {
  test('signing up answers 201 with the user, without any secret', async () => {
    const response = await forum().call('POST', apiRoutes.signUp, {
      body: {
        name: ' Íñigo ',
        email: 'inigo@ejemplo.es',
        password: 'x',
        img: '/default-avatar.svg',
      },
    });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('cache-control'), 'private, no-store');
    const user = (await response.json()) as Record<string, unknown>;
    assert.deepEqual(Object.keys(user).sort(), ['email', 'id', 'img', 'name']);
    assert.equal(user.name, 'Íñigo');
    assert.equal(user.img, '/default-avatar.svg');
  });
});
