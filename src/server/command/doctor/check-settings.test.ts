import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../config/config.ts';
import { checkSettings } from './check-settings.ts';

test('only a PostgreSQL on another machine is advised to use TLS', () => {
  const isAdvised = (url: string) =>
    checkSettings(parseConfig({ DATABASE_URL: url })).some(
      ({ subject }) => subject === 'DATABASE_URL',
    );
  assert.ok(isAdvised('postgres://tertulia@db.example/tertulia'));
  assert.ok(isAdvised('postgres://tertulia@localhost/tertulia?host=db.example'));
  assert.ok(!isAdvised('postgres://tertulia@db.example/tertulia?sslmode=verify-full'));
  for (const near of [
    'localhost/tertulia',
    '[::1]/tertulia',
    '%2Fvar%2Frun%2Fpostgresql/tertulia',
    '/tertulia?host=/var/run/postgresql',
  ]) {
    assert.ok(!isAdvised(`postgres://${near}`), near);
  }
});
