import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

test('a thief with a browser’s tokens cannot keep the owner from ending them from elsewhere', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  const owner = await forum.person();
  const stolen = new RememberedBrowser(forum);
  const tokens = [await stolen.signIn(owner), await stolen.resumed()];
  const call = (method: string, url: string, token: string, address: string, body?: unknown) =>
    forum.call(method, url, { token, headers: { 'x-forwarded-for': address }, body });
  /** Repeats a call until it is refused. @returns the number of calls before that */
  const useUp = async (method: string, url: string, body?: unknown) => {
    for (let calls = 0; ; calls++) {
      const token = tokens[calls % tokens.length] ?? '';
      const response = await call(method, url, token, '203.0.113.1', body);
      await response.arrayBuffer();
      if (response.status === 429) return calls;
    }
  };
  assert.equal(await useUp('PATCH', apiRoutes.me, { currentPassword: 'mal' }), 20);
  assert.ok((await useUp('DELETE', apiRoutes.session('ninguna'))) > 500);

  const home = '203.0.113.2';
  const ended = await call('DELETE', apiRoutes.sessions, owner.token, home);
  assert.equal(ended.status, 204);
  for (const token of tokens) {
    assert.equal((await call('GET', apiRoutes.me, token, home)).status, 401);
  }
  assert.equal((await stolen.resume()).status, 401);
});
