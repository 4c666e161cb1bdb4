import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { staff } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Invitation, MadeInvitation } from '../../../shared/site-settings.ts';

onEngine('sqlite', 'registration', (forum) => {
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

  test('a used invitation reveals only the account that it opened', async () => {
    const ana = await forum().person();
    await changeSettings(forum(), { registration: 'invitation' });
    const [{ code }, other] = [await invited(ana), await invited(ana)];
    assert.equal((await signUp({ invitation: code })).status, 201);
    const email = lastEmail().toUpperCase();
    // An address that is taken does not use up an invitation.
    await expectProblem(await signUp({ invitation: other.code, email }), 409, 'email_taken');
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

  test('an invitation by a moderator lets people in at once while accounts wait for approval; others do not', async () => {
    const codes = [await invited(await forum().person()), await invited(await staff(forum()))];
    await changeSettings(forum(), { registration: 'request' });
    for (const [index, status] of [403, 200].entries()) {
      assert.equal((await signUp({ invitation: codes[index]?.code })).status, 201);
      assert.equal((await forum().signIn(lastEmail(), 'clave larga')).status, status);
    }
    await changeSettings(forum(), { registration: 'open' });
  });
});

// On SQLite, transactions run one after the other.
onEngine('postgres', 'an invitation', (forum) => {
  const signUp = (invitation: string) => {
    const email = `${crypto.randomUUID()}@ejemplo.es`;
    const body = { name: 'Nueva', email, password: 'clave larga', invitation };
    return forum().call('POST', apiRoutes.signUp, { body });
  };
  const invited = async (maker: Person) => {
    const options = { token: maker.token, body: { uses: 20 } };
    const { id, url } = await forum().json<MadeInvitation>('POST', apiRoutes.invitations, options);
    return { id, code: new URL(url).hash.slice(1) };
  };

  test('admits as many people as it allows: 20 of 21 concurrent ones', async () => {
    const ana = await forum().person();
    await changeSettings(forum(), { registration: 'invitation' });
    await expectProblem(await signUp('x'), 403, 'invitation_required');
    const { id, code } = await invited(ana);
    const tries = await Promise.all(
      // Codes may be pasted with invisible characters.
      Array.from({ length: 21 }, (_, i) => signUp(i % 2 ? code : `\u202a${code}\u200b`)),
    );
    assert.equal(tries.filter(({ status }) => status === 201).length, 20);
    const accounts = forum().services.db.selectFrom('accounts').select('id');
    assert.equal((await accounts.where('invitation_id', '=', id).execute()).length, 20);
    for (const registration of ['invitation', 'open'] as const) {
      await changeSettings(forum(), { registration });
      await expectProblem(await signUp(code), 403, 'invitation_required');
    }
  });

  test('lets nobody in after it is revoked, even while it is used', async () => {
    const ana = await forum().person();
    const { id, code } = await invited(ana);
    const tries = Array.from({ length: 10 }, () => signUp(code));
    const revoked = forum().call('DELETE', apiRoutes.invitation(id), { token: ana.token });
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.ok(
      statuses.every((status) => [201, 403].includes(status)),
      String(statuses),
    );
    assert.equal((await revoked).status, 204);
    await expectProblem(await signUp(code), 403, 'invitation_required');
    const list = await forum().json<{ data: Invitation[] }>('GET', apiRoutes.invitations, ana);
    assert.equal(list.data[0]?.used, statuses.filter((status) => status === 201).length);
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
