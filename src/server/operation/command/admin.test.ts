import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import { outcomeOf, runTertulia } from '../../../../test/processes/program.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

test('tertulia admin prints its help, and exits with 2 for an unknown command and for wrong settings', async () => {
  const help = await runCommand({}, 'admin');
  assert.equal(help.code, 0);
  assert.match(help.said, /tertulia admin <command>.* doctor /s);
  const nowhere = { DATA_DIR: '/nowhere' };
  for (const [env, args, expected] of [
    [nowhere, ['nada'], 2],
    [nowhere, ['--nada'], 2],
    [nowhere, ['accounts'], 1],
    [{ PORT: 'x' }, ['accounts'], 2],
  ] as const) {
    const { code, said } = await runCommand(env, 'admin', ...args);
    assert.equal(code, expected, said);
    assert.doesNotMatch(said, /^ +at /m);
  }
});

test('tertulia admin works beside the running server, and records the user in the audit log', async () => {
  await using forum = await Forum.start('sqlite');
  const person = await forum.person();
  const channel = await forum.channel(person);
  const env = { ...forum.dataSettings, PUBLIC_URL: 'https://foro.example' };
  const link = await runCommand(env, 'admin', 'password', person.email);
  assert.match(link.said, /^https:\/\/foro\.example\/password#[\w-]{43}\n/);
  const erase = ['admin', 'erase', channel._id, '--note', 'publicidad'];
  const erased = await outcomeOf(runTertulia(env, ...erase));
  assert.equal(erased.code, 0, erased.said);
  assert.equal((await forum.call('GET', apiRoutes.channel(channel._id))).status, 404);
  const { said } = await runCommand(env, 'admin', 'audit');
  const line = `${userInfo().username}.* erase-channel +${channel._id} +publicidad`;
  assert.match(said, RegExp(line));
});

test('an erasure of several accounts asks once, and anything but yes changes nothing', async () => {
  await using forum = await Forum.start('sqlite');
  const people = [await forum.person(), await forum.person()];
  const emails = people.map(({ email }) => email);
  const answer = async (text: string | null) => {
    const program = runTertulia(forum.dataSettings, 'admin', 'erase-account', ...emails);
    // The input stays open after an answer, as a terminal's does.
    if (text) program.stdin?.write(text);
    else program.stdin?.end();
    return outcomeOf(program);
  };
  for (const { code, said } of await Promise.all([answer('no\n'), answer(null)])) {
    assert.match(said, /Type yes: .*Nothing was changed/s);
    assert.doesNotMatch(said, /Warning/);
    assert.equal(code, 1);
  }
  const { db } = forum.services;
  const due = db.selectFrom('accounts').select('id').where('deletion_at_ms', 'is not', null);
  assert.deepEqual(await due.execute(), []);
  const { code, said } = await answer('yes\n');
  assert.equal(code, 0, said);
  const named = people.map(({ id, email }) => `${email} (${id})`).join(', ');
  assert.ok(said.startsWith(`Erase ${named} with everything they wrote, in 14 days? Type yes: `));
  assert.equal(said.match(/Receipt, for the owner of /g)?.length, 2);
  assert.equal((await due.execute()).length, 2);
});

for (const engine of engines) {
  test(`times are not corrected while the server runs (${engine})`, async () => {
    await using forum = await Forum.start(engine);
    const { code, said } = await runCommand(forum.dataSettings, 'admin', 'correct-times');
    assert.deepEqual([code, said], [3, 'A server runs on the database: stop it first.\n']);
  });
}
