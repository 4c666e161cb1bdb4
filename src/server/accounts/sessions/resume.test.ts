import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { runHousekeeping } from '../../operation/housekeeping/housekeeping.ts';
import { maxDevices } from './devices.ts';

const dayMs = 86_400_000;
const status = async (forum: Forum, token: string) =>
  (await forum.call('GET', apiRoutes.me, { token })).status;

onEngine('sqlite', 'remembered browsers', (forum, wait) => {
  const browser = () => new RememberedBrowser(forum());
  const rows = async (table: 'devices' | 'sessions', { id }: Person) =>
    forum().services.db.selectFrom(table).selectAll().where('account_id', '=', id).execute();

  test('a stolen cookie does not resume while the owner changes the password', async () => {
    const person = await forum().person();
    const mine = browser();
    const token = await mine.signIn(person);
    const thief = mine.copy();
    const { services } = forum();
    const { withTransaction } = services;
    const body = { currentPassword: person.password, password: 'otra contraseña larga' };
    let changed: Response | undefined;
    // The thief's request has found the device but not yet locked the account.
    services.withTransaction = async (lockKey, work) => {
      services.withTransaction = withTransaction;
      changed = await mine.call('PATCH', apiRoutes.me, { token, body });
      return withTransaction(lockKey, work);
    };
    const answer = await thief.resume();
    assert.equal(changed?.status, 200);
    await expectProblem(answer, 401, 'not_remembered');
    assert.equal((await rows('sessions', person)).length, 1);
    assert.equal((await mine.resume()).status, 200);
  });

  test('signing in with “remember me” sets a cookie, which opens further sessions', async () => {
    const person = await forum().person();
    const mine = browser();
    const token = await mine.signIn(person);
    assert.match(
      mine.setCookie,
      /^tertulia=[A-Za-z0-9_-]{43}; Max-Age=7776000; Path=\/api\/auth\/resume; HttpOnly; SameSite=Strict$/,
    );
    const cookie = mine.cookie;
    // Resuming does not change the cookie's value, so that tabs opened at the same time do not compete for it.
    const answers = await Promise.all([mine.resume(), mine.resume(), mine.resume()]);
    const tokens = [token];
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'private, no-store');
      const signedIn = (await answer.json()) as { token: string; user: unknown };
      const { id, name, email, img } = person;
      assert.deepEqual(signedIn.user, { id, name, email, img });
      tokens.push(signedIn.token);
    }
    assert.equal(mine.cookie, cookie);
    assert.equal(new Set(tokens).size, 4);
    for (const one of tokens) assert.equal(await status(forum(), one), 200);
    const [device] = await rows('devices', person);
    assert.ok(!JSON.stringify(device).includes(cookie.slice('tertulia='.length)));
  });

  test('the cookie of another account than the one that the browser has noted opens no session, and stays', async () => {
    const [ana, bruno] = [await forum().person(), await forum().person()];
    const [mine, planted] = [browser(), browser()];
    await mine.signIn(ana);
    await planted.signIn(bruno);
    for (const accountId of [ana.id, '', bruno.id.toUpperCase()]) {
      const answer = await planted.call('POST', apiRoutes.resume, { body: { accountId } });
      await expectProblem(answer, 401, 'not_remembered');
      assert.equal(planted.setCookie, '');
    }
    await expectProblem(
      await mine.call('POST', apiRoutes.resume, { body: {} }),
      400,
      'invalid_fields',
    );
    assert.equal((await rows('sessions', bruno)).length, 2);
    for (const one of [mine, planted]) assert.equal((await one.resume()).status, 200);
  });

  test('signing in without “remember me” sets no cookie and clears an earlier one', async () => {
    const person = await forum().person();
    const mine = browser();
    await mine.signIn(person, false);
    assert.match(mine.setCookie, /^tertulia=; Max-Age=0; Path=\/api\/auth\/resume;/);
    assert.deepEqual(await rows('devices', person), []);
    await expectProblem(await mine.resume(), 401, 'not_remembered');
    for (const body of [{ remember: false }, {}, null, undefined]) {
      const basic = Buffer.from(`${person.email}:${person.password}`).toString('base64');
      const headers = { authorization: `Basic ${basic}` };
      assert.equal((await mine.call('POST', apiRoutes.signIn, { headers, body })).status, 200);
    }
    assert.deepEqual(await rows('devices', person), []);
    const answer = await forum().signIn(person.email, person.password);
    assert.equal(answer.headers.get('set-cookie'), null);
  });

  test('signing out in any tab ends all tabs of that browser, and no other browser', async () => {
    const person = await forum().person();
    const [mine, other] = [browser(), browser()];
    const tokens = [await mine.signIn(person), await mine.resumed(), await mine.resumed()];
    const others = [await other.signIn(person), await other.resumed(), person.token];
    const thief = mine.copy();
    await forum().call('POST', apiRoutes.signOut, { token: tokens[1] ?? '' });
    for (const one of tokens) assert.equal(await status(forum(), one), 401);
    for (const one of others) assert.equal(await status(forum(), one), 200);
    const answer = await mine.resume();
    await expectProblem(answer, 401, 'not_remembered');
    assert.match(mine.setCookie, /^tertulia=; Max-Age=0;/);
    await expectProblem(await thief.resume(), 401, 'not_remembered');
  });

  test('ending a remembered browser ends all its tabs, clears the cookie, and can be repeated', async () => {
    const person = await forum().person();
    const mine = browser();
    const tokens = [await mine.signIn(person), await mine.resumed()];
    const cookie = mine.cookie;
    for (let i = 0; i < 2; i++) {
      mine.cookie = cookie;
      assert.equal((await mine.forget()).status, 204);
      assert.match(mine.setCookie, /^tertulia=; Max-Age=0;/);
    }
    for (const one of tokens) assert.equal(await status(forum(), one), 401);
    assert.deepEqual(await rows('devices', person), []);
    assert.equal(await status(forum(), person.token), 200);
    assert.equal((await browser().forget()).status, 204);
  });

  test('a remembered browser of a disabled account cannot resume, even after the account is enabled again', async () => {
    const person = await forum().person();
    const mine = browser();
    const token = await mine.signIn(person);
    const cookie = mine.cookie;
    // Disable the account as another process would, before it has ended the device.
    const disabled = forum().services.db.updateTable('accounts').where('id', '=', person.id);
    await disabled.set({ disabled_at_ms: 1 }).execute();
    await expectProblem(await mine.resume(), 401, 'not_remembered');
    assert.equal(await status(forum(), token), 401);
    await disabled.set({ disabled_at_ms: null }).execute();
    mine.cookie = cookie;
    const resumed = await mine.resumed();
    await operate(forum(), 'disable', person.email);
    assert.equal(await status(forum(), resumed), 401);
    await operate(forum(), 'enable', person.email);
    mine.cookie = cookie;
    await expectProblem(await mine.resume(), 401, 'not_remembered');
    assert.deepEqual(await rows('sessions', person), []);
  });

  test('a browser stays signed in for 90 days after its last use, and a year at most', async () => {
    const person = await forum().person();
    const mine = browser();
    await mine.signIn(person);
    wait(89 * dayMs);
    await mine.resumed();
    assert.match(mine.setCookie, / Max-Age=7776000;/);
    for (let day = 178; day < 365; day += 89) {
      wait(89 * dayMs);
      await mine.resumed();
    }
    const seconds = Number(/ Max-Age=(\d+);/.exec(mine.setCookie)?.[1]);
    assert.equal(Math.ceil(seconds / 86_400), 365 - 356);
    wait(8 * dayMs);
    const token = await mine.resumed();
    wait(dayMs);
    await expectProblem(await mine.resume(), 401, 'not_remembered');
    await runHousekeeping(forum().services, forum().app.log);
    assert.deepEqual([await rows('devices', person), await rows('sessions', person)], [[], []]);
    assert.equal(await status(forum(), token), 401);
    const idle = browser();
    await idle.signIn(person);
    wait(90 * dayMs);
    await expectProblem(await idle.resume(), 401, 'not_remembered');
  });

  test('a session in use ends after a year', async () => {
    const { token } = await forum().person();
    for (let day = 0; day < 364; day += 28) {
      assert.equal(await status(forum(), token), 200);
      wait(28 * dayMs);
    }
    assert.equal(await status(forum(), token), 200);
    wait(dayMs);
    assert.equal(await status(forum(), token), 401);
  });

  test('an account has a bounded number of browsers, and the least recently used end first', async () => {
    const person = await forum().person();
    const browsers: RememberedBrowser[] = [];
    for (let i = 0; i < maxDevices + 1; i++) {
      wait(1000);
      browsers.push(browser());
      await browsers.at(-1)?.signIn(person);
    }
    const [first, second] = browsers as [RememberedBrowser, RememberedBrowser];
    await expectProblem(await first.resume(), 401, 'not_remembered');
    assert.equal((await second.resume()).status, 200);
  });
});

// On SQLite, transactions run one after the other.
onEngine('postgres', 'remembered browsers', (forum) => {
  test('a session that is resumed while its browser is being ended also ends', async () => {
    const person = await forum().person();
    for (let i = 0; i < 5; i++) {
      const mine = new RememberedBrowser(forum());
      const token = await mine.signIn(person);
      const end = () => forum().call('POST', apiRoutes.signOut, { token });
      const answers = await Promise.all([mine.resume(), end(), mine.resume()]);
      for (const answer of answers) {
        if (answer.status !== 200) continue;
        const late = ((await answer.json()) as { token: string }).token;
        assert.equal(await status(forum(), late), 401);
      }
    }
    const sessions = forum().services.db.selectFrom('sessions').select('id');
    assert.equal((await sessions.where('account_id', '=', person.id).execute()).length, 1);
  });
});

test('resuming is limited for each address', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on' });
  const mine = new RememberedBrowser(forum);
  let last = await mine.resume();
  for (let i = 0; i < 700 && last.status === 401; i++) {
    await last.text();
    last = await mine.resume();
  }
  await expectProblem(last, 429, 'too_many_requests');
});
