import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decide, decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import { operate, passwordToken } from '../../../../test/forum/operator.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import type { RecoveryCodes } from '../../../shared/account-settings.ts';
import type { User } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { ProblemCode } from '../../../shared/errors.ts';
import type { Queue } from '../../../shared/moderation.ts';
import type { SearchResults } from '../../../shared/search.ts';
import type { MadeInvitation, Registration } from '../../../shared/site-settings.ts';
import { readAudit } from '../../database/audit-log.ts';
import { attemptErasures } from '../../operation/housekeeping/housekeeping.ts';
import { dayMs } from '../../system/times.ts';

onEngine('sqlite', 'who may come in', (forum, wait) => {
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

  test('an account that waits for approval cannot be opened in any other way and is not shown to anyone', async () => {
    await register('open');
    const ana = await forum().person('Quiteria');
    const { token } = ana;
    const options = { token, body: { currentPassword: ana.password } };
    const { codes } = await forum().json<RecoveryCodes>('POST', apiRoutes.recoveryCodes, options);
    const browser = new RememberedBrowser(forum());
    await browser.signIn(ana);
    const link = await passwordToken(forum(), ana.email);
    const waiting = await asked({ name: 'Quiteria' });
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

    const found = await forum().json<SearchResults>('GET', `${apiRoutes.search}?q=quiteria`);
    assert.deepEqual(found.people, []);
    const eva = await staff(forum());
    const channel = await forum().channel(eva);
    const url = `${apiRoutes.users}?channel=${channel._id}&prefix=qui`;
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
    const comment = { id: channel._id, comment: '@Quiteria a', mentions };
    const mention = await forum().call('PUT', apiRoutes.comment, { ...eva, body: comment });
    await expectProblem(mention, 400, 'invalid_fields');
    const given = await forum().call('PUT', apiRoutes.userRole(waiting.id), {
      token: ada.token,
      body: { role: 'moderator' },
    });
    await expectProblem(given, 404, 'user_not_found');
  });

  test('the text of a request for an account is stored and shown to moderators until they decide, and for no other account', async () => {
    const eva = await staff(forum(), 'admin');
    const about = 'Riego el bancal de al lado';
    const stored = () => findText(forum(), about);
    const { invitation } = await invite(eva);
    assert.equal((await signUp({ about })).status, 201);
    await register('request');
    assert.equal((await signUp({ about, invitation })).status, 201);
    assert.deepEqual(await stored(), []);
    const long = await expectProblem(
      await signUp({ about: 'Á'.repeat(501) }),
      ...([400, 'invalid_fields'] as const),
    );
    assert.deepEqual(
      long.errors?.map(({ field }) => field),
      ['about'],
    );
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

  test('a refusal states its reason and the day of the erasure, and undoing it lets the account wait again', async () => {
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

  test('a waiting account is refused when all of its content is hidden, and waits again once that is undone', async () => {
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

  test('a waiting account that the operator disables or erases is let in by no moderator, and erased on its day', async () => {
    const [zoe, ana, rut] = [await asked(), await asked(), await asked()];
    const eva = await staff(forum(), 'admin');
    const rejected = await decided(forum(), eva, { subject: user(ana), action: 'reject' });
    for (const { email } of [zoe, ana]) await operate(forum(), 'disable', email);
    await operate(forum(), 'erase-account', rut.id);
    const { data } = await forum().json<Queue>('GET', `${apiRoutes.queue}?state=pending`, eva);
    const ids = [zoe, ana, rut].map(({ id }) => id);
    assert.ok(data.every(({ subject }) => subject.kind !== 'user' || !ids.includes(subject.id)));
    const { db } = forum().services;
    const days = () =>
      db.selectFrom('accounts').select(['id', 'deletion_at_ms']).where('id', 'in', ids).execute();
    const before = await days();
    wait(1000);
    await undone(forum(), eva, rejected);
    for (const one of [zoe, ana, rut]) {
      const approved = await decide(forum(), eva, { subject: user(one), action: 'approve' });
      await expectProblem(approved, 409, 'already_decided');
      assert.equal((await signIn(one)).status, 403);
      assert.equal((await forum().call('GET', apiRoutes.user(one.id), eva)).status, 404);
    }
    await decided(forum(), eva, { subject: user(rut), action: 'hideAll' });
    assert.deepEqual(await days(), before);
    wait(30 * dayMs + 60_000);
    await attemptErasures(forum().services, forum().app.log);
    for (const one of [zoe, ana, rut])
      await expectProblem(await signIn(one), 401, 'wrong_credentials');
  });

  test('a waiting or refused account is erased once, 30 days later, and its address is free again', async () => {
    const [zoe, ana, eva] = [await asked(), await asked(), await staff(forum(), 'admin')];
    await decided(forum(), eva, { subject: user(zoe), action: 'reject' });
    await expectProblem(await signUp({ email: zoe.email }), 409, 'email_taken');
    const erase = () => attemptErasures(forum().services, forum().app.log);
    wait(30 * dayMs - 60_000);
    await erase();
    await expectProblem(await signIn(zoe), 403, 'refused');
    await expectProblem(await signIn(ana), 403, 'awaiting_approval');
    // The second pass, more than a minute after the first, ends the erasure.
    for (let day = 0; day < 3; day++) {
      wait(dayMs);
      await erase();
    }
    for (const one of [zoe, ana]) await expectProblem(await signIn(one), 401, 'wrong_credentials');
    const { db } = forum().services;
    const audit = await readAudit(db, 100);
    const erasures = audit.filter(
      ({ action, subject }) => action === 'erase-account' && subject === zoe.id,
    );
    assert.equal(erasures.length, 1);
    assert.equal((await signUp({ email: zoe.email })).status, 201);
  });

  test('registration checks its requirements before it says that an address is taken', async () => {
    await register('open');
    const ana = await forum().person();
    const { email } = ana;
    for (const [registration, code] of [
      ['closed', 'registration_closed'],
      ['invitation', 'invitation_required'],
    ] as const) {
      await register(registration);
      await expectProblem(await signUp({ email }), 403, code);
      const invitation = await forum().call('POST', apiRoutes.invitations, { ...ana, body: {} });
      assert.equal(invitation.status, registration === 'closed' ? 403 : 201);
    }
    for (const registration of ['open', 'request'] as const) {
      await register(registration);
      await expectProblem(await signUp({ email }), 409, 'email_taken');
      // An invalid invitation is refused even if none is needed.
      const refused = await signUp({ invitation: 'x' });
      await expectProblem(refused, 403, 'invitation_required');
    }
  });

  test('invitations are made and used only while their maker is approved and may write', async () => {
    await register('open');
    const [ana, eva] = [await forum().person(), await staff(forum())];
    const make = () => forum().call('POST', apiRoutes.invitations, { ...ana, body: {} });
    const { invitation } = await invite(ana, 20);
    const refused = async (code: ProblemCode) => {
      await expectProblem(await make(), 403, code);
      await expectProblem(await signUp({ invitation }), 403, 'invitation_required');
    };
    const silence = { subject: user(ana), action: 'silence', days: 7 };
    const silenced = await decided(forum(), eva, silence);
    await refused('silenced');
    await undone(forum(), eva, silenced);
    assert.equal((await signUp({ invitation })).status, 201);
    const { _id: id } = await forum().channel(eva);
    const hidden = { subject: { kind: 'channel', id } as const, action: 'hide' };
    await decided(forum(), await staff(forum()), hidden);
    await changeSettings(forum(), { registration: 'open', reviewsFirstPosts: true });
    await refused('not_approved');
    // A moderator stays approved, though no post of theirs is shown.
    assert.equal(
      (await forum().call('POST', apiRoutes.invitations, { ...eva, body: {} })).status,
      201,
    );
    await register('open');
    assert.equal((await signUp({ invitation })).status, 201);
    await operate(forum(), 'disable', ana.email);
    await expectProblem(await signUp({ invitation }), 403, 'invitation_required');
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
