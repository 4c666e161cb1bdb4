import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { engines, expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { staff } from '../../../../test/forum/moderators.ts';
import { mailAll } from '../../../../test/mail/mail-all.ts';
import { MailServer } from '../../../../test/mail/mail-server.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type {
  MailedInvitationPage,
  MailedInvitations,
} from '../../../shared/mailed-invitations.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import type { InvitedBy } from '../../../shared/site-settings.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { dayMs } from '../../system/times.ts';

for (const engine of engines) {
  describe(`invitations by mail (${engine})`, () => {
    let server: MailServer;
    let forum: Forum;
    let aheadMs = 0;
    let eva: Person;
    before(async () => {
      server = await MailServer.start();
      const settings = { ...server.settings, MAIL_DAILY_LIMIT: '1000' };
      forum = await Forum.start(engine, settings, { now: () => Date.now() + aheadMs });
      eva = await staff(forum, 'moderator', 'Eva');
    });
    after(async () => {
      await forum?.stop();
      await server?.stop();
    });

    const call = (invitees: object[], person = eva) =>
      forum.call('POST', apiRoutes.mailedInvitations, {
        token: person.token,
        body: { invitees },
      });
    const invite = async (invitees: object[]) => {
      const response = await call(invitees);
      assert.equal(response.status, 200, await response.clone().text());
      return ((await response.json()) as MailedInvitations).data;
    };
    const list = () => forum.json<MailedInvitationPage>('GET', apiRoutes.mailedInvitations, eva);
    const stateOf = async (email: string) =>
      (await list()).data.find((one) => one.email === email)?.state;
    const mailTo = async (email: string) => {
      await mailAll(forum.services);
      return server.take().filter(({ recipients }) => recipients.includes(email));
    };
    const codeIn = (text = '') => /\/register#([\w-]{22})/.exec(text)?.[1] ?? '';
    const signUp = (email: string, invitation?: string) =>
      forum.call('POST', apiRoutes.signUp, {
        body: { name: 'Ana', email, password: 'clave larga', invitation },
      });
    const isConfirmed = async (email: string) => {
      const rows = forum.services.db.selectFrom('accounts').select('email_confirmed_at_ms');
      return (await rows.where('email', '=', email).executeTakeFirst())?.email_confirmed_at_ms;
    };

    test('let one person in, confirm the address they were sent to, and say who has come', async () => {
      const beto = await forum.person('Beto');
      const sent = await invite([
        { email: 'ana@correo.example', name: ' =Ana\u202e Soler ' },
        { email: 'ANA@correo.example' },
        { email: beto.email },
        { email: 'luz@correo.example' },
      ]);
      assert.deepEqual(
        sent.map(({ email, name, state }) => [email, name, state]),
        [
          ['ANA@correo.example', '', 'waiting'],
          [beto.email, '', 'member'],
          ['luz@correo.example', '', 'waiting'],
        ],
      );
      const [mail, ...others] = await mailTo('luz@correo.example');
      assert.deepEqual(others, []);
      assert.match(mail?.subject ?? '', /^Eva te invita a tertulia/);
      const code = codeIn(mail?.text);
      // Whoever opens the link uses nothing up.
      for (let i = 0; i < 2; i++) {
        const answer = await forum.call('POST', apiRoutes.invitedBy, {
          body: { invitation: code },
        });
        const from = (await answer.json()) as InvitedBy;
        assert.deepEqual([from.name, from.email], ['Eva', 'luz@correo.example']);
        assert.equal((await forum.call('GET', pageRoutes.register)).status, 200);
      }
      assert.equal((await signUp('luz@correo.example', code)).status, 201);
      assert.notEqual(await isConfirmed('luz@correo.example'), null);
      assert.deepEqual(await mailTo('luz@correo.example'), []);
      assert.equal(await stateOf('luz@correo.example'), 'joined');
      await expectProblem(await signUp('otra@correo.example', code), 403, 'invitation_required');
      const { invited, joined } = await list();
      assert.deepEqual([invited, joined], [2, 1]);
      // Repeating it mails nothing.
      assert.equal((await invite([{ email: 'ana@correo.example' }]))[0]?.state, 'waiting');
      assert.deepEqual(await mailTo('ana@correo.example'), []);
      const own = await forum.json<{ data: unknown[] }>('GET', apiRoutes.invitations, eva);
      assert.deepEqual(own.data, []);
    });

    test('confirm no other address, and are joined by whoever signs up without them', async () => {
      await invite([{ email: 'pau@correo.example' }, { email: 'sol@correo.example' }]);
      await mailAll(forum.services);
      const mails = server.take();
      const codeOf = (email: string) =>
        codeIn(mails.find(({ recipients }) => recipients.includes(email))?.text);
      assert.equal((await signUp('pau@otro.example', codeOf('pau@correo.example'))).status, 201);
      assert.equal(await isConfirmed('pau@otro.example'), null);
      assert.equal(await stateOf('pau@correo.example'), 'joined');
      assert.equal((await signUp('sol@correo.example')).status, 201);
      assert.equal(await isConfirmed('sol@correo.example'), null);
      assert.equal(await stateOf('sol@correo.example'), 'joined');
    });

    test('say which address was refused, are sent once more after three days, and are erased after thirty', async () => {
      server.refuse = () => ({ code: 550, text: '5.1.1 no such user' });
      await invite([{ email: 'nadie@correo.example' }]);
      await mailAll(forum.services);
      server.refuse = undefined;
      assert.equal(await stateOf('nadie@correo.example'), 'refused');
      const [one] = await invite([{ email: 'mar@correo.example', name: 'Mar' }]);
      assert.match((await mailTo('mar@correo.example'))[0]?.text ?? '', /Hola, Mar:/);
      const again = () =>
        forum.call('POST', apiRoutes.mailedInvitationAgain(one?.id ?? ''), { token: eva.token });
      await expectProblem(await again(), 409, 'too_early');
      aheadMs += 3 * dayMs;
      assert.equal((await again()).status, 204);
      await expectProblem(await again(), 409, 'too_early');
      assert.equal((await mailTo('mar@correo.example')).length, 1);
      aheadMs += 27 * dayMs;
      assert.equal(await stateOf('mar@correo.example'), undefined);
      await eraseExpired(forum.services);
      const rows = forum.services.db.selectFrom('mailed_invitations').select('email');
      assert.deepEqual(await rows.execute(), []);
    });

    test('are for moderators, at most five hundred a day, while registration is open', async () => {
      const ana = await forum.person();
      await expectProblem(await call([{ email: 'a@b.example' }], ana), 404, 'not_found');
      for (const email of [
        'ana',
        'a:b@c.example',
        'a@b.example\nBcc: c@d.example',
        `${'a'.repeat(400)}@b.example`,
      ])
        await expectProblem(await call([{ email }]), 400, 'invalid_fields');
      const some = (start: number, count: number) =>
        Array.from({ length: count }, (_, index) => ({ email: `p${start + index}@b.example` }));
      for (let start = 0; start < 500; start += 100) await invite(some(start, 100));
      assert.equal((await list()).left, 0);
      const refused = await call(some(500, 1));
      await expectProblem(refused, 429, 'too_many_requests');
      // The same people again are no more.
      assert.equal((await invite(some(0, 100))).length, 100);
      const first = await list();
      assert.equal(first.data.length, 100);
      assert.notEqual(first.next, null);
      await changeSettings(forum, { registration: 'closed' });
      await expectProblem(await call([{ email: 'x@b.example' }]), 403, 'registration_closed');
      // What was queued is not sent while nobody can use it.
      await mailAll(forum.services);
      assert.ok(!server.take().some(({ subject }) => subject?.includes('invita')));
      await changeSettings(forum, { registration: 'open' });
    });

    test('make place for another once their maker may not invite, and are sent again at once if they never left', async () => {
      aheadMs += 2 * dayMs;
      const other = await staff(forum, 'moderator', 'Mara');
      await call([{ email: 'ola@correo.example' }], other);
      await mailAll(forum.services);
      server.take();
      await forum.services.db
        .updateTable('accounts')
        .set({ disabled_at_ms: 1 })
        .where('id', '=', other.id)
        .execute();
      const [one] = await invite([{ email: 'ola@correo.example' }]);
      assert.equal(one?.state, 'waiting');
      // Its mail is given up after a day without the mail server.
      aheadMs += dayMs + 1;
      assert.deepEqual(await mailTo('ola@correo.example'), []);
      const [listed] = (await list()).data;
      assert.deepEqual([listed?.email, listed?.mayRepeat], ['ola@correo.example', true]);
      const token = eva.token;
      const path = apiRoutes.mailedInvitationAgain(one?.id ?? '');
      assert.equal((await forum.call('POST', path, { token })).status, 204);
      assert.equal((await mailTo('ola@correo.example')).length, 1);
    });

    test('end with the account of whoever came', async () => {
      aheadMs += 2 * dayMs;
      await invite([{ email: 'eco@correo.example' }]);
      const [mail] = await mailTo('eco@correo.example');
      const answer = await signUp('eco@otro.example', codeIn(mail?.text));
      const { id } = (await answer.json()) as { id: string };
      const marks = { deletion_requested_at_ms: 1, deletion_at_ms: 2, deletion_content: 'erase' };
      const { db } = forum.services;
      await db
        .updateTable('accounts')
        .set(marks as object)
        .where('id', '=', id)
        .execute();
      await eraseDueAccounts(forum.services);
      assert.equal(await stateOf('eco@correo.example'), undefined);
    });
  });
}
