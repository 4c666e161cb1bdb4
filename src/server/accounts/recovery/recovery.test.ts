import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { makeOlder } from '../../../../test/forum/old-account.ts';
import type { RecoveryCodesLeft } from '../../../shared/account-settings.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { readAudit } from '../../database/audit-log.ts';

const newPassword = 'otra contraseña';

onBothEngines('recovery codes', (forum, _wait, engine) => {
  const create = ({ token, password }: Person, currentPassword = password) =>
    forum().call('POST', apiRoutes.recoveryCodes, { token, body: { currentPassword } });
  const codesOf = async (person: Person) => {
    const { codes } = (await (await create(person)).json()) as { codes: string[] };
    return codes;
  };
  const left = ({ token }: Person) =>
    forum().json<RecoveryCodesLeft>('GET', apiRoutes.recoveryCodes, { token });
  const recover = (email: string, code: string, password = newPassword) =>
    forum().call('POST', apiRoutes.recover, { body: { email, code, password } });

  const signedIn = async (email: string) => {
    const { token } = await forum().newSession({ email, password: newPassword });
    return { token, password: newPassword };
  };

  test('a code sets the password once, and ends all sessions and the other codes', async () => {
    const person = await forum().person();
    await Promise.all([create(person), create(person)]);
    assert.equal((await left(person)).left, 10);
    const [first = '', second = ''] = await codesOf(person);
    const { db } = forum().services;
    const responses = await Promise.all([1, 2, 3].map(() => recover(person.email, first)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 400, 400]);
    const me = await forum().call('GET', apiRoutes.me, { token: person.token });
    await expectProblem(me, 401, 'not_signed_in');
    assert.equal((await forum().signIn(person.email, person.password)).status, 401);
    assert.equal((await forum().signIn(person.email, newPassword)).status, 200);
    const audit = (await readAudit(db, 100)).filter(({ subject }) => subject === person.id);
    assert.deepEqual(
      audit.map(({ actor, action, note }) => `${actor} ${action} ${note}`),
      [...Array(3).fill('owner create-recovery-codes '), 'recovery code set-password '],
    );

    await expectProblem(await recover(person.email, second), 400, 'recovery_failed');
  });

  test('the reminder is shown once per password, not on the first day, and never after codes were created', async () => {
    const [ana, luis] = [await forum().person(), await forum().person()];
    const isDue = async ({ token }: Person) =>
      (await forum().json<{ isDue: boolean }>('POST', apiRoutes.recoveryReminder, { token })).isDue;
    assert.equal(await isDue(ana), false);
    for (const person of [ana, luis]) await makeOlder(forum(), person);
    const both = await Promise.all([isDue(ana), isDue(ana)]);
    assert.deepEqual(both.sort(), [false, true]);
    await codesOf(luis);
    assert.equal(await isDue(luis), false);
    const body = { password: newPassword, currentPassword: luis.password };
    await forum().json('PATCH', apiRoutes.me, { token: luis.token, body });
    assert.deepEqual([await isDue(luis), await isDue(luis)], [true, false]);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('ten codes are shown once and replace earlier ones', async () => {
    const person = await forum().person();
    assert.deepEqual(await left(person), { left: 0, createdAt: null });
    await expectProblem(await create(person, 'otra'), 403, 'wrong_password');
    const response = await create(person);
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('cache-control'), 'private, no-store');
    const { codes } = (await response.json()) as { codes: string[] };
    assert.equal(new Set(codes).size, 10);
    // 16 characters of 32 are 80 bits. No two characters of the alphabet look alike.
    for (const code of codes)
      assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    const { db } = forum().services;
    const rows = JSON.stringify(await db.selectFrom('recovery_codes').selectAll().execute());
    for (const code of codes) assert.equal(rows.includes(code), false);
    assert.equal((await left(person)).left, 10);
    await create(person);
    await expectProblem(await recover(person.email, codes[0] ?? ''), 400, 'recovery_failed');
  });

  test('case, spaces, dashes, invisible characters and letters that look like digits make no difference', async () => {
    const person = await forum().person();
    const [first = ''] = await codesOf(person);
    const typed = ` ${first.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('-', ' –\u200b\u00ad ')}\t\u2060`;
    assert.equal((await recover(person.email.toUpperCase(), typed)).status, 204);
    const again = await codesOf({ ...person, ...(await signedIn(person.email)) });
    assert.equal((await recover(person.email, again[0]?.replaceAll('-', '') ?? '')).status, 204);
  });

  test('an unknown address, a wrong, used or foreign code and a disabled or erased account get the same response', async () => {
    const people = [];
    for (let i = 0; i < 4; i++) people.push(await forum().person());
    const [ana, luis, disabled, erased] = people as [Person, Person, Person, Person];
    const [codes, foreign] = [await codesOf(ana), await codesOf(luis)];
    const [ofDisabled, ofErased] = [await codesOf(disabled), await codesOf(erased)];
    const { db } = forum().services;
    const now = { disabled_at_ms: Date.now() };
    await db.updateTable('accounts').set(now).where('id', '=', disabled.id).execute();
    const erasure = { erased_at_ms: Date.now() };
    await db.updateTable('accounts').set(erasure).where('id', '=', erased.id).execute();
    assert.equal((await recover(ana.email, codes[0] ?? '')).status, 204);
    const failures = [
      recover('nadie@ejemplo.es', codes[1] ?? ''),
      recover(ana.email, 'AAAA-AAAA-AAAA-AAAA'),
      recover(ana.email, ''),
      recover(ana.email, '\ud800'),
      recover(ana.email, codes[0] ?? ''),
      recover(ana.email, foreign[0] ?? ''),
      recover(disabled.email, ofDisabled[0] ?? ''),
      recover(erased.email, ofErased[0] ?? ''),
    ];
    const bodies = new Set<string>();
    for (const failure of failures) {
      const { instance, ...problem } = await expectProblem(await failure, 400, 'recovery_failed');
      bodies.add(JSON.stringify(problem));
    }
    assert.equal(bodies.size, 1);
    assert.equal((await left(luis)).left, 10);
  });
});

test('a stranger cannot use up an owner’s tries, even from the owner’s address, and an address has 60 tries a minute', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  const { email, token, password } = await forum.person();
  const { codes } = await forum.json<{ codes: string[] }>('POST', apiRoutes.recoveryCodes, {
    token,
    body: { currentPassword: password },
  });
  const recover = (code: string, address = '2001:db8::1') =>
    forum.call('POST', apiRoutes.recover, {
      headers: { 'x-forwarded-for': address },
      body: { email, code, password: 'x' },
    });
  for (let tries = 0; tries < 50; tries++) {
    await expectProblem(await recover('x', `2001:db8::${tries}`), 400, 'recovery_failed');
  }
  assert.equal((await recover(codes[0] ?? '')).status, 204);
  for (let tries = 0; tries < 9; tries++) assert.equal((await recover('x')).status, 400);
  await expectProblem(await recover('x'), 429, 'too_many_requests');
  assert.equal((await recover('x', '203.0.113.1')).status, 400);
});
