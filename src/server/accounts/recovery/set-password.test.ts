import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import type { CallOptions } from '../../../../test/forum/forum-client.ts';
import { passwordToken } from '../../../../test/forum/operator.ts';
import { PasskeyDevice } from '../../../../test/forum/passkey-device.ts';
import type { SignedIn } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { PasskeyCreation, PasskeyRequest } from '../../../shared/passkeys.ts';
import { mailToken } from '../../mail/queue-mail.ts';
import { createChallenge } from '../passkeys/challenges.ts';
import { addPasskey, listPasskeys, startPasskey } from '../passkeys/passkeys.ts';
import { requireCurrentPassword } from '../passwords/current-password.ts';
import { findAndExtendSession } from '../sessions/session-guard.ts';
import { createMailedLink } from './password-links.ts';

const newPassword = 'otra contraseña';

onBothEngines('a new password', (forum, _wait, engine) => {
  const origin = () => forum().url.replace('127.0.0.1', 'localhost');
  const call = (method: string, url: string, options: CallOptions = {}) =>
    forum().call(method, new URL(url, origin()).href, options);
  const json = async <T>(response: Promise<Response>) => (await (await response).json()) as T;

  const begin = ({ token, password }: Person) =>
    json<PasskeyCreation>(
      call('POST', apiRoutes.passkeyOptions, { token, body: { currentPassword: password } }),
    );
  const add = (token: string, device: PasskeyDevice, options: PasskeyCreation) => {
    const body = { name: 'Una', credential: device.create(options) };
    return call('POST', apiRoutes.passkeys, { token, body });
  };
  const signIn = async (device: PasskeyDevice) => {
    const options = await json<PasskeyRequest>(call('POST', apiRoutes.passkeySignInOptions));
    return call('POST', apiRoutes.passkeySignIn, { body: { credential: device.use(options) } });
  };
  const recover = ({ email }: Person, code: string | undefined) =>
    call('POST', apiRoutes.recover, { body: { email, code, password: newPassword } });
  const openLink = (token: string) =>
    call('POST', apiRoutes.setPassword, { body: { token, password: newPassword } });

  /** Creates a person with a passkey, codes, a link, and an open challenge. */
  async function withAllWays() {
    const person = await forum().person();
    const { token, password } = person;
    const device = new PasskeyDevice(origin());
    assert.equal((await add(token, device, await begin(person))).status, 201);
    const { codes } = await forum().json<{ codes: string[] }>('POST', apiRoutes.recoveryCodes, {
      token,
      body: { currentPassword: password },
    });
    const link = await passwordToken(forum(), person.email);
    return { person, device, codes, link, challenge: await begin(person) };
  }

  /** Asserts that no earlier way to sign in to the account works. */
  async function expectEnded(
    { person, codes, link, challenge }: Awaited<ReturnType<typeof withAllWays>>,
    token: string,
  ) {
    await expectProblem(await recover(person, codes[1]), 400, 'recovery_failed');
    await expectProblem(await openLink(link), 403, 'password_link_dead');
    const left = await forum().json('GET', apiRoutes.recoveryCodes, { token });
    assert.deepEqual(left, { left: 0, createdAt: null });
    const late = await add(token, new PasskeyDevice(origin()), challenge);
    await expectProblem(late, 400, 'passkey_failed');
  }

  test('set with a mailed link ends every other way in, and says how many passkeys and codes it ended', async () => {
    const ways = await withAllWays();
    const { person, device } = ways;
    const { db, now } = forum().services;
    const links = [];
    for (const mailId of ['first', 'second']) {
      await createMailedLink(db, person.id, mailId, now());
      links.push(await mailToken(db, person.id, mailId));
    }
    const responses = await Promise.all(links.map(openLink));
    const [used, refused] = responses.toSorted((a, b) => a.status - b.status);
    assert.equal(used?.status, 200);
    assert.deepEqual(await used.json(), { passkeys: 1, recoveryCodes: 10 });
    await expectProblem(refused ?? Response.error(), 403, 'password_link_dead');
    const me = await call('GET', apiRoutes.me, { token: person.token });
    await expectProblem(me, 401, 'not_signed_in');
    await expectProblem(await signIn(device), 400, 'passkey_failed');
    const { token } = await json<SignedIn>(forum().signIn(person.email, newPassword));
    await expectEnded(ways, token);

    await createMailedLink(db, person.id, 'third', now());
    const again = await openLink(await mailToken(db, person.id, 'third'));
    assert.equal(again.status, 204);
  });

  test('set during a sign-in with a passkey leaves no session of that sign-in', async () => {
    for (let times = 0; times < 5; times++) {
      const { person, device, codes } = await withAllWays();
      const [response] = await Promise.all([signIn(device), recover(person, codes[0])]);
      if (response.status !== 200) await expectProblem(response, 400, 'passkey_failed');
      else {
        const { token } = (await response.json()) as SignedIn;
        await expectProblem(await call('GET', apiRoutes.me, { token }), 401, 'not_signed_in');
      }
    }
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('set in the settings ends recovery codes, the link and open challenges, and keeps passkeys', async () => {
    const ways = await withAllWays();
    const { token, password } = ways.person;
    const body = { currentPassword: password, password: newPassword };
    assert.equal((await call('PATCH', apiRoutes.me, { token, body })).status, 200);
    await expectEnded(ways, token);
    assert.equal((await signIn(ways.device)).status, 200);
  });

  test('set with a code ends every other way in, passkeys included', async () => {
    const ways = await withAllWays();
    const { person, codes, device } = ways;
    assert.equal((await recover(person, codes[0])).status, 204);
    const me = await call('GET', apiRoutes.me, { token: person.token });
    await expectProblem(me, 401, 'not_signed_in');
    await expectProblem(await signIn(device), 400, 'passkey_failed');
    const { token } = await json<SignedIn>(forum().signIn(person.email, newPassword));
    await expectEnded(ways, token);
    assert.deepEqual(await listPasskeys(forum().services.db, person.id), []);
  });

  test('set with a link by the operator ends sessions and open challenges, and leaves the owner passkeys and recovery codes', async () => {
    const { person, codes, link, device, challenge } = await withAllWays();
    assert.equal((await openLink(link)).status, 204);
    const me = await call('GET', apiRoutes.me, { token: person.token });
    await expectProblem(me, 401, 'not_signed_in');
    await expectProblem(await openLink(link), 403, 'password_link_dead');
    const signedIn = await signIn(device);
    assert.equal(signedIn.status, 200);
    const { token } = (await signedIn.json()) as SignedIn;
    const late = await add(token, new PasskeyDevice(origin()), challenge);
    await expectProblem(late, 400, 'passkey_failed');
    assert.equal((await recover(person, codes[1])).status, 204);
  });

  test('set while a challenge is created with the old password leaves no challenge', async () => {
    const { id, token, password } = await forum().person();
    const oldHash = await requireCurrentPassword(forum().services.db, id, password);
    const body = { currentPassword: password, password: newPassword };
    assert.equal((await call('PATCH', apiRoutes.me, { token, body })).status, 200);
    await assert.rejects(startPasskey(forum().services, id, oldHash), { code: 'wrong_password' });
  });

  test('a new password that ends a session prevents a running request of that session from adding a passkey', async () => {
    const { person, codes, challenge: options } = await withAllWays();
    const { db, withTransaction, now, config } = forum().services;
    const session = await findAndExtendSession(db, person.token, now(), config.sessionDays);
    assert.ok(session);
    assert.equal((await recover(person, codes[0])).status, 204);
    const challenge = await createChallenge(db, person.id, now());
    const credential = new PasskeyDevice(origin()).create({ ...options, challenge });
    const party = { id: 'localhost', origin: origin() };
    const services = { db, withTransaction, now, config };
    const adding = addPasskey(services, party, session, { name: 'Una', credential });
    await assert.rejects(adding, { code: 'not_signed_in' });
    assert.deepEqual(await listPasskeys(db, person.id), []);
  });
});
