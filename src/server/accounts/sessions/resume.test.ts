import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sendRaw } from '../../../../test/attacks/send-raw.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { runHousekeeping } from '../../operation/housekeeping/housekeeping.ts';
import { maxDevices } from './devices.ts';
import { endSessions, maxSessions } from './sessions.ts';

const dayMs = 86_400_000;
const status = async (forum: Forum, token: string) =>
  (await forum.call('GET', apiRoutes.me, { token })).status;

onBothEngines('remembered browsers', (forum, wait) => {
  const browser = () => new RememberedBrowser(forum());
  const rows = async (table: 'devices' | 'sessions', { id }: Person) =>
    forum().services.db.selectFrom(table).selectAll().where('account_id', '=', id).execute();

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
    const stolen = mine.cookie;
    await forum().call('POST', apiRoutes.signOut, { token: tokens[1] ?? '' });
    for (const one of tokens) assert.equal(await status(forum(), one), 401);
    for (const one of others) assert.equal(await status(forum(), one), 200);
    const answer = await mine.resume();
    await expectProblem(answer, 401, 'not_remembered');
    assert.match(mine.setCookie, /^tertulia=; Max-Age=0;/);
    const thief = browser();
    thief.cookie = stolen;
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

  test('a stolen cookie does not resume when the owner changes the password meanwhile', async () => {
    const person = await forum().person();
    const [mine, thief] = [browser(), browser()];
    const token = await mine.signIn(person);
    thief.cookie = mine.cookie;
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

  test('a session that is resumed while its browser is being ended is ended too', async () => {
    const person = await forum().person();
    for (let i = 0; i < 5; i++) {
      const mine = browser();
      const token = await mine.signIn(person);
      const end = () => forum().call('POST', apiRoutes.signOut, { token });
      const answers = await Promise.all([mine.resume(), end(), mine.resume()]);
      for (const answer of answers) {
        if (answer.status !== 200) continue;
        const late = ((await answer.json()) as { token: string }).token;
        assert.equal(await status(forum(), late), 401);
      }
    }
    assert.equal((await rows('sessions', person)).length, 1);
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

  test('an account has a bounded number of browsers and sessions, and the least recently used end first', async () => {
    const person = await forum().person();
    const browsers: RememberedBrowser[] = [];
    for (let i = 0; i < maxDevices + 1; i++) {
      wait(1000);
      browsers.push(browser());
      await browsers.at(-1)?.signIn(person);
    }
    const [first, second] = browsers as [RememberedBrowser, RememberedBrowser];
    await expectProblem(await first.resume(), 401, 'not_remembered');
    wait(1000);
    const token = await second.resumed();
    const { db } = forum().services;
    await endSessions(db, person.id);
    const [row] = await rows('sessions', await forum().person());
    assert.ok(row && (await status(forum(), token)) === 401);
    const many = Array.from({ length: maxSessions }, (_, i) => ({
      ...row,
      account_id: person.id,
      token_hash: `${person.id} ${i}`,
      id: `${person.id} ${i}`,
      last_used_at_ms: row.created_at_ms - 1000 * i,
    }));
    await db.insertInto('sessions').values(many).execute();
    await browser().signIn(person);
    const left = await rows('sessions', person);
    assert.equal(left.length, maxSessions);
    assert.ok(!left.some(({ id }) => id === many.at(-1)?.id));
  });
});

describe('the cookie of a remembered browser', () => {
  let forum: Forum;
  let person: Person;
  const origin = 'https://foro.example';
  const friend = 'https://amigo.example';
  before(async () => {
    forum = await Forum.start('sqlite', { PUBLIC_URL: origin, CORS_ORIGINS: friend });
    person = await forum.person();
  });
  after(() => forum.stop());

  async function remembered(): Promise<RememberedBrowser> {
    const mine = new RememberedBrowser(forum);
    await mine.signIn(person);
    return mine;
  }

  test('has the Secure attribute where the site uses https', async () => {
    const mine = await remembered();
    assert.match(
      mine.setCookie,
      /^__Secure-tertulia=[\w-]{43}; Max-Age=7776000; Path=\/api\/auth\/resume; HttpOnly; SameSite=Strict; Secure$/,
    );
    assert.equal((await mine.resume()).status, 200);
  });

  test('is accepted from the site’s own pages only, not from other sites or CORS_ORIGINS', async () => {
    const mine = await remembered();
    const { cookie } = mine;
    const withoutSite = (headers: Record<string, string>, method = 'POST') =>
      forum.call(method, apiRoutes.resume, {
        headers: { cookie, ...headers },
        ...(method === 'POST' ? { body: {} } : {}),
      });
    for (const method of ['POST', 'DELETE']) {
      for (const headers of [
        {},
        { origin: friend },
        { origin: 'null' },
        { origin: `${origin}.evil.example` },
        { origin: `${origin}:8443` },
        { origin: 'http://foro.example' },
        { 'sec-fetch-site': 'cross-site', origin },
        { 'sec-fetch-site': 'same-site', origin },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'same-origin, cross-site' },
        { 'sec-fetch-site': '' },
      ]) {
        const answer = await withoutSite(headers, method);
        assert.equal(answer.headers.get('set-cookie'), null);
        await expectProblem(answer, 403, 'other_origin');
      }
    }
    assert.equal((await withoutSite({ origin })).status, 200);
    assert.equal((await withoutSite({ 'sec-fetch-site': 'same-origin' })).status, 200);
    assert.equal((await withoutSite({ origin }, 'DELETE')).status, 204);
  });

  test('is accepted with a JSON body only, which a form cannot send', async () => {
    const mine = await remembered();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await mine.resume({ 'content-type': type });
      await expectProblem(answer, 415, 'unsupported_media_type');
    }
    const bare = await mine.call('POST', apiRoutes.resume, {});
    await expectProblem(bare, 415, 'unsupported_media_type');
    const type = 'application/json; charset=utf-8';
    assert.equal((await mine.resume({ 'content-type': type })).status, 200);
  });

  test('is never answered with CORS headers, not even in preflights', async () => {
    const mine = await remembered();
    for (const [method, path] of [
      ['OPTIONS', apiRoutes.resume],
      ['OPTIONS', `${apiRoutes.resume}?x`],
      ['OPTIONS', '/api/auth/%72esume'],
      ['POST', apiRoutes.resume],
      ['POST', '/api/auth/%72esume'],
      ['DELETE', apiRoutes.resume],
    ] as const) {
      for (const site of ['same-origin', 'cross-site']) {
        const answer = await forum.call(method, path, {
          headers: {
            cookie: mine.cookie,
            origin: friend,
            'sec-fetch-site': site,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
          },
          ...(method === 'POST' ? { body: {} } : {}),
        });
        const cors = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
        assert.deepEqual(cors, [], `${method} ${path}`);
        await answer.text();
      }
    }
    const preflight = await forum.call('OPTIONS', apiRoutes.signIn, {
      headers: { origin: friend },
    });
    assert.equal(preflight.headers.get('access-control-allow-origin'), friend);
  });

  test('is neither set nor cleared for other sites that sign somebody in', async () => {
    const basic = Buffer.from(`${person.email}:${person.password}`).toString('base64');
    for (const body of [{ remember: true }, {}]) {
      const answer = await forum.call('POST', apiRoutes.signIn, {
        headers: {
          authorization: `Basic ${basic}`,
          origin: friend,
          'sec-fetch-site': 'cross-site',
        },
        body,
      });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    const wrong = await forum.call('POST', apiRoutes.signIn, {
      headers: { authorization: `Basic ${basic}` },
      body: { remember: 'sí' },
    });
    await expectProblem(wrong, 400, 'invalid_fields');
  });

  test('is rejected beside another of its name, which a subdomain can add, unless that one is malformed', async () => {
    const [mine, attackers] = [await remembered(), await remembered()];
    const name = '__Secure-tertulia';
    const resume = (cookie: string) => mine.resume({ cookie });
    const good = mine.cookie;
    for (const cookie of [
      `${name}=x; ${good}`,
      `${good}; ${name}=; ${name}=${'a'.repeat(44)}; otra=1`,
      `;;; =; ${good};`,
      `${good}; ${good}`,
      `${'x=y; '.repeat(1000)}${good}`,
    ]) {
      assert.equal((await resume(cookie)).status, 200, cookie.slice(-100));
    }
    for (const cookie of [
      `${attackers.cookie}; ${good}`,
      `${good}; ${attackers.cookie}`,
      good.toLowerCase(),
      `x${good}`,
      `${good}%20`,
      good.replace('=', '==').slice(0, -1),
      `tertulia=${good.split('=')[1]}`,
      `${name}=${'a'.repeat(8000)}`,
    ]) {
      await expectProblem(await resume(cookie), 401, 'not_remembered');
    }
    const tooLong = await resume(`${name}=${'a'.repeat(20_000)}`).catch(() => ({ status: 431 }));
    assert.equal(tooLong.status, 431);
    mine.cookie = good;
    const both = `${good}; ${attackers.cookie}`;
    assert.equal((await mine.forget({ cookie: both })).status, 204);
    await expectProblem(await resume(good), 401, 'not_remembered');
    await expectProblem(await resume(attackers.cookie), 401, 'not_remembered');
  });

  test('is not set where the connection could be intercepted', async (t) => {
    const plain = await Forum.start('sqlite', { PUBLIC_URL: 'http://foro.lan' });
    const unset = await Forum.start('sqlite');
    t.after(() => Promise.all([plain.stop(), unset.stop()]));
    for (const [at, headers, isKept] of [
      [plain, ['Host: foro.lan'], false],
      [unset, ['Host: foro.lan'], false],
      // A proxy may replace Host.
      [unset, ['Host: localhost:3000', 'Origin: http://foro.lan'], false],
      [unset, ['Host: localhost:3000', 'Origin: http://localhost:3000'], true],
      [plain, ['Host: [::1]:3000'], true],
    ] as const) {
      const { email, password } = await at.person();
      const body = '{"remember":true}';
      const answer = await sendRaw(
        at.url,
        [
          `POST ${apiRoutes.signIn} HTTP/1.1`,
          ...headers,
          'Sec-Fetch-Site: same-origin',
          `Authorization: Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          'Connection: close',
          '',
          body,
        ].join('\r\n'),
      );
      assert.equal(answer.status, 200);
      assert.equal(/^set-cookie: tertulia=/im.test(answer.head), isKept, headers.join());
    }
    const value = `=${'a'.repeat(43)}`;
    for (const [host, cookie] of [
      ['foro.lan', `tertulia${value}`],
      ['localhost', `__Secure-tertulia${value}`],
    ]) {
      const answer = await sendRaw(
        plain.url,
        [
          `POST ${apiRoutes.resume} HTTP/1.1`,
          `Host: ${host}`,
          `Origin: http://${host}`,
          `Cookie: ${cookie}`,
          'Content-Type: application/json',
          'Content-Length: 0',
          'Connection: close',
          '',
          '',
        ].join('\r\n'),
      );
      assert.equal(answer.status, 401, answer.body);
    }
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
