import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sendRaw } from '../../../../test/attacks/send-raw.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

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
        ...(method === 'POST' ? { body: { accountId: person.id } } : {}),
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

  test('is rejected beside another cookie of the same name, which a subdomain can add, unless that one is malformed', async () => {
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
          'Content-Length: 16',
          'Connection: close',
          '',
          '{"accountId":""}',
        ].join('\r\n'),
      );
      assert.equal(answer.status, 401, answer.body);
    }
  });
});
