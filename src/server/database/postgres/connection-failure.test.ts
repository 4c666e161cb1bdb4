import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPostgresDatabase } from '../../../../test/postgres/create-database.ts';
import { connectionFailure } from './connection-failure.ts';
import { openPostgresPool } from './postgres-pool.ts';

const url = 'postgres://u:secreto@db.example:6432/d';
const failure = (fields: object, message = 'x', connectionString = url) =>
  connectionFailure(Object.assign(new Error(message), fields), connectionString);

test('a failed connection is described with host and port, and without the password', () => {
  for (const [fields, message, expected] of [
    [{ code: 'ECONNRESET' }, '', /^PostgreSQL does not respond at db\.example:6432 \(ECONNRESET\)/],
    [{}, 'Connection terminated unexpectedly', /does not respond at .* \(cut off\)/],
    [{}, 'timeout expired', /\(no response\).* it needs 12 for each process and 5 more\.$/],
    [{ code: 'EAI_AGAIN' }, '', /^The host db\.example in DATABASE_URL has no address/],
    [{}, 'server_login_retry', /^The pool at .* does not reach its PostgreSQL/],
    [{ code: '28000' }, 'no entry', /lets this user or this machine not in: no entry\./],
    [{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, '', /^The certificate of PostgreSQL .* not trusted/],
    [{ code: '53300' }, '', /has no connection left\. Raise max_connections/],
    [{ code: '57P03' }, '', /is starting or shutting down/],
    [{ code: 'XX000' }, 'broken', /^PostgreSQL at db\.example:6432 cannot be used: broken\.$/],
  ] as const) {
    const described = failure(fields, message);
    assert.match(described, expected);
    assert.doesNotMatch(described, /secreto/);
  }
  const noSocket = { code: 'ENOENT', syscall: 'connect' };
  const described = failure(noSocket, '', 'postgres:///d?host=/run/postgresql');
  assert.match(described, /at \/run\/postgresql\/\.s\.PGSQL\.5432 \(no socket\)/);
});

test('a connection waits only so long for a lock or a statement, unless it is for long work', async () => {
  const database = await createPostgresDatabase();
  try {
    for (const noTimeouts of [false, true]) {
      const pool = openPostgresPool(database.url, noTimeouts);
      const client = await pool.connect();
      for (const limit of ['lock_timeout', 'statement_timeout']) {
        const { rows } = await client.query<Record<string, string>>(`show ${limit}`, []);
        assert.equal(rows[0]?.[limit] === '0', noTimeouts, limit);
      }
      client.release();
      await pool.end();
    }
  } finally {
    await database.drop();
  }
});
