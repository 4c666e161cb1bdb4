import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onBothEngines, onEngine } from '../../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../../test/forum/change-settings.ts';
import { expectProblem, type Forum, type Person } from '../../../../../test/forum/forum.ts';
import { restrictAccount } from '../../../../../test/forum/moderators.ts';
import { operate, passwordToken } from '../../../../../test/forum/operator.ts';
import { runCommand } from '../../../../../test/processes/run-command.ts';
import { apiRoutes } from '../../../../shared/api-routes.ts';
import { dayMs } from '../../../system/times.ts';
import { attemptErasures, runHousekeeping } from '../../housekeeping/housekeeping.ts';

const newPassword = 'otra contraseña: ñandú';
const me = (forum: Forum, token: string) => forum.call('GET', apiRoutes.me, { token });
const setPassword = (forum: Forum, token: string, password = newPassword) =>
  forum.call('POST', apiRoutes.setPassword, { body: { token, password } });

onEngine('sqlite', 'admin commands for accounts', (forum, wait) => {
  /** Runs `tertulia admin` beside the forum. */
  const admin = (...args: string[]) => runCommand(forum().dataSettings, 'admin', ...args);
  const run = (...words: string[]) => operate(forum(), ...words);

  test('accounts are found by name, e-mail or id, ignoring case and accents, and printed without control characters', async () => {
    const person = await forum().person('Íñigo Muñoz', 'Inigo@ejemplo.es');
    for (const search of ['inigo mun', 'INIGO@EJ', '\u202aIñigo\u00ad Mu', person.id]) {
      const said = await run('accounts', search);
      assert.ok(said.includes(`${person.id}  Inigo@ejemplo.es  Íñigo Muñoz`), said);
    }
    assert.equal(await run('accounts', 'nadie así'), 'none');
    const renamed = forum().services.db.updateTable('accounts').where('id', '=', person.id);
    await renamed.set({ name: 'Eva\u202emoc\u200f' }).execute();
    assert.match(await run('accounts', person.id), / Eva moc /);
  });

  test('an account after the first five hundred is found', async () => {
    const { id } = await forum().person();
    const { db } = forum().services;
    const row = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const ids = Array.from({ length: 501 }, () => randomUUID()).sort();
    const copies = ids.map((id, i) => ({
      ...row,
      id,
      email: `copia-${i}@ejemplo.es`,
      email_key: `copia-${i}@ejemplo.es`,
    }));
    await db.insertInto('accounts').values(copies).execute();
    assert.match(await run('accounts', 'copia-500@'), /copia-500@ejemplo\.es/);
  });

  test('an id that is the e-mail of another account is refused, and id: or email: names one', async () => {
    const named = await forum().person();
    const namesake = await forum().person('Eva', named.id);
    const statuses = async () => {
      const calls = [named, namesake].map(({ token }) => me(forum(), token));
      return (await Promise.all(calls)).map(({ status }) => status);
    };
    await assert.rejects(run('disable', named.id), ({ message }: Error) => {
      assert.ok(message.includes(named.email) && message.includes(namesake.id), message);
      return true;
    });
    assert.deepEqual(await statuses(), [200, 200]);
    await run('disable', `email:${named.id.toUpperCase()}`);
    assert.deepEqual(await statuses(), [200, 401]);
    await run('disable', `id:${named.id}`);
    assert.deepEqual(await statuses(), [401, 401]);
    await assert.rejects(run('disable', `id:${named.email}`), /There is no account/);
  });

  test('the list of accounts has their roles and restrictions', async () => {
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
    const states: [string, (person: Person) => Promise<unknown>][] = [
      ['member +active', async () => {}],
      ['member +suspended', (person) => restrictAccount(forum(), person, 'suspend')],
      [
        `member +silenced until ${time}`,
        (person) => restrictAccount(forum(), person, 'silence', 3),
      ],
      ['member +hidden', (person) => restrictAccount(forum(), person, 'hideAll')],
      [`member +to be erased ${time}`, ({ email }) => run('erase-account', email)],
      ['moderator +active', ({ email }) => run('role', email, 'moderator')],
    ];
    for (const [roleAndState, become] of states) {
      const person = await forum().person();
      await become(person);
      const said = await run('accounts', person.email);
      assert.match(said, new RegExp(`  ${person.email}  .*${time}  ${roleAndState}$`, 'm'));
    }
    await changeSettings(forum(), { registration: 'request' });
    const body = { name: 'Espera', email: 'espera@ejemplo.es', password: 'clave larga' };
    await forum().json('POST', apiRoutes.signUp, { body });
    await changeSettings(forum(), { registration: 'open' });
    const waiting = await run('accounts', body.email);
    assert.match(waiting, RegExp(`member +waiting, to be erased ${time}$`, 'm'));
  });

  test('an account that fails is named with its reason, and the others are still changed', async () => {
    const [ana, erased] = [await forum().person(), await forum().person()];
    const eva = await forum().person();
    await run('erase-account', erased.email, '--now');
    await attemptErasures(forum().services, forum().app.log);
    const { code, said } = await admin('disable', ana.email, erased.id, eva.id);
    assert.equal(code, 1, said);
    const stay = 'can no longer sign in. Its channels and comments stay.';
    assert.deepEqual(said.split('\n'), [
      ...[`${ana.email} ${stay}`, `${erased.id}: There is no such account, or it is erased.`],
      ...[`${eva.email} ${stay}`, `Not done: ${erased.id}`, ''],
    ]);
    for (const [command, ...last] of [['disable'], ['enable'], ['role', 'member']] as const) {
      const done = await admin(command, ana.email, eva.email, ana.email, ...last);
      assert.equal(done.code, 0, done.said);
      assert.match(done.said, new RegExp(`^.*${ana.email}.*\n.*${eva.email}.*\n$`));
    }
  });

  test('no account is changed if one of several is not found', async () => {
    const { email } = await forum().person();
    const nobody = 'nadie@ejemplo.es';
    for (const [command, ...last] of [
      ['disable', nobody],
      ['role', nobody, 'moderator'],
      ['erase-account', nobody],
    ] as const) {
      await assert.rejects(run(command, email, ...last), /There is no account with the id or/);
      assert.match(await run('accounts', email), / member +active$/m);
    }
    for (const [setUp, command, state] of [
      ['disable', 'enable', / disabled$/m],
      ['erase-account', 'cancel-erasure', / disabled, to be erased /],
    ] as const) {
      await run(setUp, email);
      await assert.rejects(run(command, email, nobody), /There is no account/);
      assert.match(await run('accounts', email), state);
    }
  });

  test('a new account gets a link to its first password, whatever the registration setting, and needs a unique e-mail', async () => {
    await changeSettings(forum(), { registration: 'closed' });
    const made = await admin('create', 'nueva@ejemplo.es', 'Nueva Vecina');
    await changeSettings(forum(), { registration: 'open' });
    const printed = /^https?:\/\/\S+#([\w-]{43})\nFor nueva@ejemplo\.es, .*within 30 minutes/;
    const [, token = ''] = printed.exec(made.said) ?? [];
    assert.equal((await setPassword(forum(), token)).status, 204, made.said);
    assert.equal((await forum().signIn('nueva@ejemplo.es', newPassword)).status, 200);
    const listed = await run('accounts', 'nueva@ejemplo.es');
    assert.match(listed, /Nueva Vecina .* member +active$/m);
    assert.match(await run('audit'), /create-account +[\w-]{36}/);
    for (const [args, said] of [
      [['NUEVA@ejemplo.es'], /^Ya hay una cuenta con ese correo\.$/m],
      [['con:dos@ejemplo.es'], /^El correo no puede llevar dos puntos \(:\)\.$/m],
      [['Marta', 'marta@ejemplo.es'], /^Marta is not an e-mail address, which comes before/],
      [['otra@ejemplo.es', 'Cuenta eliminada'], /^Así se llaman las cuentas eliminadas/],
    ] as const) {
      const refused = await admin('create', ...args);
      assert.equal(refused.code, 1);
      assert.match(refused.said, said);
    }
  });

  test('a disabled account has no session and cannot sign in, and its comments stay', async () => {
    const person = await forum().person();
    const channel = await forum().channel(person);
    await forum().comment(person, channel._id, 'Sigue aquí');
    const link = await passwordToken(forum(), person.email);
    await run('disable', person.email);
    await expectProblem(await me(forum(), person.token), 401, 'not_signed_in');
    const signIn = () => forum().signIn(person.email, person.password);
    await expectProblem(await signIn(), 403, 'account_disabled');
    // With a wrong password the response does not reveal that the account is disabled.
    await expectProblem(await forum().signIn(person.email, 'mal'), 401, 'wrong_credentials');
    await expectProblem(await setPassword(forum(), link), 403, 'password_link_dead');
    await assert.rejects(run('password', person.email), { code: 'account_disabled' });
    assert.equal((await forum().allComments(channel._id))[0]?.comment, 'Sigue aquí');

    await run('enable', person.id);
    await expectProblem(await me(forum(), person.token), 401, 'not_signed_in');
    assert.equal((await signIn()).status, 200);
  });

  test('a password link expires after 30 minutes, and an invalid password or an invented link does not use it up', async () => {
    const { id, email } = await forum().person();
    const token = await passwordToken(forum(), email);
    await expectProblem(await setPassword(forum(), token, ''), 400, 'invalid_fields');
    for (const madeUp of ['', 'a'.repeat(43), '\ud800', 'x'.repeat(200)])
      await expectProblem(await setPassword(forum(), madeUp), 403, 'password_link_dead');
    await expectProblem(await setPassword(forum(), 'x'.repeat(201)), 400, 'invalid_fields');
    wait(29 * 60_000);
    assert.equal((await setPassword(forum(), token)).status, 204);

    const unused = await passwordToken(forum(), email);
    wait(30 * 60_000);
    await expectProblem(await setPassword(forum(), unused), 403, 'password_link_dead');
    const links = forum().services.db.selectFrom('password_links').select('account_id');
    const left = () => links.where('account_id', '=', id).execute();
    assert.equal((await left()).length, 1);
    await runHousekeeping(forum().services, forum().app.log);
    assert.deepEqual(await left(), []);
  });

  test('the audit log names each change and its actor, and no table or output contains a token', async () => {
    const person = await forum().person();
    const token = await passwordToken(forum(), person.email);
    const links = await forum().services.db.selectFrom('password_links').selectAll().execute();
    await setPassword(forum(), token);
    await run('disable', person.email);
    const said = await run('audit');
    const done = said.split('\n').filter((line) => line.includes(person.id));
    assert.deepEqual(
      done.map((line) => line.split(/ {2,}/).slice(1, 3)),
      [
        ['ada', 'password-link-user'],
        ['password link', 'set-password'],
        ['ada', 'disable-account'],
      ],
    );
    assert.match(done[0] ?? '', /porque sí$/);
    assert.notEqual(links.length, 0);
    assert.ok(!`${said}${JSON.stringify(links)}`.includes(token));
  });

  test('the audit log has no entry for a command that changes nothing', async () => {
    const { email } = await forum().person();
    const repeat = async (...words: string[]) => {
      const before = await run('audit');
      await run(...words);
      assert.equal(await run('audit'), before, words.join(' '));
    };
    await repeat('enable', email);
    await repeat('role', email, 'member');
    for (const words of [
      ['disable', email],
      ['erase-account', email],
      ['erase-account', email, '--now'],
    ]) {
      await run(...words);
      await repeat(...words);
    }
  });

  test('a command that is unknown, lacks an argument or has a wrong one fails and says why', async () => {
    const { email } = await forum().person();
    for (const [words, expected] of [
      [['constructor'], /has no command constructor.*cancel-erasure/s],
      [['disable'], /usage: tertulia admin disable <account>/],
      [['audit', 'x'], /usage/],
      [['accounts', '--now'], /--now is for erase-account alone/],
      [['role', email, 'jefa'], /A role is member/],
      [['mail-test', email], /SMTP_URL is not set/],
    ] as const) {
      await assert.rejects(run(...words), expected);
    }
  });

  test('an account is erased after the days of grace, which can be cancelled, or at once', async () => {
    const [ana, spam] = [await forum().person('Ana'), await forum().person('Ofertas')];
    await forum().channel(ana);
    const cancel = (id: string) => run('cancel-erasure', id);
    const erase = () => attemptErasures(forum().services, forum().app.log);
    await assert.rejects(cancel(ana.id), /Nobody asked for .* to be erased/);
    await run('erase-account', ana.email);
    assert.equal(await cancel(ana.id), `${ana.email} is no longer scheduled for erasure.`);
    assert.match(await run('erase-account', ana.email), /^Receipt, .*Canales: 1\./s);
    assert.match(await run('erase-account', spam.id, '--now'), /within an hour/);
    await erase();
    assert.match(await run('accounts', spam.id), /erased$/);
    assert.match(await run('accounts', ana.id), /to be erased \d{4}-/);
    await assert.rejects(cancel(spam.id), { code: 'not_restorable' });
    await assert.rejects(run('erase-account', spam.id), { code: 'user_not_found' });
    await assert.rejects(run('erase', spam.id), /is an account/);
    wait(15 * dayMs);
    await erase();
    assert.match(await run('accounts', ana.id), /erased$/);
    const said = await run('audit');
    for (const { id } of [ana, spam]) assert.match(said, new RegExp(`ada +\\S+ +${id} +porque sí`));
    assert.match(said, new RegExp(`ada +cancel-deletion +${ana.id} +porque sí`));
  });
});

onBothEngines('a password link of the operator', (forum) => {
  test('is used by one of several at once, and invalidates an older one', async () => {
    const person = await forum().person();
    const old = await passwordToken(forum(), `\u2060${person.id}\u200b`);
    const token = await passwordToken(forum(), person.email);
    await expectProblem(await setPassword(forum(), old), 403, 'password_link_dead');
    const passwords = ['una', 'otra', 'tercera', 'cuarta'];
    const responses = await Promise.all(passwords.map((one) => setPassword(forum(), token, one)));
    const won = passwords.filter((_, i) => responses[i]?.status === 204);
    assert.equal(won.length, 1);
    for (const password of passwords) {
      const { status } = await forum().signIn(person.email, password);
      assert.equal(status, won.includes(password) ? 200 : 401);
    }
  });
});
