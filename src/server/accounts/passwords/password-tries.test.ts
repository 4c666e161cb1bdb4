import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1', LOG_LEVEL: 'silent' };
const home = '203.0.113.1';
const elsewhere = '203.0.113.2';

const signIn = (forum: Forum, email: string, password: string, address = home) =>
  forum.call('POST', apiRoutes.signIn, {
    headers: {
      'x-forwarded-for': address,
      authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
    },
  });

async function tryWrong(forum: Forum, email: string, times: number) {
  for (let tries = 0; tries < times; tries++) {
    await expectProblem(await signIn(forum, email, 'mal'), 401, 'wrong_credentials');
  }
}

/** The Retry-After in seconds and the detail of the problem. */
async function refusal(response: Response): Promise<{ seconds: number; detail: string }> {
  const seconds = Number(response.headers.get('retry-after'));
  const { detail } = await expectProblem(response, 429, 'too_many_requests');
  return { seconds, detail };
}

test('after ten wrong passwords for an account from one address, further tries there wait until an hour has passed', async (t) => {
  await using forum = await Forum.start('sqlite', env);
  const { email, password } = await forum.person();
  const other = await forum.person();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const pass = (seconds: number) => t.mock.timers.setTime(Date.now() + seconds * 1000);

  // The right password resets the count.
  await tryWrong(forum, email, 9);
  assert.equal((await signIn(forum, email, password)).status, 200);
  await tryWrong(forum, email, 10);
  for (const secret of ['mal', password]) {
    const { seconds, detail } = await refusal(
      await signIn(forum, ` ${email.toUpperCase()}`, secret),
    );
    assert.ok(seconds > 3500 && seconds <= 3600, `${seconds}`);
    assert.match(detail, /dentro de 60 minutos o pulsa «Recuperar el acceso»/);
  }
  assert.equal((await signIn(forum, email, password, elsewhere)).status, 200);
  assert.equal((await signIn(forum, other.email, other.password)).status, 200);
  pass(3601);
  assert.equal((await signIn(forum, email, password)).status, 200);
});

test('concurrent tries count like sequential ones, across processes, whether or not the account exists', async () => {
  await using forum = await Forum.start('postgres', env);
  await using second = await forum.another();
  const { email } = await forum.person();
  const answers = [];
  for (const tried of [email, 'nadie@ejemplo.es']) {
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, i) => signIn(i % 2 ? forum : second, tried, 'mal')),
    );
    const statuses = Object.groupBy(responses, ({ status }) => status);
    assert.deepEqual([statuses[401]?.length, statuses[429]?.length], [10, 20]);
    const { detail } = await refusal(await signIn(second, tried, 'mal'));
    answers.push(detail.replace(/\d+ \S+/, ''));
  }
  assert.equal(answers[0], answers[1]);
});

test('a password set with a recovery code ends the wait', async () => {
  await using forum = await Forum.start('sqlite', env);
  const { email, password, token } = await forum.person();
  const { codes } = await forum.json<{ codes: string[] }>('POST', apiRoutes.recoveryCodes, {
    token,
    body: { currentPassword: password },
  });
  await tryWrong(forum, email, 10);
  await refusal(await signIn(forum, email, password));
  const recovered = await forum.call('POST', apiRoutes.recover, {
    headers: { 'x-forwarded-for': home },
    body: { email, code: codes[0], password: 'otra' },
  });
  assert.equal(recovered.status, 204);
  assert.equal((await signIn(forum, email, 'otra')).status, 200);
});

test('the right password of an account that may not sign in resets the count', async () => {
  await using forum = await Forum.start('sqlite', env);
  const { email, password, id } = await forum.person();
  const { db } = forum.services;
  for (const [admission, code] of [
    [null, 'account_disabled'],
    ['pending', 'awaiting_approval'],
    ['refused', 'refused'],
  ] as const) {
    const change = { disabled_at_ms: 1, admission };
    await db.updateTable('accounts').set(change).where('id', '=', id).execute();
    for (let rounds = 0; rounds < 2; rounds++) {
      await tryWrong(forum, email, 9);
      await expectProblem(await signIn(forum, email, password), 403, code);
    }
  }
});
