import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { RememberedBrowser } from '../../../test/forum/remembered-browser.ts';
import type { User } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { requireCurrentPassword } from '../accounts/passwords/current-password.ts';
import { hashPassword } from '../accounts/passwords/passwords.ts';
import { findAndExtendSession } from '../accounts/sessions/session-guard.ts';
import { editAccount } from './edit-account.ts';

const hourMs = 3_600_000;

function change(
  forum: Forum,
  { token, password }: Pick<Person, 'token' | 'password'>,
  body: Record<string, unknown>,
): Promise<Response> {
  const all = { currentPassword: password, ...body };
  return forum.call('PATCH', apiRoutes.me, { token, body: all });
}

const me = (forum: Forum, token: string) => forum.call('GET', apiRoutes.me, { token });

async function audited(forum: Forum, id: string): Promise<string[]> {
  const rows = await forum.services.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'note'])
    .where('subject', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ actor, action, note }) => `${actor} ${action}${note}`);
}

// On SQLite, transactions run one after the other.
onEngine('postgres', 'changes of an account by its owner at the same moment', (forum) => {
  test('an e-mail that two people choose goes to one of them', async () => {
    const people = [await forum().person(), await forum().person()];
    const email = `disputado-${people[0]?.id}@ejemplo.es`;
    const answers = await Promise.all(people.map((one) => change(forum(), one, { email })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  test('only one of three requests with the old password sets a new one', async () => {
    const person = await forum().person();
    const passwords = ['una', 'dos', 'tres'];
    const answers = await Promise.all(
      passwords.map((password) => change(forum(), person, { password })),
    );
    const won = passwords.filter((_, i) => answers[i]?.status === 200);
    assert.equal(won.length, 1);
    assert.equal((await forum().signIn(person.email, won[0] ?? '')).status, 200);
    assert.deepEqual(await audited(forum(), person.id), ['owner change-password']);
  });
});

onEngine('sqlite', 'changes of an account by its owner', (forum, wait) => {
  test('a new name appears in the channel, its comments, the pages and the list of mentions', async () => {
    const person = await forum().person('Marta Olmo');
    const channel = await forum().channel(person);
    await forum().comment(person, channel._id, 'Hola');
    const page = async () => (await forum().call('GET', pageRoutes.channel(channel._id))).text();
    assert.match(await page(), /Marta Olmo/);
    const response = await change(forum(), person, { name: '  Ágata Ruiz ' });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'private, no-store');
    const user = (await response.json()) as User;
    assert.deepEqual(user, {
      id: person.id,
      name: 'Ágata Ruiz',
      email: person.email,
      img: person.img,
    });
    const read = await forum().json<Channel>('GET', apiRoutes.channel(channel._id));
    assert.deepEqual([read.autor, read.comments[0]?.autor], ['Ágata Ruiz', 'Ágata Ruiz']);
    assert.doesNotMatch(await page(), /Marta Olmo/);
    const { data } = await forum().json<{ data: User[] }>(
      'GET',
      `${apiRoutes.users}?channel=${channel._id}&prefix=aga`,
      { token: (await forum().person()).token },
    );
    assert.deepEqual(
      data.map(({ id }) => id),
      [person.id],
    );
    assert.deepEqual(await audited(forum(), person.id), ['owner change-name']);
  });

  test('the name can be changed once a day, and the refusal says when the next change is possible', async () => {
    const person = await forum().person();
    assert.equal((await change(forum(), person, { name: 'Una' })).status, 200);
    // Forms send all fields, and repeat requests whose response was lost, so the same name is not a change.
    assert.equal((await change(forum(), person, { name: 'Una' })).status, 200);
    wait(hourMs / 2);
    const email = `otra-${person.email}`;
    const refused = await change(forum(), person, { name: 'Otra', email });
    const problem = await expectProblem(refused, 409, 'name_changed_recently');
    assert.match(problem.detail, /dentro de 24 horas/);
    assert.equal(problem.errors?.[0]?.field, 'name');
    assert.ok(Number(refused.headers.get('retry-after')) > 23 * 3600);
    const user = (await (await me(forum(), person.token)).json()) as User;
    assert.deepEqual([user.name, user.email], ['Una', person.email], 'all or nothing');
    wait(23.5 * hourMs);
    assert.equal((await change(forum(), person, { name: 'Otra' })).status, 200);
  });

  test('an e-mail of another account is refused in any case or Unicode form, but not the caller’s own', async () => {
    const person = await forum().person();
    await forum().person('Mercè', 'Mercè.Roca@ejemplo.es');
    for (const email of ['MERCÈ.ROCA@EJEMPLO.ES', ' merce\u0300.roca@ｅjemplo.es']) {
      const problem = await expectProblem(
        await change(forum(), person, { email }),
        409,
        'email_taken',
      );
      assert.equal(problem.errors?.[0]?.field, 'email');
    }
    const email = person.email.toUpperCase();
    const user = (await (await change(forum(), person, { email })).json()) as User;
    assert.equal(user.email, email);
    assert.equal((await forum().signIn(person.email, person.password)).status, 200);
    const free = `nuevo-${person.email}`;
    assert.equal((await change(forum(), person, { email: free })).status, 200);
    assert.equal((await forum().signIn(person.email, person.password)).status, 401);
    assert.equal((await forum().signIn(free, person.password)).status, 200);
    const actions = ['owner change-email', 'owner change-email'];
    assert.deepEqual(await audited(forum(), person.id), actions);
  });

  test('a new password ends the other sessions and browsers, and keeps the caller’s session', async () => {
    const person = await forum().person();
    const mine = new RememberedBrowser(forum());
    const other = new RememberedBrowser(forum());
    const token = await mine.signIn(person);
    const tab = await mine.resumed();
    const ended = [person.token, await other.signIn(person), await other.resumed()];
    const password = 'nueva: ñandú';
    const body = { currentPassword: person.password, password };
    assert.equal((await mine.call('PATCH', apiRoutes.me, { token, body })).status, 200);
    for (const one of [...ended, tab])
      await expectProblem(await me(forum(), one), 401, 'not_signed_in');
    await expectProblem(await other.resume(), 401, 'not_remembered');
    for (const one of [token, await mine.resumed()]) {
      assert.equal((await me(forum(), one)).status, 200);
    }
    assert.equal((await forum().signIn(person.email, person.password)).status, 401);
    assert.equal((await forum().signIn(person.email, password)).status, 200);
    assert.equal((await audited(forum(), person.id)).at(-1), 'owner change-password');
  });

  test('the fields have the same rules as at sign-up, and are checked before the password, which must be right', async () => {
    const person = await forum().person();
    const fields = { name: ' \u200b ', email: 'con:puntos@ejemplo.es', password: '' };
    const response = await change(forum(), person, { ...fields, currentPassword: 'mal' });
    const problem = await expectProblem(response, 400, 'invalid_fields');
    assert.deepEqual(
      problem.errors?.map(({ field }) => field),
      ['name', 'email', 'password'],
    );
    for (const currentPassword of ['mal', '', 'x'.repeat(4096), 'ﬀ'.repeat(1000)]) {
      const refused = await change(forum(), person, { name: 'Otra', currentPassword });
      await expectProblem(refused, 403, 'wrong_password');
    }
    const name = '\u{1F469}'.repeat(80);
    assert.equal((await change(forum(), person, { name })).status, 200);
  });

  test('a session that ends while the password is checked changes nothing', async () => {
    const person = await forum().person();
    const { db, now, config } = forum().services;
    const session = await findAndExtendSession(db, person.token, now(), config.sessionDays);
    assert.ok(session);
    const hash = await requireCurrentPassword(db, person.id, person.password);
    await forum().json('POST', apiRoutes.signOut, { token: person.token });
    const passwordHash = await hashPassword('robada');
    const stolen = { name: 'Ladrona', email: undefined, passwordHash, isMailLast: false };
    const editing = editAccount(forum().services, session, stolen, hash);
    await assert.rejects(editing, { code: 'not_signed_in' });
    const { user } = await forum().newSession(person);
    assert.equal(user.name, person.name);
  });
});

test('twenty wrong passwords an hour can be tried with a token, in changes and deletions together, and then not even the right one', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on' });
  const { token, password } = await forum.person();
  const statuses: number[] = [];
  for (let tries = 0; tries < 22; tries++) {
    const body = { currentPassword: `x${tries}`, content: 'anonymous' };
    const method = tries % 2 ? 'DELETE' : 'PATCH';
    statuses.push((await forum.call(method, apiRoutes.me, { token, body })).status);
  }
  assert.deepEqual(statuses, [...Array(20).fill(403), 429, 429]);
  const right = await change(forum, { token, password }, { name: 'Yo' });
  const { detail } = await expectProblem(right, 429, 'too_many_requests');
  assert.match(detail, /dentro de 60 minutos\.$/);
});
