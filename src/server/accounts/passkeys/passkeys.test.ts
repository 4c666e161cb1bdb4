import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import type { CallOptions, Person } from '../../../../test/forum/forum-client.ts';
import { PasskeyDevice } from '../../../../test/forum/passkey-device.ts';
import type { PasskeyInfo } from '../../../shared/account-settings.ts';
import type { SignedIn } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { limits } from '../../../shared/limits.ts';
import type { PasskeyCreation, PasskeyRequest } from '../../../shared/passkeys.ts';
import { readAudit } from '../../database/audit-log.ts';
import { deleteExpiredRows } from '../../database/delete-rows.ts';

const originOf = ({ url }: Forum) => url.replace('127.0.0.1', 'localhost');

/** Calls a forum at its `PUBLIC_URL`, or on localhost if it has none. */
const call = (forum: Forum, method: string, url: string, options: CallOptions = {}) =>
  forum.call(method, new URL(url, originOf(forum)).href, options);

const start = (forum: Forum, { token, password }: Person, currentPassword = password) =>
  call(forum, 'POST', apiRoutes.passkeyOptions, { token, body: { currentPassword } });

const json = async <T>(response: Response | Promise<Response>) =>
  (await (await response).json()) as T;

async function add(forum: Forum, person: Person, device: PasskeyDevice, name = 'Mi móvil') {
  const options = await json<PasskeyCreation>(start(forum, person));
  const body = { name, credential: device.create(options) };
  return call(forum, 'POST', apiRoutes.passkeys, { token: person.token, body });
}

const list = async (forum: Forum, { token }: Person) =>
  (await json<{ data: PasskeyInfo[] }>(call(forum, 'GET', apiRoutes.passkeys, { token }))).data;

const signInOptions = (forum: Forum) =>
  json<PasskeyRequest>(call(forum, 'POST', apiRoutes.passkeySignInOptions));

const send = (forum: Forum, credential: unknown) =>
  call(forum, 'POST', apiRoutes.passkeySignIn, { body: { credential } });

const signIn = async (forum: Forum, device: PasskeyDevice) =>
  send(forum, device.use(await signInOptions(forum)));

onBothEngines('passkeys', (forum, wait, engine) => {
  test('a challenge works once, for its account and purpose, within five minutes', async () => {
    const [person, other] = [await forum().person(), await forum().person()];
    const device = new PasskeyDevice(originOf(forum()));
    const options = await json<PasskeyCreation>(start(forum(), person));
    const body = { name: 'Una', credential: device.create(options) };
    const addAs = ({ token }: Person, sent = body) =>
      call(forum(), 'POST', apiRoutes.passkeys, { token, body: sent });
    await expectProblem(await addAs(other), 400, 'passkey_failed');
    const adding = await Promise.all([addAs(person), addAs(person)]);
    assert.deepEqual(adding.map(({ status }) => status).sort(), [201, 400]);

    const request = await signInOptions(forum());
    const { challenge } = request;
    const signed = device.use(request);
    const responses = await Promise.all([1, 2, 3].map(() => send(forum(), signed)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400, 400]);

    const forSignIn = new PasskeyDevice(originOf(forum())).create({ ...options, challenge });
    const wrongPurpose = { name: 'Otra', credential: forSignIn };
    await expectProblem(await addAs(person, wrongPurpose), 400, 'passkey_failed');

    const late = await signInOptions(forum());
    wait(5 * 60_000);
    await expectProblem(await send(forum(), device.use(late)), 400, 'passkey_failed');
    await signInOptions(forum());
    await deleteExpiredRows(forum().services.db, forum().services.now());
    const left = await forum().services.db.selectFrom('passkey_challenges').selectAll().execute();
    assert.equal(left.length, 1);
    assert.equal(JSON.stringify(left).includes(late.challenge), false);
  });

  test('a copied authenticator is rejected because of its counter', async () => {
    const person = await forum().person();
    const device = new PasskeyDevice(originOf(forum()), { step: 1 });
    await add(forum(), person, device);
    assert.equal((await signIn(forum(), device)).status, 200);
    device.counter = 0;
    await expectProblem(await signIn(forum(), device), 400, 'passkey_failed');
    device.counter = 1;
    const uses = [device.use(await signInOptions(forum()))];
    device.counter = 1;
    uses.push(device.use(await signInOptions(forum())));
    const responses = await Promise.all(uses.map((use) => send(forum(), use)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400]);
  });

  test('an account can have at most ten passkeys, even when several are added at once', async () => {
    const person = await forum().person();
    for (let i = 0; i < limits.passkeysPerAccount - 1; i++) {
      assert.equal((await add(forum(), person, new PasskeyDevice(originOf(forum())))).status, 201);
    }
    const bodies: unknown[] = [];
    for (const name of ['Una', 'Dos', 'Tres']) {
      const options = await json<PasskeyCreation>(start(forum(), person));
      bodies.push({ name, credential: new PasskeyDevice(originOf(forum())).create(options) });
    }
    const responses = await Promise.all(
      bodies.map((body) =>
        call(forum(), 'POST', apiRoutes.passkeys, { token: person.token, body }),
      ),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409]);
    await expectProblem(await start(forum(), person), 409, 'passkey_limit');
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('a passkey can be added with the password, listed, used to sign in, and removed', async () => {
    const person = await forum().person();
    await expectProblem(await start(forum(), person, 'otra'), 403, 'wrong_password');
    const options = await json<PasskeyCreation>(start(forum(), person));
    assert.deepEqual(options.rp, { id: 'localhost', name: 'tertulia' });
    assert.equal(Buffer.from(options.user.id, 'base64url').toString(), person.id);
    assert.equal(options.authenticatorSelection.userVerification, 'required');

    const device = new PasskeyDevice(originOf(forum()), { step: 1 });
    const added = await add(forum(), person, device, ' Mi móvil ');
    assert.equal(added.status, 201);
    const passkey = await json<PasskeyInfo>(added);
    assert.deepEqual([passkey.name, passkey.lastUsedAt], ['Mi móvil', null]);
    assert.deepEqual(await list(forum(), person), [passkey]);
    const again = await json<PasskeyCreation>(start(forum(), person));
    assert.deepEqual(
      again.excludeCredentials.map(({ id }) => id),
      [passkey.id],
    );

    for (let i = 0; i < 2; i++) {
      const response = await signIn(forum(), device);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('cache-control'), 'private, no-store');
      const { token, user } = await json<SignedIn>(response);
      assert.deepEqual(Object.keys(user).sort(), ['email', 'id', 'img', 'name']);
      assert.equal(user.id, person.id);
      assert.equal((await forum().call('GET', apiRoutes.me, { token })).status, 200);
    }
    assert.notEqual((await list(forum(), person))[0]?.lastUsedAt, null);

    const stranger = await forum().person();
    const remove = ({ token }: Person) =>
      call(forum(), 'DELETE', apiRoutes.passkey(passkey.id), { token });
    await expectProblem(await remove(stranger), 404, 'passkey_not_found');
    assert.equal((await remove(person)).status, 204);
    await expectProblem(await remove(person), 404, 'passkey_not_found');
    await expectProblem(await signIn(forum(), device), 400, 'passkey_failed');
    const actions = (await readAudit(forum().services.db, 100))
      .filter(({ subject }) => subject === person.id)
      .map(({ actor, action, note }) => `${actor} ${action} ${note}`);
    assert.deepEqual(actions, ['owner add-passkey ', 'owner delete-passkey ']);
  });

  test('removing a passkey keeps the others, and ends all sessions but the caller’s own', async () => {
    const person = await forum().person();
    const device = new PasskeyDevice(originOf(forum()));
    const { id } = await json<PasskeyInfo>(add(forum(), person, device));
    const { token } = await json<SignedIn>(signIn(forum(), device));
    const status = async (of: string) =>
      (await call(forum(), 'GET', apiRoutes.me, { token: of })).status;
    assert.deepEqual([await status(token), await status(person.token)], [200, 200]);
    const other = await json<PasskeyInfo>(
      add(forum(), person, new PasskeyDevice(originOf(forum()))),
    );
    await call(forum(), 'DELETE', apiRoutes.passkey(id), { token: person.token });
    assert.deepEqual(await list(forum(), person), [other]);
    assert.deepEqual([await status(token), await status(person.token)], [401, 200]);
  });

  test('a credential of another origin, without user verification or with certificates is rejected', async () => {
    const person = await forum().person();
    const x5c = new Map<string, unknown>([['x5c', 'x']]);
    const refused = [
      new PasskeyDevice('https://phishing.example'),
      new PasskeyDevice(originOf(forum()), { verifies: false }),
      new PasskeyDevice(originOf(forum()), { format: 'packed', statement: x5c }),
      new PasskeyDevice(originOf(forum()), { format: 'android-safetynet' }),
      new PasskeyDevice(originOf(forum()), { format: 'invented' }),
    ];
    for (const device of refused) {
      await expectProblem(await add(forum(), person, device), 400, 'passkey_failed');
    }
    const options = await json<PasskeyCreation>(start(forum(), person));
    for (const attestationObject of ['', 'AAAA', 'gQ'.repeat(4000), '_____w']) {
      const { challenge } = await json<PasskeyCreation>(start(forum(), person));
      const credential = new PasskeyDevice(originOf(forum())).create({ ...options, challenge });
      credential.response.attestationObject = attestationObject;
      const body = { name: 'Rota', credential };
      const response = await call(forum(), 'POST', apiRoutes.passkeys, {
        token: person.token,
        body,
      });
      await expectProblem(response, 400, 'passkey_failed');
    }
    assert.deepEqual(await list(forum(), person), []);
  });

  test('a signature of another account and an altered signature are rejected', async () => {
    const [ana, luis] = [await forum().person(), await forum().person()];
    const [device, other] = [
      new PasskeyDevice(originOf(forum())),
      new PasskeyDevice(originOf(forum())),
    ];
    await add(forum(), ana, device);
    await add(forum(), luis, other);
    const signed = device.use(await signInOptions(forum()));
    const { userHandle } = other.use(await signInOptions(forum())).response;
    const foreign = { ...signed, response: { ...signed.response, userHandle } };
    await expectProblem(await send(forum(), foreign), 400, 'passkey_failed');
    const changed = device.use(await signInOptions(forum()));
    changed.response.signature = other.use(await signInOptions(forum())).response.signature;
    await expectProblem(await send(forum(), changed), 400, 'passkey_failed');
  });

  test('a disabled account cannot sign in with a passkey or add one', async () => {
    const person = await forum().person();
    const device = new PasskeyDevice(originOf(forum()));
    await add(forum(), person, device);
    const disable = { disabled_at_ms: Date.now() };
    const { db } = forum().services;
    await db.updateTable('accounts').set(disable).where('id', '=', person.id).execute();
    await expectProblem(await signIn(forum(), device), 403, 'account_disabled');
    await expectProblem(await start(forum(), person), 401, 'not_signed_in');
  });
});

test('passkeys belong to the host name of PUBLIC_URL, and are unavailable without https', async () => {
  await using secure = await Forum.start('sqlite', { PUBLIC_URL: 'https://foro.example' });
  const person = await secure.person();
  const device = new PasskeyDevice('https://foro.example');
  assert.equal((await add(secure, person, device)).status, 201);
  assert.equal((await signIn(secure, device)).status, 200);
  const onLocalhost = new PasskeyDevice(originOf(secure));
  await expectProblem(await add(secure, person, onLocalhost), 400, 'passkey_failed');

  for (const PUBLIC_URL of ['http://foro.example', 'https://192.0.2.1', 'https://[2001:db8::1]']) {
    await using forum = await Forum.start('sqlite', { PUBLIC_URL });
    const { token, password } = await forum.person();
    const calls: [string, string, CallOptions][] = [
      ['GET', apiRoutes.passkeys, { token }],
      ['POST', apiRoutes.passkeyOptions, { token, body: { currentPassword: password } }],
      ['POST', apiRoutes.passkeySignInOptions, {}],
    ];
    for (const [method, url, options] of calls) {
      await expectProblem(await forum.call(method, url, options), 403, 'passkeys_unavailable');
    }
  }
});
