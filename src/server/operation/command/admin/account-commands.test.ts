import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../../test/forum/change-settings.ts';
import { expectProblem, type Forum } from '../../../../../test/forum/forum.ts';
import { operate, passwordToken } from '../../../../../test/forum/operator.ts';
import { outcomeOf, runTertulia } from '../../../../../test/processes/program.ts';
import { runCommand } from '../../../../../test/processes/run-command.ts';
import { apiRoutes } from '../../../../shared/api-routes.ts';
import { dayMs } from '../../../system/times.ts';
import { attemptErasures, runHousekeeping } from '../../housekeeping/housekeeping.ts';

const newPassword = 'otra contraseña: ñandú';
const me = (forum: Forum, token: string) => forum.call('GET', apiRoutes.me, { token });
const setPassword = (forum: Forum, token: string, password = newPassword) =>
  forum.call('POST', apiRoutes.setPassword, { body: { token, password } });

onBothEngines('admin commands for accounts', (forum, wait) => {
  /** Runs `tertulia admin` beside the forum. */
  const admin = (...args: string[]) => runCommand(forum().dataSettings, 'admin', ...args);

  test('accounts are found by name, e-mail or id, ignoring case and accents', async () => {
    const person = await forum().person('Íñigo Muñoz', 'Inigo@ejemplo.es');
    for (const search of ['inigo mun', 'INIGO@EJ', '\u202aIñigo\u00ad Mu', person.id]) {
      const said = await operate(forum(), 'accounts', search);
      assert.ok(said.includes(`${person.id}  Inigo@ejemplo.es  Íñigo Muñoz`), said);
      assert.doesNotMatch(said, /disabled/);
    }
    assert.equal(await operate(forum(), 'accounts', 'nadie así'), 'none');
  });

  test('an id that is the e-mail of another account is refused, and id: or email: names one', async () => {
    const named = await forum().person();
    const namesake = await forum().person('Eva', named.id);
    const crossed = await forum().person('Íñigo', namesake.id);
    const enabled = async () => {
      const all = [named, namesake, crossed];
      const statuses = all.map(async ({ token }) => (await me(forum(), token)).status);
      return (await Promise.all(statuses)).map((status) => status === 200);
    };
    for (const [ambiguous, one, other] of [
      [named.id, named.email, namesake.id],
      [namesake.id, named.id, crossed.id],
    ] as const) {
      await assert.rejects(operate(forum(), 'disable', ambiguous), ({ message }: Error) => {
        assert.ok(message.includes(one) && message.includes(other), message);
        return true;
      });
    }
    assert.deepEqual(await enabled(), [true, true, true]);
    await operate(forum(), 'disable', `email:${named.id.toUpperCase()}`);
    assert.deepEqual(await enabled(), [true, false, true]);
    await operate(forum(), 'disable', `id:${named.id}`);
    assert.deepEqual(await enabled(), [false, false, true]);
    await assert.rejects(operate(forum(), 'disable', `id:${named.email}`), /There is no account/);
    await operate(forum(), 'disable', crossed.id);
    assert.deepEqual(await enabled(), [false, false, false]);
  });

  test('the list of accounts has their roles and restrictions', async () => {
    const named = async (name: string) => (await forum().person(name)).email;
    const [active, suspended, silenced] = [
      await named('Ana'),
      await named('Eva'),
      await named('Sol'),
    ];
    const [hidden, erased, moderator] = [
      await named('Luz'),
      await named('Paz'),
      await named('Ada'),
    ];
    await operate(forum(), 'suspend', suspended);
    await operate(forum(), 'silence', silenced, '3');
    await operate(forum(), 'hide-all', hidden);
    await operate(forum(), 'erase-account', erased);
    await operate(forum(), 'role', moderator, 'moderator');
    await changeSettings(forum(), { registration: 'request' });
    const waiting = await forum().call('POST', apiRoutes.signUp, {
      body: { name: 'Espera', email: 'espera@ejemplo.es', password: 'clave larga' },
    });
    await changeSettings(forum(), { registration: 'open' });
    assert.equal(waiting.status, 201);
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
    for (const [email, roleAndState] of [
      [active, 'member +active'],
      [suspended, 'member +suspended'],
      [silenced, `member +silenced until ${time}`],
      [hidden, 'member +hidden'],
      [erased, `member +to be erased ${time}`],
      [moderator, 'moderator +active'],
      ['espera@ejemplo.es', `member +waiting, to be erased ${time}`],
    ] as const) {
      const said = await operate(forum(), 'accounts', email);
      assert.match(said, new RegExp(`  ${email}  .*${time}  ${roleAndState}$`, 'm'));
    }
  });

  test('an account that fails is named with its reason, and the others are still changed', async () => {
    const [ana, erased] = [await forum().person(), await forum().person()];
    const eva = await forum().person();
    await operate(forum(), 'erase-account', erased.email, '--now');
    await attemptErasures(forum().services, forum().app.log);
    const { code, said } = await admin('suspend', ana.email, erased.id, eva.id, '7');
    assert.equal(code, 1, said);
    const [first, second, third, ...rest] = said.split('\n');
    assert.match(
      first ?? '',
      new RegExp(`^${ana.email} is suspended for 7 days\\. .*: undo \\S+$`),
    );
    assert.equal(second, `${erased.id}: There is no such account, or it is erased.`);
    assert.match(third ?? '', new RegExp(`^${eva.email} is suspended for 7 days\\. `));
    assert.deepEqual(rest, [`Not done: ${erased.id}`, '']);
    const undone = [first, third].map((line) => /: undo (\S+)$/.exec(line ?? '')?.[1] ?? '');
    const both = await admin('undo', ...undone);
    assert.deepEqual(both, { code: 0, said: undone.map((id) => `${id} is undone.\n`).join('') });
    for (const [command, ...last] of [
      ['disable'],
      ['enable'],
      ['silence', '3'],
      ['release'],
      ['hide-all'],
      ['role', 'member'],
    ] as const) {
      const done = await admin(command, ana.email, eva.email, ana.email, ...last);
      assert.equal(done.code, 0, done.said);
      assert.match(done.said, new RegExp(`^.*${ana.email}.*\n.*${eva.email}.*\n$`));
    }
    const wrong = await admin('suspend', ana.email, '1000');
    assert.deepEqual(wrong, { code: 1, said: 'The days are a number from 1 to 365.\n' });
  });

  test('no account is changed if one of several is not found, such as a mistyped number of days', async () => {
    const { email } = await forum().person();
    for (const [command, ...last] of [
      ['suspend', '1e3'],
      ['suspend', 'nadie@ejemplo.es', '7'],
      ['silence', 'nadie@ejemplo.es', '7'],
      ['hide-all', 'nadie@ejemplo.es'],
      ['disable', 'nadie@ejemplo.es'],
      ['role', 'nadie@ejemplo.es', 'moderator'],
    ] as const) {
      const { code, said } = await admin(command, email, ...last);
      assert.equal(code, 1, said);
      assert.match(said, /^There is no account with the id or e-mail \S+\.\n$/);
      assert.match(await operate(forum(), 'accounts', email), / member +active$/m);
    }
    for (const [setUp, command, state] of [
      ['suspend', 'release', / suspended$/m],
      ['disable', 'enable', / disabled, suspended$/m],
      ['erase-account', 'cancel-erasure', / disabled, suspended, to be erased /],
    ] as const) {
      await operate(forum(), setUp, email);
      const { code, said } = await admin(command, email, 'nadie@ejemplo.es');
      assert.equal(code, 1, said);
      assert.match(await operate(forum(), 'accounts', email), state);
    }
  });

  test('several accounts are erased after one question, and none if one name is wrong', async () => {
    const people = [await forum().person(), await forum().person()];
    const emails = people.map(({ email }) => email);
    const wrong = await admin('erase-account', ...emails, 'nadie@ejemplo.es');
    assert.equal(wrong.code, 1);
    assert.match(wrong.said, /^There is no account with .* nadie@ejemplo\.es\.\n$/);
    assert.match(await operate(forum(), 'accounts', emails[0] ?? ''), /active$/);
    const erasing = runTertulia(forum().dataSettings, 'admin', 'erase-account', ...emails);
    erasing.stdin?.end('yes\n');
    const { code, said } = await outcomeOf(erasing);
    assert.equal(code, 0, said);
    const named = people.map(({ id, email }) => `${email} (${id})`).join(', ');
    assert.ok(said.startsWith(`Erase ${named} with everything they wrote, in 14 days? Type yes: `));
    assert.equal(said.match(/Receipt, for the owner of /g)?.length, 2);
  });

  test('a new account gets a link to its first password, whatever the registration setting, and needs a unique e-mail', async () => {
    await changeSettings(forum(), { registration: 'closed' });
    const made = await admin('create', 'nueva@ejemplo.es', 'Nueva Vecina');
    await changeSettings(forum(), { registration: 'open' });
    assert.equal(made.code, 0, made.said);
    const [, token = ''] =
      /^https?:\/\/\S+\/password#([\w-]{43})\nFor nueva@ejemplo\.es, .*within 30 minutes/.exec(
        made.said,
      ) ?? [];
    assert.equal((await setPassword(forum(), token)).status, 204);
    assert.equal((await forum().signIn('nueva@ejemplo.es', newPassword)).status, 200);
    const listed = await operate(forum(), 'accounts', 'nueva@ejemplo.es');
    assert.match(listed, /Nueva Vecina .* member +active$/m);
    assert.match(await operate(forum(), 'audit'), /create-account +[\w-]{36}/);
    for (const [args, said] of [
      [['NUEVA@ejemplo.es'], 'Ya hay una cuenta con ese correo.\n'],
      [['con:dos@ejemplo.es'], 'El correo no puede llevar dos puntos (:).\n'],
      [['Marta', 'marta@ejemplo.es'], /^Marta is not an e-mail address, which comes before/],
      [['marta.ejemplo.es'], /^marta\.ejemplo\.es is not an e-mail address/],
      [['otra@ejemplo.es', 'Cuenta eliminada'], /^Así se llaman las cuentas eliminadas/],
    ] as const) {
      const refused = await admin('create', ...args);
      assert.equal(refused.code, 1, refused.said);
      assert.match(
        refused.said,
        typeof said === 'string' ? new RegExp(`^${RegExp.escape(said)}$`) : said,
      );
    }
  });

  test('control characters of an account name are not printed', async () => {
    const person = await forum().person();
    const name = 'Eva\u202emoc\u200f';
    await forum()
      .services.db.updateTable('accounts')
      .set({ name })
      .where('id', '=', person.id)
      .execute();
    assert.match(await operate(forum(), 'accounts', person.id), / Eva moc /);
  });

  test('a disabled account has no session and cannot sign in, and its comments stay', async () => {
    const person = await forum().person();
    const channel = await forum().channel(person);
    await forum().comment(person, channel._id, 'Sigue aquí');
    const link = await passwordToken(forum(), person.email);
    await operate(forum(), 'disable', person.email);
    await expectProblem(await me(forum(), person.token), 401, 'not_signed_in');
    const signIn = () => forum().signIn(person.email, person.password);
    await expectProblem(await signIn(), 403, 'account_disabled');
    // With a wrong password the response does not reveal that the account is disabled.
    await expectProblem(await forum().signIn(person.email, 'mal'), 401, 'wrong_credentials');
    await expectProblem(await setPassword(forum(), link), 403, 'password_link_dead');
    await assert.rejects(operate(forum(), 'password', person.email), { code: 'account_disabled' });
    assert.equal((await forum().allComments(channel._id))[0]?.comment, 'Sigue aquí');
    assert.match(await operate(forum(), 'accounts', person.id), /disabled$/m);

    await operate(forum(), 'enable', person.id);
    await expectProblem(await me(forum(), person.token), 401, 'not_signed_in');
    assert.equal((await signIn()).status, 200);
  });

  test('only one of several concurrent uses of a password link succeeds, and a newer link invalidates the older', async () => {
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

  test('an invalid password leaves the password link valid, and an invented link is rejected', async () => {
    const person = await forum().person();
    const token = await passwordToken(forum(), person.email);
    await expectProblem(await setPassword(forum(), token, ''), 400, 'invalid_fields');
    assert.equal((await setPassword(forum(), token)).status, 204);
    for (const madeUp of ['', 'a'.repeat(43), '\ud800', 'x'.repeat(200)]) {
      await expectProblem(await setPassword(forum(), madeUp), 403, 'password_link_dead');
    }
    const tooLong = await setPassword(forum(), 'x'.repeat(201));
    await expectProblem(tooLong, 400, 'invalid_fields');
  });

  test('the audit log names each change and its actor, and no table or output contains a token', async () => {
    const person = await forum().person();
    const token = await passwordToken(forum(), person.email);
    await setPassword(forum(), token);
    await operate(forum(), 'disable', person.email);
    await assert.rejects(operate(forum(), 'disable', 'nadie@ejemplo.es'), /There is no account/);
    const said = await operate(forum(), 'audit');
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
    const links = await forum().services.db.selectFrom('password_links').selectAll().execute();
    assert.ok(!`${said}${JSON.stringify(links)}`.includes(token));
  });

  test('an unknown command or one with missing arguments fails and prints its usage', async () => {
    await assert.rejects(
      operate(forum(), 'constructor'),
      /has no command constructor.*end-sessions/s,
    );
    await assert.rejects(operate(forum(), 'disable'), /usage: tertulia admin disable <account>/);
    await assert.rejects(operate(forum(), 'disabel'), /no command disabel.*disable <account>/s);
    await assert.rejects(operate(forum(), 'audit', 'x'), /usage/);
    const { email } = await forum().person();
    for (const days of ['0', 'x']) {
      await assert.rejects(operate(forum(), 'silence', email, days), /days are a number/);
    }
    await assert.rejects(operate(forum(), 'role', email, 'jefa'), /A role is member/);
    await assert.rejects(operate(forum(), 'disable', 'nadie'), /no account with .* nadie/);
  });

  test('an account is released from silences and suspensions, and what else keeps it from writing is printed', async () => {
    const person = await forum().person();
    const { email } = person;
    await assert.rejects(operate(forum(), 'release', email), { code: 'already_decided' });
    await operate(forum(), 'suspend', email);
    await operate(forum(), 'silence', email, '3');
    assert.equal(await operate(forum(), 'release', email), `${email} can write again.`);
    await operate(forum(), 'suspend', email, '1');
    const hidden = await operate(forum(), 'hide-all', email);
    const [, id = ''] = /: undo (\S+)$/.exec(hidden) ?? [];
    const said = await operate(forum(), 'release', email);
    assert.match(said, new RegExp(`cannot write yet\\. .*: undo ${id}$`));
    await operate(forum(), 'undo', id);
    assert.match(await operate(forum(), 'accounts', email), / member +active$/m);
  });

  test('an account is erased after the days of grace, which can be cancelled, or at once', async () => {
    const [ana, spam] = [await forum().person('Ana'), await forum().person('Ofertas')];
    for (const one of [ana, spam]) await forum().channel(one);
    const cancel = (id: string) => operate(forum(), 'cancel-erasure', id);
    await assert.rejects(cancel(ana.id), /Nobody asked for .* to be erased/);
    for (const erase of [1, 2]) {
      const said = await operate(forum(), 'erase-account', ana.email);
      assert.match(said, /^Receipt, .*Canales: 1\./s);
      assert.match(await operate(forum(), 'accounts', ana.id), /to be erased \d{4}-/);
      if (erase === 1)
        assert.equal(await cancel(ana.id), `${ana.email} is no longer scheduled for erasure.`);
    }
    assert.match(await operate(forum(), 'erase-account', spam.id, '--now'), /within a minute/);
    await attemptErasures(forum().services, forum().app.log);
    assert.match(await operate(forum(), 'accounts', spam.id), /erased$/);
    await assert.rejects(cancel(spam.id), { code: 'not_restorable' });
    await assert.rejects(operate(forum(), 'erase-account', spam.id), { code: 'user_not_found' });
    await assert.rejects(operate(forum(), 'erase', spam.id), /is an account/);
    assert.equal((await me(forum(), ana.token)).status, 200);
    wait(15 * dayMs);
    await attemptErasures(forum().services, forum().app.log);
    assert.match(await operate(forum(), 'accounts', ana.id), /erased$/);
    const said = await operate(forum(), 'audit');
    for (const { id } of [ana, spam]) assert.match(said, new RegExp(`ada +\\S+ +${id} +porque sí`));
    assert.match(said, new RegExp(`ada +cancel-deletion +${ana.id} +porque sí`));
  });

  test('a password link expires after 30 minutes, and housekeeping deletes it', async () => {
    const { id, email } = await forum().person();
    const token = await passwordToken(forum(), email);
    wait(30 * 60_000);
    await expectProblem(await setPassword(forum(), token), 403, 'password_link_dead');
    const { db } = forum().services;
    const links = () =>
      db.selectFrom('password_links').selectAll().where('account_id', '=', id).execute();
    assert.equal((await links()).length, 1);
    await runHousekeeping(forum().services, forum().app.log);
    assert.equal((await links()).length, 0);
    const fresh = await passwordToken(forum(), email);
    wait(29 * 60_000);
    assert.equal((await setPassword(forum(), fresh)).status, 204);
  });
});
