import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import { changeValues } from '../../../../test/change-values.ts';
import { realHashCost } from '../../../../test/forum/forum.ts';
import { ApiError } from '../../http/api-error.ts';
import { dummyHash, hashCost, hashPassword, verifyPassword } from './passwords.ts';

changeValues(hashCost, realHashCost);

test('a password matches its own hash and no other', async () => {
  const phc = await hashPassword('contraseña 🦖');
  assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.equal(await verifyPassword('contraseña 🦖', phc), true);
  assert.equal(await verifyPassword('contraseña', phc), false);
  assert.notEqual(await hashPassword('contraseña 🦖'), phc);
});

test('a hash is verified with the cost that it was created with', async () => {
  const tag = argon2Sync('argon2id', {
    message: 'x',
    nonce: Buffer.alloc(16, 1),
    memory: 64,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  });
  const salt = Buffer.alloc(16, 1).toString('base64');
  const phc = `$argon2id$v=19$m=64,t=1,p=1$${salt}$${tag.toString('base64')}`;
  assert.equal(await verifyPassword('x', phc), true);
  assert.equal(await verifyPassword('y', phc), false);
});

test('no password matches the dummy hash or an invalid one', async () => {
  assert.equal(await verifyPassword('', dummyHash()), false);
  assert.equal(await verifyPassword('x', 'no es un hash'), false);
});

test('too many verifications at once fail with unavailable', async () => {
  const phc = await hashPassword('x');
  const checks = await Promise.allSettled(
    Array.from({ length: 100 }, () => verifyPassword('x', phc)),
  );
  const [checked, rejected] = [
    checks.filter((check) => check.status === 'fulfilled'),
    checks.filter((check) => check.status === 'rejected'),
  ];
  assert.ok(checked.length >= 64 && rejected.length > 0, `${checked.length} were checked`);
  assert.ok(checked.every(({ value }) => value));
  for (const { reason } of rejected) {
    assert.ok(reason instanceof ApiError && reason.code === 'unavailable');
    assert.equal(reason.headers['retry-after'], '5');
  }
});
