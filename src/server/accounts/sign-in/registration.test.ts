import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { staff } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Invitation, MadeInvitation } from '../../../shared/site-settings.ts';
import { admit, refuse } from '../standing/admission.ts';

onBothEngines('registration', (forum, _wait, engine) => {
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

  test('an invitation admits as many people as it allows: 20 of 21 concurrent ones', async () => {
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

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('is open by default, and refused once it is closed, even for a form that is already open', async () => {
    assert.equal((await signUp()).status, 201);
    const email = lastEmail();
    await changeSettings(forum(), { registration: 'closed' });
    await expectProblem(await signUp(), 403, 'registration_closed');
    const ana = await forum().signIn(email, 'clave larga');
    assert.equal(ana.status, 200);
    const { token } = (await ana.json()) as { token: string };
    const closed = await forum().call('POST', apiRoutes.invitations, { token, body: {} });
    await expectProblem(closed, 403, 'registration_closed');
    await changeSettings(forum(), { registration: 'open' });
    assert.equal((await signUp()).status, 201);
  });

  test('a used invitation reveals only the account that it opened', async () => {
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

  test('an invitation expires, and only its maker can list and revoke it', async () => {
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
  });

  test('a requested account waits for approval, and every way to sign in says so', async () => {
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
});

test('an account makes ten invitations a day, whoever else does, and revoking gives none back', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on' });
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
