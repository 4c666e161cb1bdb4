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

  /** The number of rows of an account in each table of ways to sign in. */
  const rowsOf = async ({ id }: Person) => {
    const counts: Record<string, number> = {};
    const tables = ['sessions', 'passkeys', 'passkey_challenges', 'recovery_codes'] as const;
    for (const table of [...tables, 'password_links'] as const) {
      const rows = forum()
        .services.db.selectFrom(table as 'sessions')
        .select('account_id');
      counts[table] = (await rows.where('account_id', '=', id).execute()).length;
    }
    return counts;
  };
  const mailedLink = async ({ id }: Person, mailId: string) => {
    const { db, now } = forum().services;
    await createMailedLink(db, id, mailId, now());
    return mailToken(db, id, mailId);
  };

  test('set with a mailed link says to which address it went and how many passkeys and codes it ended, and ends the other mailed links', async () => {
    const { person } = await withAllWays();
    const links = [await mailedLink(person, 'first'), await mailedLink(person, 'second')];
    const responses = await Promise.all(links.map(openLink));
    const [used, refused] = responses.toSorted((a, b) => a.status - b.status);
    assert.equal(used?.status, 200);
    const { email } = person;
    assert.deepEqual(await used.json(), { email, passkeys: 1, recoveryCodes: 10 });
    await expectProblem(refused ?? Response.error(), 403, 'password_link_dead');
    const third = await openLink(await mailedLink(person, 'third'));
    assert.deepEqual(await third.json(), { email, passkeys: 0, recoveryCodes: 0 });
    const byOperator = await openLink(await passwordToken(forum(), email));
    assert.equal(byOperator.status, 204, 'a link of others does not tell the address');
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

  type Ways = Awaited<ReturnType<typeof withAllWays>>;
  const rows: { how: string; set: (ways: Ways) => Promise<Response>; keeps: string[] }[] = [
    {
      how: 'in the settings',
      keeps: ['session', 'passkey'],
      set: ({ person: { token, password } }) => {
        const body = { currentPassword: password, password: newPassword };
        return call('PATCH', apiRoutes.me, { token, body });
      },
    },
    { how: 'with a code', keeps: [], set: ({ person, codes }) => recover(person, codes[0]) },
    {
      how: 'with a mailed link',
      keeps: [],
      set: async ({ person }) => openLink(await mailedLink(person, 'only')),
    },
    {
      how: 'with a link by the operator',
      keeps: ['passkey', 'code'],
      set: ({ link }) => openLink(link),
    },
  ];
  for (const { how, set, keeps } of rows)
    test(`set ${how} ends every other way in except: ${keeps.join(', ') || 'none'}`, async () => {
      const [ways, others] = [await withAllWays(), await withAllWays()];
      const { person, device, challenge } = ways;
      const ofOthers = await rowsOf(others.person);
      assert.ok(Object.values(ofOthers).every((count) => count > 0));
      assert.ok((await set(ways)).ok);
      assert.deepEqual(await rowsOf(others.person), ofOthers);
      assert.equal((await forum().signIn(person.email, person.password)).status, 401);
      const { token } = await json<SignedIn>(forum().signIn(person.email, newPassword));
      // The code comes last, because it ends everything else.
      const tries: [way: string, attempt: () => Promise<Response>][] = [
        ['session', () => call('GET', apiRoutes.me, { token: person.token })],
        ['passkey', () => signIn(device)],
        ['link', () => openLink(ways.link)],
        ['challenge', () => add(token, new PasskeyDevice(origin()), challenge)],
        ['code', () => recover(person, ways.codes[1])],
      ];
      const kept: string[] = [];
      for (const [way, attempt] of tries) if ((await attempt()).ok) kept.push(way);
      assert.deepEqual(kept, keeps);
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
    const { db, now, config } = forum().services;
    const session = await findAndExtendSession(db, person.token, now(), config.sessionDays);
    assert.ok(session);
    assert.equal((await recover(person, codes[0])).status, 204);
    const challenge = await createChallenge(db, person.id, now());
    const credential = new PasskeyDevice(origin()).create({ ...options, challenge });
    const party = { id: 'localhost', origin: origin() };
    const adding = addPasskey(forum().services, party, session, { name: 'Una', credential });
    await assert.rejects(adding, { code: 'not_signed_in' });
    assert.deepEqual(await listPasskeys(db, person.id), []);
  });
});
