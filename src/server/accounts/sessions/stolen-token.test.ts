import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendRaw } from '../../../../test/attacks/send-raw.ts';
import { engines, expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import type { CallOptions } from '../../../../test/forum/forum-client.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

type Call = [method: string, url: string, body?: unknown];

/** Calls by host name, which passkeys require. */
const call = (forum: Forum, [method, url, body]: Call, options: CallOptions) =>
  forum.call(method, new URL(url, forum.url.replace('127.0.0.1', 'localhost')).href, {
    ...options,
    body,
  });

async function signIn(forum: Forum, { email, password }: Person): Promise<string> {
  const response = await forum.signIn(email, password);
  return ((await response.json()) as { token: string }).token;
}

const guess: Call = ['PATCH', apiRoutes.me, { currentPassword: 'mal' }];

/** Repeats a call until it is refused. @returns the distinct statuses before that */
async function useUp(forum: Forum, what: Call, nextToken: () => string, most: number) {
  const statuses = new Set<number>();
  for (let calls = 0; calls <= most; calls++) {
    const response = await call(forum, what, { token: nextToken() });
    if (response.status === 429) {
      assert.equal(calls, most);
      return [...statuses];
    }
    statuses.add(response.status);
    await response.arrayBuffer();
  }
  throw new Error('no call was refused');
}

/** Reads personal data 700 times, 100 at a time, which takes far less than the minute of the budget. */
async function useUpReads(forum: Forum, tokens: string[]) {
  const get = (token: string, more = '') =>
    `GET ${apiRoutes.me} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
  const statuses: string[] = [];
  for (let round = 0; round < 7; round++) {
    const token = tokens[round % tokens.length] ?? '';
    const requests = get(token).repeat(99) + get(token, 'Connection: close\r\n');
    const { head, body } = await sendRaw(forum.url, requests);
    statuses.push(...(`${head}${body}`.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []));
  }
  return statuses;
}

for (const engine of engines) {
  test(`a thief with a browser’s tokens and cookie uses up only that browser’s calls, and the owner can end them, even from the same address (${engine})`, async () => {
    await using forum = await Forum.start(engine, { RATE_LIMITS: 'on' });
    const owner = await forum.person();
    const { password: currentPassword } = owner;
    const stolen = new RememberedBrowser(forum);
    const tokens = [await stolen.signIn(owner), await stolen.resumed(), await stolen.resumed()];
    let turn = 0;
    const nextToken = () => tokens[turn++ % tokens.length] ?? '';

    const noSession: Call = ['DELETE', apiRoutes.session('ninguna')];
    assert.deepEqual(await useUp(forum, guess, nextToken, 20), [403]);
    assert.deepEqual(await useUp(forum, noSession, nextToken, 60), [404]);
    assert.deepEqual(await useUp(forum, ['POST', apiRoutes.restoreMe], nextToken, 60), [204]);
    assert.deepEqual(await useUpReads(forum, tokens), [
      ...Array(600).fill('200'),
      ...Array(100).fill('429'),
    ]);

    const defence: [status: number, call: Call][] = [
      [200, ['GET', apiRoutes.me]],
      [200, ['GET', apiRoutes.sessions]],
      [200, ['GET', apiRoutes.passkeys]],
      [403, guess],
      [404, noSession],
      [404, ['DELETE', apiRoutes.passkey('ninguna')]],
      [200, ['POST', apiRoutes.passkeyOptions, { currentPassword }]],
      [201, ['POST', apiRoutes.recoveryCodes, { currentPassword }]],
      [202, ['DELETE', apiRoutes.me, { currentPassword, content: 'anonymous' }]],
      [204, ['POST', apiRoutes.restoreMe]],
      [200, ['PATCH', apiRoutes.me, { currentPassword, password: 'otra' }]],
      [204, ['DELETE', apiRoutes.sessions]],
    ];
    for (const [status, what] of defence) {
      const response = await call(forum, what, { token: owner.token });
      assert.equal(response.status, status, what.join(' '));
      await response.arrayBuffer();
    }
  });
}

test('an address has 200 tries an hour, and others there cannot use up the first ten of a browser', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  const headers = { 'x-forwarded-for': '203.0.113.1' };
  const tryAs = (token: string, from = headers) => call(forum, guess, { token, headers: from });
  const stranger = await forum.person();
  for (let browsers = 0; browsers < 10; browsers++) {
    const token = await signIn(forum, stranger);
    for (let tries = 0; tries < 20; tries++) assert.equal((await tryAs(token)).status, 403);
    // Refused requests of a browser do not count for its address.
    await expectProblem(await tryAs(token), 429, 'too_many_requests');
  }
  const { token } = await forum.person();
  for (let tries = 0; tries < 10; tries++) assert.equal((await tryAs(token)).status, 403);
  await expectProblem(await tryAs(token), 429, 'too_many_requests');
  const elsewhere = { 'x-forwarded-for': '203.0.113.2' };
  assert.equal((await tryAs(token, elsewhere)).status, 403);
});
