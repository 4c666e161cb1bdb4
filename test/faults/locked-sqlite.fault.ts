import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { sqliteFile } from '../../src/server/system/settings/data-dir.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { expectProblem } from '../forum/forum.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { outcomeOf, startProgram } from '../processes/program.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const lockedMs = 15_000;
const refusedWithinMs = 5000;
const readWithinMs = 1000;

test('while another process locks the SQLite file, reads go on and writes get 503; afterwards writes succeed', async (t) => {
  await using folder = await temporaryFolder('locked');
  const dataDir = folder.path;
  const env = { DATA_DIR: dataDir, RATE_LIMITS: 'off', TRUST_PROXY: '1' };
  await using server = await ServerProcess.start(env);
  const forum = new ForumClient(server.url);
  const author = await forum.person();
  const channel = await forum.channel(author);
  const stored: string[] = [];
  let refused = 0;
  let longestRefusalMs = 0;
  let longestReadMs = 0;
  let reads = 0;

  const other = startProgram('test/faults/hold-lock.ts', {}, sqliteFile(dataDir), String(lockedMs));
  let isLocked = true;
  const ended = outcomeOf(other);
  const released = ended.then(() => {
    isLocked = false;
  });
  try {
    assert.ok(other.stdout);
    await Promise.race([
      once(other.stdout, 'data'),
      ended.then(({ said }) => assert.fail(`the other process ended: ${said}`)),
    ]);
    const write = async (who: number) => {
      for (let turn = 0; isLocked; turn++) {
        const startMs = performance.now();
        const text = `${who} ${turn}`;
        const response = await forum.call('PUT', apiRoutes.comment, {
          token: author.token,
          // The server limits the concurrent requests of one address.
          headers: { 'x-forwarded-for': `203.0.113.${who}` },
          body: { id: channel._id, comment: text },
        });
        // The last requests may wait until the lock is released.
        if (response.ok) {
          stored.push(text);
          continue;
        }
        assert.equal(response.headers.get('retry-after'), '5');
        await expectProblem(response, 503, 'unavailable');
        refused += 1;
        longestRefusalMs = Math.max(longestRefusalMs, performance.now() - startMs);
      }
    };
    const read = async () => {
      while (isLocked) {
        const startMs = performance.now();
        const me = await forum.call('GET', apiRoutes.me, { token: author.token });
        assert.equal(me.status, 200);
        await me.arrayBuffer();
        reads += 1;
        longestReadMs = Math.max(longestReadMs, performance.now() - startMs);
      }
    };
    await Promise.all([...Array.from({ length: 250 }, (_, who) => write(who)), read(), released]);
    const freeMs = performance.now();
    stored.push((await forum.comment(author, channel._id, 'después')).comment);
    const backMs = performance.now() - freeMs;
    const comments = (await forum.allComments(channel._id)).map(({ comment }) => comment);
    assert.deepEqual(comments.toSorted(), stored.toSorted());
    t.diagnostic(`${refused} refused, each within ${Math.round(longestRefusalMs)} ms`);
    t.diagnostic(`${reads} reads of the database, each within ${Math.round(longestReadMs)} ms`);
    t.diagnostic(`a write took ${Math.round(backMs)} ms after`);
    assert.ok(refused > 0 && longestRefusalMs < refusedWithinMs, `${longestRefusalMs} ms`);
    assert.ok(longestReadMs < readWithinMs, `${longestReadMs} ms`);
  } finally {
    other.kill('SIGKILL');
  }
});
