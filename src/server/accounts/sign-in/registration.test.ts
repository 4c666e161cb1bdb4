import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { engines, expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { staff } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { erasedName } from '../../../shared/erased-name.ts';
import type { Invitation, MadeInvitation } from '../../../shared/site-settings.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { dayMs } from '../../system/times.ts';
import { admit, refuse } from '../standing/admission.ts';

onBothEngines('registration', (forum) => {
  let count = 0;
  const signUp = (more: object = {}) =>
    forum().call('POST', apiRoutes.signUp, {
      body: {
        name: 'Nueva',
        email: `nueva-${++count}@ejemplo.es`,
        password: 'clave larga',
        ...more,
      },
    });
  const lastEmail = () => `nueva-${count}@ejemplo.es`;
  const invited = async ({ token }: Person, body: object = {}) => {
    const made = await forum().json<MadeInvitation>('POST', apiRoutes.invitations, { token, body });
    return { ...made, code: new URL(made.url).hash.slice(1) };
  };
  const accountOf = (email: string) =>
    forum()
      .services.db.selectFrom('accounts')
      .selectAll()
      .where('email_key', '=', email)
      .executeTakeFirstOrThrow();

  test('is open by default, closed when it is closed, also while the form is open', async () => {
    assert.equal((await signUp()).status, 201);
    await changeSettings(forum(), { registration: 'closed' });
    await expectProblem(await signUp(), 403, 'registration_closed');
    const ana = await forum().call('POST', apiRoutes.signIn, {
      headers: { authorization: `Basic ${btoa('nueva-1@ejemplo.es:clave larga')}` },
    });
    assert.equal(ana.status, 200);
    const { token } = (await ana.json()) as { token: string };
    const closed = await forum().call('POST', apiRoutes.invitations, { token, body: {} });
    await expectProblem(closed, 403, 'registration_closed');
    await changeSettings(forum(), { registration: 'open' });
    assert.equal((await signUp()).status, 201);
  });

  test('by invitation lets in as many as it is for, of 21 at once 20', async () => {
    const ana = await forum().person();
    await changeSettings(forum(), { registration: 'invitation' });
    await expectProblem(await signUp(), 403, 'invitation_required');
    await expectProblem(await signUp({ invitation: 'x' }), 403, 'invitation_required');
    const { code, id } = await invited(ana, { uses: 20 });
    const tries = await Promise.all(
      Array.from({ length: 21 }, (_, index) =>
        // Codes may be pasted with invisible characters.
        signUp({ invitation: index % 2 ? code : `\u202a${code}\u200b` }),
      ),
    );
    assert.deepEqual(Map.groupBy(tries, ({ status }) => status).get(201)?.length, 20);
    await expectProblem(await signUp({ invitation: code }), 403, 'invitation_required');
    const { invitation_id } = await accountOf(
      (
        await forum()
          .services.db.selectFrom('accounts')
          .select('email_key')
          .where('invitation_id', '=', id)
          .executeTakeFirst()
      )?.email_key ?? '',
    );
    assert.equal(invitation_id, id);
    await changeSettings(forum(), { registration: 'open' });
    await expectProblem(await signUp({ invitation: code }), 403, 'invitation_required');
  });

  test('an invitation that was used tells only the account that it opened', async () => {
    const ana = await forum().person();
    await changeSettings(forum(), { registration: 'invitation' });
    const [{ code }, other] = [await invited(ana), await invited(ana)];
    assert.equal((await signUp({ invitation: code })).status, 201);
    const email = lastEmail().toUpperCase();
    await expectProblem(await signUp({ invitation: code, email }), 409, 'email_taken');
    assert.equal((await signUp({ invitation: other.code })).status, 201);
    const used = await signUp({ invitation: other.code, email });
    await expectProblem(used, 403, 'invitation_required');
    await expectProblem(await signUp({ email }), 403, 'invitation_required');
    await changeSettings(forum(), { registration: 'open' });
  });

  test('an invitation ends, is revoked, and is of its maker alone', async () => {
    const [ana, eva] = [await forum().person(), await forum().person()];
    const { code, id, url } = await invited(ana);
    assert.match(url, /\/register#[\w-]{22}$/);
    const remove = ({ token }: Person) =>
      forum().call('DELETE', apiRoutes.invitation(id), { token });
    await expectProblem(await remove(eva), 404, 'invitation_not_found');
    assert.deepEqual([(await remove(ana)).status, (await remove(ana)).status], [204, 204]);
    await expectProblem(await signUp({ invitation: code }), 403, 'invitation_required');
    const list = await forum().json<{ data: Invitation[] }>('GET', apiRoutes.invitations, ana);
    assert.deepEqual(
      list.data.map((one) => [one.id, one.isRevoked]),
      [[id, true]],
    );
    assert.ok(!JSON.stringify(list).includes(code));
    const late = await invited(ana);
    await forum()
      .services.db.updateTable('invitations')
      .set({ ends_at_ms: forum().services.now() })
      .where('id', '=', late.id)
      .execute();
    await expectProblem(await signUp({ invitation: late.code }), 403, 'invitation_required');
    for (const body of [{ uses: 0 }, { uses: 201 }, { days: 31 }, { uses: 1.5 }]) {
      const refused = await forum().call('POST', apiRoutes.invitations, { ...ana, body });
      assert.equal(refused.status, 400);
    }
  });

  test('by request waits for approval, which every way in says', async () => {
    await changeSettings(forum(), { registration: 'request' });
    const answered = await signUp();
    assert.equal(answered.status, 201);
    const { id } = (await answered.json()) as { id: string };
    const email = lastEmail();
    const signIn = (password = 'clave larga') => forum().signIn(email, password);
    await expectProblem(await signIn('otra'), 401, 'wrong_credentials');
    await expectProblem(await signIn(), 403, 'awaiting_approval');
    await expectProblem(await forum().call('GET', apiRoutes.user(id)), 404, 'user_not_found');
    assert.equal((await accountOf(email)).admission, 'pending');
    const { db, now } = forum().services;
    assert.equal(await admit(db, id, now()), true);
    assert.equal(await admit(db, id, now()), false);
    assert.equal(await refuse(db, id, [id], now()), false);
    assert.equal((await signIn()).status, 200);
    assert.equal((await forum().call('GET', apiRoutes.user(id))).status, 200);
    // An invitation by a moderator lets people in at once; others do not.
    await changeSettings(forum(), { registration: 'open' });
    const codes = [await invited(await forum().person()), await invited(await staff(forum()))];
    await changeSettings(forum(), { registration: 'request' });
    for (const [index, status] of [403, 200].entries()) {
      assert.equal((await signUp({ invitation: codes[index]?.code })).status, 201);
      assert.equal((await forum().signIn(lastEmail(), 'clave larga')).status, status);
    }
    await changeSettings(forum(), { registration: 'open' });
  });

  test('a refused account is erased 30 days later', async () => {
    await changeSettings(forum(), { registration: 'request', reviewsFirstPosts: true });
    await signUp();
    await changeSettings(forum(), { registration: 'open' });
    const email = lastEmail();
    const { id } = await accountOf(email);
    const { services } = forum();
    await refuse(services.db, id, [id], services.now() - 30 * dayMs + 60_000);
    await eraseDueAccounts(services);
    assert.equal((await accountOf(email)).erased_at_ms, null);
    await services.db
      .updateTable('accounts')
      .set({ deletion_at_ms: services.now() })
      .where('id', '=', id)
      .execute();
    await eraseDueAccounts(services);
    const left = await services.db
      .selectFrom('accounts')
      .select(['name', 'email', 'erased_at_ms'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([left.name, left.email], [erasedName, '']);
    assert.ok(left.erased_at_ms);
  });
});

for (const engine of engines) {
  test(`an account makes ten invitations a day, whoever else does, and revoking gives none back (${engine})`, async () => {
    await using forum = await Forum.start(engine, { RATE_LIMITS: 'on' });
    const [ada, ana] = [await staff(forum, 'admin'), await staff(forum, 'admin')];
    const make = ({ token }: Person, uses = 1) =>
      forum.call('POST', apiRoutes.invitations, { token, body: { uses } });
    assert.equal((await make(ada, 0)).status, 400);
    const made = await Promise.all(Array.from({ length: 11 }, () => make(ada)));
    assert.deepEqual(made.map(({ status }) => status).sort(), [...Array(10).fill(201), 429]);
    const { data } = await forum.json<{ data: Invitation[] }>('GET', apiRoutes.invitations, ada);
    assert.equal(data.length, 10);
    for (const { id } of data) {
      const revoked = await forum.call('DELETE', apiRoutes.invitation(id), { token: ada.token });
      assert.equal(revoked.status, 204);
    }
    const refused = await make(ada);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d{5}$/);
    await expectProblem(refused, 429, 'too_many_requests');
    assert.equal((await make(ana)).status, 201);
  });
}
