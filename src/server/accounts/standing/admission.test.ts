import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decide, decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import { operate, passwordToken } from '../../../../test/forum/operator.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import type { RecoveryCodes } from '../../../shared/account-settings.ts';
import type { User } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Queue } from '../../../shared/moderation.ts';
import type { SearchResults } from '../../../shared/search.ts';
import type { MadeInvitation, Registration } from '../../../shared/site-settings.ts';
import { readAudit } from '../../database/audit-log.ts';
import { attemptErasures } from '../../operation/housekeeping/housekeeping.ts';
import { dayMs } from '../../system/times.ts';

onBothEngines('who may come in', (forum, wait) => {
  const password = 'clave larga';
  let count = 0;
  const newEmail = () => `alguien-${++count}@ejemplo.es`;
  const signUp = (more: object = {}) =>
    forum().call('POST', apiRoutes.signUp, {
      body: { name: 'Zoraida', email: newEmail(), password, ...more },
    });
  const register = (registration: Registration) => changeSettings(forum(), { registration });
  const asked = async (more: object = {}): Promise<User> => {
    await register('request');
    const user = (await (await signUp(more)).json()) as User;
    await register('open');
    return user;
  };
  const signIn = ({ email }: Pick<User, 'email'>) => forum().signIn(email, password);
  const invite = async ({ token }: Pick<Person, 'token'>, uses = 1) => {
    const options = { token, body: { uses } };
    const { id, url } = await forum().json<MadeInvitation>('POST', apiRoutes.invitations, options);
    return { id, invitation: new URL(url).hash.slice(1) };
  };

  test('no other way opens an account that waits, and nobody is shown it', async () => {
    await register('open');
    const ana = await forum().person('Zoraida');
    const { token } = ana;
    const options = { token, body: { currentPassword: ana.password } };
    const { codes } = await forum().json<RecoveryCodes>('POST', apiRoutes.recoveryCodes, options);
    const browser = new RememberedBrowser(forum());
    await browser.signIn(ana);
    const link = await passwordToken(forum(), ana.email);
    const waiting = await asked();
    // Turn the account with all ways to sign in into one that waits for approval.
    const { db } = forum().services;
    const row = db
      .selectFrom('accounts')
      .select(['admission', 'disabled_at_ms'])
      .where('id', '=', waiting.id);
    const state = await row.executeTakeFirstOrThrow();
    await db.updateTable('accounts').set(state).where('id', '=', ana.id).execute();

    await expectProblem(await forum().call('GET', apiRoutes.me, { token }), 401, 'not_signed_in');
    await expectProblem(await browser.resume(), 401, 'not_remembered');
    const recover = { email: ana.email, code: codes[0], password };
    const recovered = await forum().call('POST', apiRoutes.recover, { body: recover });
    await expectProblem(recovered, 400, 'recovery_failed');
    const body = { token: link, password };
    const linked = await forum().call('POST', apiRoutes.setPassword, { body });
    await expectProblem(linked, 403, 'password_link_dead');
    const again = await forum().signIn(ana.email, ana.password);
    await expectProblem(again, 403, 'awaiting_approval');

    const found = await forum().json<SearchResults>('GET', `${apiRoutes.search}?q=zoraida`);
    assert.deepEqual(found.people, []);
    const eva = await staff(forum());
    const channel = await forum().channel(eva);
    const url = `${apiRoutes.users}?channel=${channel._id}&prefix=zor`;
    assert.deepEqual(await forum().json('GET', url, eva), { data: [] });
    for (const path of [apiRoutes.user, apiRoutes.userChannels, apiRoutes.userComments]) {
      const shown = await forum().call('GET', path(waiting.id));
      await expectProblem(shown, 404, 'user_not_found');
    }
    const ada = await staff(forum(), 'admin');
    const linkOf = await forum().call('POST', apiRoutes.passwordLink(waiting.id), ada);
    await expectProblem(linkOf, 403, 'account_disabled');

    const reported = { kind: 'user', id: waiting.id, reason: 'spam' };
    const report = await forum().call('POST', apiRoutes.reports, { body: reported });
    await expectProblem(report, 404, 'user_not_found');
    const mentions = [{ start: 0, length: 9, accountId: waiting.id }];
    const comment = { id: channel._id, comment: '@Zoraida a', mentions };
    const mention = await forum().call('PUT', apiRoutes.comment, { ...eva, body: comment });
    await expectProblem(mention, 400, 'invalid_fields');
    const given = await forum().call('PUT', apiRoutes.userRole(waiting.id), {
      token: ada.token,
      body: { role: 'moderator' },
    });
    await expectProblem(given, 404, 'user_not_found');
  });

  test('what an account says when it asks to be let in is stored and shown to moderators until they decide', async () => {
    const eva = await staff(forum(), 'admin');
    const about = 'Riego el bancal de al lado';
    const stored = () => findText(forum(), about);
    const decideOn = (action: string) => (one: User) =>
      decided(forum(), eva, { subject: user(one), action });
    const ends: Record<string, (one: User) => Promise<unknown>> = {
      approve: decideOn('approve'),
      reject: decideOn('reject'),
      hideAll: decideOn('hideAll'),
      disable: ({ email }) => operate(forum(), 'disable', email),
      enable: ({ email }) => operate(forum(), 'enable', email),
      async erase() {
        wait(30 * dayMs + 1000);
        await attemptErasures(forum().services, forum().app.log);
      },
    };
    for (const [name, end] of Object.entries(ends)) {
      const zoe = await asked({ about: ` ${about}\n` });
      assert.ok(!JSON.stringify(zoe).includes(about));
      const { data } = await forum().json<Queue>('GET', `${apiRoutes.queue}?state=pending`, eva);
      assert.equal(data.find(({ subject }) => subject.id === zoe.id)?.text, about);
      assert.equal((await stored()).length, 1, name);
      await end(zoe);
      assert.deepEqual(await stored(), [], name);
    }
  });

  test('what an account says is ignored unless it waits, and refused when it is too long', async () => {
    const about = 'Á'.repeat(500);
    const stored = () => findText(forum(), about);
    await register('request');
    const long = await expectProblem(await signUp({ about: `${about}a` }), 400, 'invalid_fields');
    assert.deepEqual(
      long.errors?.map(({ field }) => field),
      ['about'],
    );
    await register('open');
    const { invitation } = await invite(await staff(forum()));
    assert.equal((await signUp({ about })).status, 201);
    await register('request');
    assert.equal((await signUp({ about, invitation })).status, 201);
    assert.deepEqual(await stored(), []);
    assert.equal((await signUp({ about })).status, 201);
    assert.equal((await stored()).length, 1);
  });

  test('a refusal says why and until when, and an undone one lets the account wait again', async () => {
    const [zoe, eva] = [await asked(), await staff(forum(), 'admin')];
    const reason = 'No te conocemos';
    const rejected = await decided(forum(), eva, { subject: user(zoe), action: 'reject', reason });
    const { detail } = await expectProblem(await signIn(zoe), 403, 'refused');
    assert.match(detail, /Motivo: No te conocemos\. Se borrará el \d+ de \p{L}+ de \d{4}/u);
    await expectProblem(await forum().signIn(zoe.email, 'otra'), 401, 'wrong_credentials');
    const again = await decide(forum(), eva, { subject: user(zoe), action: 'approve' });
    await expectProblem(again, 409, 'already_decided');
    await undone(forum(), eva, rejected);
    await expectProblem(await signIn(zoe), 403, 'awaiting_approval');
    await decided(forum(), eva, { subject: user(zoe), action: 'approve' });
    assert.equal((await signIn(zoe)).status, 200);
  });

  test('who asked to be let in is refused when all of the account is hidden, and waits again once that is undone', async () => {
    const [zoe, ana, eva] = [await asked(), await asked(), await staff(forum())];
    await decided(forum(), eva, { subject: user(ana), action: 'reject', reason: 'No' });
    wait(1000);
    const decisions = [];
    for (const one of [zoe, ana])
      decisions.push(await decided(forum(), eva, { subject: user(one), action: 'hideAll' }));
    const { detail } = await expectProblem(await signIn(zoe), 403, 'refused');
    assert.match(detail, /Motivo: Es publicidad\. Se borrará/);
    for (const one of decisions) await undone(forum(), eva, one);
    await expectProblem(await signIn(zoe), 403, 'awaiting_approval');
    await expectProblem(await signIn(ana), 403, 'refused');
  });

  test('a moderator does not let in who the operator disabled while they waited', async () => {
    const [zoe, eva] = [await asked(), await staff(forum())];
    await operate(forum(), 'disable', zoe.email);
    const approved = await decide(forum(), eva, { subject: user(zoe), action: 'approve' });
    await expectProblem(approved, 409, 'already_decided');
    await expectProblem(await signIn(zoe), 403, 'refused');
    assert.equal((await forum().call('GET', apiRoutes.user(zoe.id))).status, 404, 'it has no page');
    const ana = await asked();
    const rejected = await decided(forum(), eva, { subject: user(ana), action: 'reject' });
    await operate(forum(), 'disable', ana.email);
    await undone(forum(), eva, rejected);
    const again = await decide(forum(), eva, { subject: user(ana), action: 'approve' });
    await expectProblem(again, 409, 'already_decided');
    await expectProblem(await signIn(ana), 403, 'refused');
  });

  test('no decision changes when the operator erases who asked to be let in', async () => {
    const [zoe, ana, eva] = [await asked(), await asked(), await staff(forum(), 'admin')];
    const rejected = await decided(forum(), eva, { subject: user(ana), action: 'reject' });
    for (const one of [zoe, ana]) await operate(forum(), 'erase-account', one.id);
    const { data } = await forum().json<Queue>('GET', `${apiRoutes.queue}?state=pending`, eva);
    assert.ok(data.every(({ subject }) => subject.id !== zoe.id));
    const { db } = forum().services;
    const times = () =>
      db
        .selectFrom('accounts')
        .select('deletion_at_ms')
        .where('id', 'in', [zoe.id, ana.id])
        .orderBy('id')
        .execute();
    const before = await times();
    wait(1000);
    const approved = await decide(forum(), eva, { subject: user(zoe), action: 'approve' });
    await expectProblem(approved, 409, 'already_decided');
    await decided(forum(), eva, { subject: user(zoe), action: 'hideAll' });
    await undone(forum(), eva, rejected);
    assert.deepEqual(await times(), before);
  });

  test('an undone refusal is not erased, also when its time had come', async () => {
    const [zoe, eva] = [await asked(), await staff(forum(), 'admin')];
    const rejected = await decided(forum(), eva, { subject: user(zoe), action: 'reject' });
    const { db, now } = forum().services;
    await db
      .updateTable('accounts')
      .set({ deletion_at_ms: now(), deletion_content: 'erase' })
      .where('id', '=', zoe.id)
      .execute();
    await undone(forum(), eva, rejected);
    await attemptErasures(forum().services, forum().app.log);
    await expectProblem(await signIn(zoe), 403, 'awaiting_approval');
  });

  test('who asked to be let in is told nothing more and erased after 30 days', async () => {
    const zoe = await asked();
    wait(30 * dayMs + 1000);
    await attemptErasures(forum().services, forum().app.log);
    await expectProblem(await signIn(zoe), 401, 'wrong_credentials');
  });

  test('a refused account is erased once, 30 days later, and its address is free again', async () => {
    const [zoe, eva] = [await asked(), await staff(forum(), 'admin')];
    await decided(forum(), eva, { subject: user(zoe), action: 'reject' });
    await expectProblem(await signUp({ email: zoe.email }), 409, 'email_taken');
    const erase = () => attemptErasures(forum().services, forum().app.log);
    wait(30 * dayMs - 60_000);
    await erase();
    await expectProblem(await signIn(zoe), 403, 'refused');
    // The second pass, more than a minute after the first, ends the erasure.
    for (let day = 0; day < 3; day++) {
      wait(dayMs);
      await erase();
    }
    await expectProblem(await signIn(zoe), 401, 'wrong_credentials');
    const { db } = forum().services;
    const audit = await readAudit(db, 100);
    const erasures = audit.filter(
      ({ action, subject }) => action === 'erase-account' && subject === zoe.id,
    );
    assert.equal(erasures.length, 1);
    assert.equal((await signUp({ email: zoe.email })).status, 201);
  });

  test('a refused account that the operator disables is erased on the day it was told, also when the refusal is undone', async () => {
    const [zoe, ana, eva] = [await asked(), await asked(), await staff(forum(), 'admin')];
    await decided(forum(), eva, { subject: user(zoe), action: 'reject' });
    const rejected = await decided(forum(), eva, { subject: user(ana), action: 'reject' });
    for (const { email } of [zoe, ana]) await operate(forum(), 'disable', email);
    await undone(forum(), eva, rejected);
    wait(30 * dayMs - 60_000);
    await attemptErasures(forum().services, forum().app.log);
    for (const one of [zoe, ana]) await expectProblem(await signIn(one), 403, 'refused');
    wait(2 * 60_000);
    await attemptErasures(forum().services, forum().app.log);
    for (const one of [zoe, ana]) await expectProblem(await signIn(one), 401, 'wrong_credentials');
  });

  test('the operator lets somebody in by enabling the account', async () => {
    const zoe = await asked();
    await operate(forum(), 'enable', zoe.email);
    assert.equal((await signIn(zoe)).status, 200);
    assert.equal((await forum().call('GET', apiRoutes.user(zoe.id))).status, 200);
  });

  test('what registration asks for comes before a taken address', async () => {
    await register('open');
    const { email } = await forum().person();
    for (const [registration, code] of [
      ['closed', 'registration_closed'],
      ['invitation', 'invitation_required'],
    ] as const) {
      await register(registration);
      await expectProblem(await signUp({ email }), 403, code);
    }
    for (const registration of ['open', 'request'] as const) {
      await register(registration);
      await expectProblem(await signUp({ email }), 409, 'email_taken');
      // An invalid invitation is refused even if none is needed.
      const refused = await signUp({ invitation: 'x' });
      await expectProblem(refused, 403, 'invitation_required');
    }
  });

  test('an address that is taken does not use up an invitation', async () => {
    await register('open');
    const ana = await forum().person();
    const { invitation } = await invite(ana);
    await expectProblem(await signUp({ email: ana.email, invitation }), 409, 'email_taken');
    assert.equal((await signUp({ invitation })).status, 201);
  });

  test('an invitation revoked while it is used lets nobody in afterwards', async () => {
    await register('open');
    const ana = await forum().person();
    const { id, invitation } = await invite(ana, 20);
    await register('invitation');
    const tries = Array.from({ length: 10 }, () => signUp({ invitation }));
    const revoked = forum().call('DELETE', apiRoutes.invitation(id), { token: ana.token });
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.ok(
      statuses.every((status) => status === 201 || status === 403),
      String(statuses),
    );
    assert.equal((await revoked).status, 204);
    await expectProblem(await signUp({ invitation }), 403, 'invitation_required');
    const { data } = await forum().json<{ data: MadeInvitation[] }>(
      'GET',
      apiRoutes.invitations,
      ana,
    );
    assert.equal(data[0]?.used, statuses.filter((status) => status === 201).length);
  });

  test('invitations of who may not write let nobody in until that ends', async () => {
    await register('open');
    const [ana, eva] = [await forum().person(), await staff(forum())];
    const { invitation } = await invite(ana, 20);
    const silenced = await decided(forum(), eva, {
      ...{ subject: user(ana), action: 'silence', days: 7 },
    });
    const refused = await forum().call('POST', apiRoutes.invitations, { ...ana, body: {} });
    await expectProblem(refused, 403, 'silenced');
    await expectProblem(await signUp({ invitation }), 403, 'invitation_required');
    await undone(forum(), eva, silenced);
    assert.equal((await signUp({ invitation })).status, 201);
    await operate(forum(), 'disable', ana.email);
    await expectProblem(await signUp({ invitation }), 403, 'invitation_required');
  });

  test('invitations are made and used only while their maker is approved', async () => {
    await changeSettings(forum(), { registration: 'open', reviewsFirstPosts: true });
    const ana = await forum().person();
    const refused = await forum().call('POST', apiRoutes.invitations, { ...ana, body: {} });
    await expectProblem(refused, 403, 'not_approved');
    await register('open');
    const { invitation } = await invite(ana, 20);
    await changeSettings(forum(), { registration: 'open', reviewsFirstPosts: true });
    await expectProblem(await signUp({ invitation }), 403, 'invitation_required');
    await register('open');
    assert.equal((await signUp({ invitation })).status, 201);
  });

  test('registration that changes while forms are open counts when they are sent', async () => {
    await register('open');
    const email = newEmail();
    await register('closed');
    await expectProblem(await signUp({ email }), 403, 'registration_closed');
    await register('request');
    assert.equal((await signUp({ email })).status, 201);
    await register('open');
    await expectProblem(await signIn({ email }), 403, 'awaiting_approval');
  });

  test('moderators see who invited whom', async () => {
    await register('open');
    const [ana, eva] = [await forum().person('Ana Invita'), await staff(forum())];
    const { invitation } = await invite(ana);
    const guest = (await (await signUp({ invitation })).json()) as User;
    const session = (await (await signIn(guest)).json()) as { token: string };
    const { _id: id } = await forum().channel({ ...ana, ...session });
    await forum().json('POST', apiRoutes.reports, {
      body: { kind: 'channel', id, reason: 'spam' },
    });
    const queue = await forum().json<Queue>('GET', apiRoutes.queue, eva);
    const item = queue.data.find(({ subject }) => subject.id === id);
    assert.equal(item?.author.invitedBy, 'Ana Invita');
  });
});
