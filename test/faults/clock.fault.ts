import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { ChannelPage } from '../../src/shared/channels.ts';
import { eventually } from '../eventually.ts';
import { expectProblem, type Person } from '../forum/forum.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { outcomeOf, runTertulia } from '../processes/program.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const noFaketime = existsSync(library) ? undefined : "needs Debian's package libfaketime";

test('a server loses no data when its clock is an hour or 400 days off, and starts with one that is behind only once the times are corrected', {
  skip: noFaketime,
}, async (t) => {
  await using folder = await temporaryFolder('clock');
  const { clock, env } = await fakedClock(folder.path);
  let server = await ServerProcess.start(env);
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => server[Symbol.asyncDispose]());
  let forum = new ForumClient(server.url);
  let author: Person = await forum.person();
  const channel = await forum.channel(author);
  const texts: string[] = [];
  const names = ['Cine de barrio'];
  const signedOut: string[] = [];

  for (const restart of [false, true]) {
    for (const off of ['+1h', '-1h', '-400d', '+400d', '+0']) {
      await writeFile(clock, off);
      if (restart) {
        assert.equal((await server.stop()).code, 0);
        if (off !== '+400d') {
          const refused = await new ServerProcess(env).ended;
          assert.equal(refused.code, 1);
          assert.match(refused.said, /admin correct-times/);
          const correcting = runTertulia(env, 'admin', 'correct-times');
          correcting.stdin?.end('yes\n');
          const corrected = await outcomeOf(correcting);
          assert.equal(corrected.code, 0, corrected.said);
        }
        server = await ServerProcess.start(env);
        forum = new ForumClient(server.url);
      }
      const when = `${off}${restart ? ' at its start' : ''}`;
      const me = await forum.call('GET', apiRoutes.me, { token: author.token });
      if (me.status !== 200) {
        await expectProblem(me, 401, 'not_signed_in');
        signedOut.push(when);
        const again = await forum.signIn(author.email, author.password);
        assert.equal(again.status, 200);
        author = { ...author, ...((await again.json()) as { token: string }) };
      }
      const { createdAt } = await forum.comment(author, channel._id, when);
      texts.push(when);
      const expected = Date.now() + offsetMs(off);
      assert.ok(Math.abs(Date.parse(createdAt) - expected) < 60_000, `${off}: ${createdAt}`);
      names.push((await forum.channel(author, when)).name);
    }
  }
  const stored = await forum.allComments(channel._id);
  assert.deepEqual(
    stored.map(({ comment }) => comment),
    texts,
  );
  const listed: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after && `&after=${after}`;
    const page: ChannelPage = await forum.json('GET', `${apiRoutes.channels}?limit=2${query}`);
    listed.push(...page.data.map(({ name }) => name));
    after = page.next;
  }
  assert.deepEqual(listed.toSorted(), names.toSorted());
  t.diagnostic(`${texts.length} comments in order, ${listed.length} channels listed once each`);
  t.diagnostic(`signed in again at: ${signedOut.join(', ')}`);
});

test('a clock that jumps ahead, or is ahead when the server starts, erases no account that has days to go', {
  skip: noFaketime,
}, async () => {
  await using folder = await temporaryFolder('ahead');
  const { clock, env } = await fakedClock(folder.path);
  let server = await ServerProcess.start(env);
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => server[Symbol.asyncDispose]());
  const forum = new ForumClient(server.url);
  const ana = await forum.person();
  const body = { currentPassword: ana.password, content: 'erase' };
  await forum.json('DELETE', apiRoutes.me, { token: ana.token, body });
  const isSaid = (what: RegExp) =>
    eventually('the server says so', async () => server.logged(what).length > 0, 90_000);

  await writeFile(clock, '+15d');
  await isSaid(/ jumped 15 days ahead: nothing is erased for an hour/);
  assert.equal((await server.stop()).code, 0);
  server = await ServerProcess.start(env);
  await isSaid(/ is 15 days ahead of the newest .* nothing is erased for an hour/);
  assert.equal((await server.stop()).code, 0);
  await writeFile(clock, '+0');
  server = await ServerProcess.start(env);
  assert.equal((await new ForumClient(server.url).signIn(ana.email, ana.password)).status, 200);
});

/** The file that sets the clock of a server, and the server's environment. */
async function fakedClock(folder: string) {
  const clock = path.join(folder, 'clock');
  await writeFile(clock, '+0');
  const env = {
    DATA_DIR: path.join(folder, 'data'),
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    // Setting a real clock does not change the monotonic clock either.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { clock, env };
}

function offsetMs(off: string): number {
  return Number.parseInt(off, 10) * (off.endsWith('d') ? 24 : 1) * 3_600_000;
}
