import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { ServerProcess } from '../processes/server-process.ts';

const tries = 60;
/** Allowed difference as a share of a sign-in's time, large enough for other work on the machine. */
const differenceShare = 0.25;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length / 2] ?? 0;

describe('signing in', () => {
  let dataDir: string;
  // A separate process, because it hashes passwords at their real cost.
  let server: ServerProcess;
  let forum: ForumClient;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-sign-in-'));
    server = await ServerProcess.start({ DATA_DIR: dataDir, RATE_LIMITS: 'off' });
    forum = new ForumClient(server.url);
  });
  after(async () => {
    server?.kill('SIGKILL');
    await server?.ended;
    await rm(dataDir, { recursive: true, force: true });
  });

  test('takes as long with an unknown e-mail as with a wrong password', async (t) => {
    const { email } = await forum.person();
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let i = 0; i < tries * 2; i++) {
      const who = i % 2 ? 'known' : 'unknown';
      const startMs = performance.now();
      const response = await forum.signIn(who === 'known' ? email : `nadie${i}@ejemplo.es`, 'mal');
      await response.text();
      took[who].push(performance.now() - startMs);
      assert.equal(response.status, 401);
    }
    const [known, unknown] = [median(took.known), median(took.unknown)];
    t.diagnostic(`median: known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`);
    assert.ok(Math.abs(known - unknown) < known * differenceShare);
  });

  test('recovering the access takes as long with an unknown address as with a wrong code', async (t) => {
    const person = await forum.person();
    await forum.json('POST', apiRoutes.recoveryCodes, {
      token: person.token,
      body: { currentPassword: person.password },
    });
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let i = 0; i < tries * 2; i++) {
      const who = i % 2 ? 'known' : 'unknown';
      const email = who === 'known' ? person.email : `nadie${i}@ejemplo.es`;
      const startMs = performance.now();
      const response = await forum.call('POST', apiRoutes.recover, {
        body: { email, code: 'AAAA-AAAA-AAAA-AAAA', password: 'otra' },
      });
      await response.text();
      took[who].push(performance.now() - startMs);
      assert.equal(response.status, 400);
    }
    const [known, unknown] = [median(took.known), median(took.unknown)];
    t.diagnostic(`median: known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`);
    assert.ok(Math.abs(known - unknown) < known * differenceShare);
  });
});
