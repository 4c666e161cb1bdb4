import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

const ownPage = { 'sec-fetch-site': 'same-origin' };

onBothEngines('the reading cookie of a community that its members alone read', (forum, wait) => {
  before(() => changeSettings(forum(), { readers: 'members', contact: 'ana@foro.example' }));

  const nameAndValue = (headers: Headers) =>
    headers
      .getSetCookie()
      .find((one) => /reader=/.test(one))
      ?.split(';', 1)[0] ?? '';
  const reads = async (cookie: string) =>
    (await forum().call('GET', apiRoutes.channels, { headers: { cookie } })).ok;

  test('is given to pages of the forum alone, once', async () => {
    const { token } = await forum().person();
    const ask = (headers: Record<string, string>) =>
      forum().call('GET', apiRoutes.news, { token, headers });
    assert.equal(nameAndValue((await ask({})).headers), '');
    assert.equal(nameAndValue((await ask({ 'sec-fetch-site': 'cross-site' })).headers), '');
    const cookie = nameAndValue((await ask(ownPage)).headers);
    assert.notEqual(cookie, '');
    assert.equal(nameAndValue((await ask({ ...ownPage, cookie })).headers), '');
    // Answers that cross give one living cookie.
    const others = await Promise.all([ask(ownPage), ask(ownPage), ask(ownPage)]);
    const given = others.map(({ headers }) => nameAndValue(headers)).filter(Boolean);
    const alive = [];
    for (const one of given) if (await reads(one)) alive.push(one);
    assert.equal(alive.length, 1);
  });

  test('is given with a session; signing out, a new password and twelve hours end it', async () => {
    const person = await forum().person();
    const longestSeconds = 90 * 86_400;
    const signIn = async (remember: boolean, { email, password } = person) => {
      const basic = Buffer.from(`${email}:${password}`).toString('base64');
      const answer = await forum().call('POST', apiRoutes.signIn, {
        headers: { ...ownPage, authorization: `Basic ${basic}` },
        ...(remember ? { body: { remember } } : {}),
      });
      const set = answer.headers.getSetCookie().find((one) => /reader=/.test(one)) ?? '';
      assert.match(
        set,
        /^tertulia-reader=[\w-]{43}; (Max-Age=\d+; )?Path=\/; HttpOnly; SameSite=Lax$/,
      );
      // As long as this browser is remembered, however long ago another one was.
      const seconds = Number(/Max-Age=(\d+)/.exec(set)?.[1] ?? 0);
      assert.equal(seconds > longestSeconds - 600, remember);
      const { token } = (await answer.json()) as { token: string };
      return { token, cookie: nameAndValue(answer.headers) };
    };
    const [short, long] = [await signIn(false), await signIn(true)];
    assert.deepEqual([await reads(short.cookie), await reads(long.cookie)], [true, true]);
    await signIn(true, await forum().person());
    wait(14 * 3_600_000);
    assert.deepEqual([await reads(short.cookie), await reads(long.cookie)], [false, true]);

    const out = await forum().call('POST', apiRoutes.signOut, { token: long.token });
    assert.match(out.headers.getSetCookie().join(), /tertulia-reader=; Max-Age=0/);
    assert.equal(await reads(long.cookie), false);

    const own = await signIn(true);
    await forum().json('PATCH', apiRoutes.me, {
      token: own.token,
      body: { password: 'otra contraseña larga', currentPassword: person.password },
    });
    assert.equal(await reads(own.cookie), false);
  });
});
