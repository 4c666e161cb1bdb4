import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import type { Forum } from '../../../test/forum/forum.ts';
import { RememberedBrowser } from '../../../test/forum/remembered-browser.ts';
import { apiRoutes } from '../../shared/api-routes.ts';

const me = (forum: Forum, token: string) => forum.call('GET', apiRoutes.me, { token });

onBothEngines('remembered browsers', (forum) => {
  test('a browser that is to stay signed in gets a cookie, which opens further sessions', async () => {
    const person = await forum().person();
    const browser = new RememberedBrowser(forum());
    const token = await browser.signIn(person);
    assert.match(
      browser.setCookie,
      /^tertulia=[A-Za-z0-9_-]{43}; Max-Age=7776000; Path=\/api\/auth\/resume; HttpOnly; SameSite=Strict$/,
    );
    const before = browser.cookie;
    const resumed = await browser.resume();
    assert.equal(resumed.status, 200);
    assert.equal(resumed.headers.get('cache-control'), 'private, no-store');
    const second = (await resumed.json()) as { token: string; user: { id: string } };
    assert.equal(second.user.id, person.id);
    assert.notEqual(second.token, token);
    assert.equal(browser.cookie, before);
    for (const one of [token, second.token]) assert.equal((await me(forum(), one)).status, 200);
  });
});
