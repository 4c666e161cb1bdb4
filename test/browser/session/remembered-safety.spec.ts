import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cookie } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { RememberedBrowser } from '../../forum/remembered-browser.ts';
import { commentField, sendComment } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { failOnce, respondWithProblem, watchRequests } from '../network.ts';
import {
  rememberBox as box,
  expectSignedIn,
  openWithNews,
  readSession,
  signInByForm,
  stayIn,
} from '../people.ts';
import { createLink, enterLink, newTab, resumeUrl, unauthorized } from '../remembered.ts';
import { statusBar } from '../status-bar.ts';

test.use({ expectedErrors: [unauthorized] });

test('after somebody else signs in without the tick, nobody is signed in as the remembered person', async ({
  forum,
  page,
  context,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  await stayIn(page, ana);
  const { tab } = await newTab(context);
  await failOnce(tab, 'POST', resumeUrl, respondWithProblem('not_signed_in'));
  await tab.goto(pageRoutes.login);
  await expect(box(tab)).toBeVisible();
  const calls: string[] = [];
  tab.on('request', (request) => {
    if (request.url().includes('/api/auth/')) {
      calls.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData()}`);
    }
  });
  await signInByForm(tab, bruno.email, bruno.password);
  await expectSignedIn(tab, bruno);
  expect(calls).toEqual([`DELETE ${apiRoutes.resume} null`, `POST ${apiRoutes.signIn} null`]);
  // Ana's session has ended: her tab stays on its page as a guest's, and the next tab is a guest's as well.
  await expect(statusBar(page).getByRole('status')).toContainText('Tu sesión ha terminado.');
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(enterLink(page)).toBeVisible();
  expect(await readSession(page)).toEqual({});
  const next = await newTab(context);
  await next.tab.goto(pageRoutes.home);
  await expect(enterLink(next.tab)).toBeVisible();
  expect(next.asked).toHaveLength(0);
  expect(await context.cookies(forum.url + apiRoutes.resume)).toEqual([]);
});

test('a tab whose session has ended gets a new one; with the cookie of another account it gets none, and what was typed is neither lost nor sent', async ({
  forum,
  page,
  context,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const { _id } = await openChannel(forum, ana);
  const endSessions = () =>
    forum.services.db.deleteFrom('sessions').where('account_id', '=', ana.id).execute();
  const asked = watchRequests(page, 'POST', apiRoutes.resume);
  await stayIn(page, ana);
  const openPage = () => openWithNews(page, pageRoutes.channel(_id));
  await openPage();
  await endSessions();
  await sendComment(page, 'Sigue aquí');
  await expect(page.getByRole('listitem').filter({ hasText: 'Sigue aquí' })).toBeVisible();
  await expect(commentField(page)).toHaveValue('');
  expect(asked).toHaveLength(1);
  expect(await readSession(page)).toMatchObject({ id: ana.id, isLogged: 'true' });

  await openPage();
  // A page of another site of the same domain can do this.
  const brunos = new RememberedBrowser(forum);
  await brunos.signIn(bruno);
  const [cookie] = await context.cookies(forum.url + apiRoutes.resume);
  const [, value = ''] = brunos.cookie.split('=');
  await context.addCookies([{ ...(cookie as Cookie), value }]);
  await endSessions();
  await sendComment(page, 'No se pierde');
  await expect(page).toHaveURL(pageRoutes.login);
  expect(await readSession(page)).toEqual({});
  const { tab, asked: askedByTab } = await newTab(context);
  await tab.goto(pageRoutes.home);
  await expect(enterLink(tab)).toBeVisible();
  expect(askedByTab).toHaveLength(0);
  await context.clearCookies();
  await stayIn(tab, ana);
  await tab.goto(pageRoutes.channel(_id));
  await expect(commentField(tab)).toHaveValue('No se pierde');
  await expect(tab.getByRole('listitem').filter({ hasText: 'No se pierde' })).toHaveCount(0);
});

test.describe('another site', () => {
  test.use({
    expectedErrors: [
      /^Framing .* "frame-ancestors 'none'"|^Access to fetch at '\S+\/api\/auth\/resume' from origin 'http:\/\/localhost:\d+' has been blocked|(net::ERR_FAILED|status of 403 .*) at \S+\/api\/auth\/resume$/,
    ],
  });

  test('can neither frame a page, nor resume or end the session of a remembered person', async ({
    forum,
    page,
    context,
  }) => {
    const ana = await forum.person();
    await stayIn(page, ana);
    const action = forum.url + apiRoutes.resume;
    const site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<iframe src="${forum.url}/login"></iframe>
        <form method="post" action="${action}" enctype="text/plain"><input name="{}"><button>Enviar</button></form>`);
    });
    await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve));
    try {
      const { tab } = await newTab(context);
      // For cookies, this is a different site from 127.0.0.1.
      await tab.goto(`http://localhost:${(site.address() as AddressInfo).port}`);
      // The browser replaces a refused page with its own error page.
      await expect.poll(() => tab.frames()[1]?.url()).toMatch(/^chrome-error:/);
      for (const method of ['POST', 'DELETE']) {
        for (const type of ['application/json', 'text/plain']) {
          const outcome = await tab.evaluate(
            ([url, method, type]) =>
              fetch(`${url}`, {
                method: `${method}`,
                headers: { 'content-type': `${type}` },
                ...(method === 'POST' && { body: '{}' }),
                credentials: 'include',
              }).then(
                () => 'readable',
                () => 'refused',
              ),
            [action, method, type],
          );
          expect(outcome).toBe('refused');
        }
      }
      const posted = tab.waitForResponse(action);
      await tab.getByRole('button').click();
      const response = await posted;
      expect(response.status()).toBe(403);
      expect((await response.request().allHeaders()).cookie).toBeUndefined();
      expect(await response.headerValue('set-cookie')).toBeNull();
    } finally {
      site.close();
    }
    const { tab } = await newTab(context);
    await tab.goto(pageRoutes.home);
    await expect(createLink(tab)).toBeVisible();
  });
});
