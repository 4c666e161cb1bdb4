import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import type { Forum } from '../forum/forum.ts';
import { commentField, sendComment } from './comments.ts';
import { openChannel } from './community.ts';
import { coverField, createButton, uploadedMark } from './create-form.ts';
import { expect, test } from './fixtures.ts';
import { plainImage } from './images.ts';
import { failOnce, holdRequests, respondWithProblem, watchRequests } from './network.ts';
import {
  rememberBox as box,
  expectSignedIn,
  readSession,
  signInByForm,
  signOut,
  stayIn,
} from './people.ts';

const resumeUrl = `**${apiRoutes.resume}`;
const createLink = (page: Page) =>
  page.getByRole('main').getByRole('link', { name: 'Crear Canal' });
const enterLink = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Entrar' });
const remembered = (page: Page) => page.evaluate(() => localStorage.getItem('remembered'));
const sessionKeys = ['email', 'id', 'img', 'isLogged', 'name', 'token'];

/** A new tab that counts its requests for a session. */
async function newTab(context: BrowserContext) {
  const tab = await context.newPage();
  return { tab, asked: watchRequests(tab, 'POST', apiRoutes.resume) };
}

/** Notes what is painted for guests only, looking at each frame of the next pages, and what shifts. */
async function watchGuestParts(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const painted: string[] = [];
    Object.assign(window, { painted });
    const look = () => {
      for (const part of document.querySelectorAll('[data-for="guest"]')) {
        if (part.checkVisibility({ visibilityProperty: true })) painted.push(part.outerHTML);
      }
      requestAnimationFrame(look);
    };
    look();
    // The footer of the profile rises while its content loads, for everyone.
    if (location.pathname === '/profile') return;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) painted.push(JSON.stringify(entry));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'painted'));
}

const callWith = (forum: Forum, method: string, path: string, headers: Record<string, string>) =>
  fetch(forum.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: '{}' }),
  });

test.use({
  expectedErrors: [
    /status of 401 .* at \S+\/api\/(auth\/resume|uploads|user\/\S*|channels\/\S*)$|tus: .*code: 401/,
  ],
});

test('with the box ticked, two tabs opened at once get in; signing out in one ends all, the cookie and stolen tokens', async ({
  forum,
  page,
  context,
}) => {
  const ana = await forum.person('Ana Belén');
  await page.goto(pageRoutes.login);
  await expect(box(page)).not.toBeChecked();
  await box(page).check();
  const sent = page.waitForRequest(`**${apiRoutes.signIn}`);
  await signInByForm(page, ana.email, ana.password);
  expect((await sent).postDataJSON()).toEqual({ remember: true });
  await expectSignedIn(page, ana);
  expect(Object.keys(await readSession(page)).sort()).toEqual(sessionKeys);

  const tabs = await Promise.all([context.newPage(), context.newPage()]);
  await Promise.all([tabs[0].goto(pageRoutes.profile), tabs[1].goto(pageRoutes.create)]);
  await expect(tabs[0].getByText(ana.email)).toBeVisible();
  await expect(tabs[1].getByLabel('Título')).toBeVisible();
  const tokens = await Promise.all(
    [page, ...tabs].map(async (tab) => (await readSession(tab)).token),
  );
  expect(new Set(tokens).size).toBe(3);
  expect(Object.keys(await readSession(tabs[0])).sort()).toEqual(sessionKeys);

  const [cookie] = await context.cookies(forum.url + apiRoutes.resume);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: apiRoutes.resume });
  await signOut(page);
  for (const tab of tabs) {
    await expect(tab).toHaveURL(pageRoutes.login);
    await expect(tab.getByRole('alert')).toContainText('Tu sesión ha terminado.');
    expect(await readSession(tab)).toEqual({});
  }
  expect(await remembered(page)).toBeNull();
  expect(await context.cookies(forum.url + apiRoutes.resume)).toEqual([]);
  for (const token of tokens) {
    expect((await forum.call('GET', apiRoutes.me, { token: `${token}` })).status).toBe(401);
  }
  const stolen = { cookie: `tertulia=${cookie?.value}`, 'sec-fetch-site': 'same-origin' };
  expect((await callWith(forum, 'POST', apiRoutes.resume, stolen)).status).toBe(401);

  const { tab, asked } = await newTab(context);
  await tab.goto(pageRoutes.home);
  await expect(enterLink(tab)).toBeVisible();
  expect(asked).toHaveLength(0);
});

test('while a session is resumed, neither the guest nor a redirect is seen, and nothing shifts', async ({
  forum,
  page,
  context,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await stayIn(page, ana);
  await page.close();
  for (const [path, shown, shownAt = path] of [
    [pageRoutes.home, (tab: Page) => createLink(tab)],
    [pageRoutes.channel(channel._id), commentField],
    [pageRoutes.create, (tab: Page) => tab.getByLabel('Título')],
    [pageRoutes.profile, (tab: Page) => tab.getByText(ana.email)],
    [pageRoutes.settings, (tab: Page) => tab.getByRole('heading', { level: 1 })],
    // Left as soon as somebody is signed in.
    [pageRoutes.login, createLink, pageRoutes.home],
  ] as const) {
    const { tab } = await newTab(context);
    const painted = await watchGuestParts(tab);
    const held = await holdRequests(tab, 'POST', resumeUrl);
    const asked = tab.waitForRequest(resumeUrl);
    await tab.goto(path);
    await asked;
    await expect(tab.locator('html')).toHaveAttribute('data-session', 'resuming');
    await expect(tab.locator('[data-for="user"]:visible, [data-for="guest"]:visible')).toHaveCount(
      0,
    );
    held.release();
    await expect(shown(tab)).toBeVisible();
    await expect(tab).toHaveURL(shownAt);
    expect(await painted(), path).toEqual([]);
    await tab.close();
  }
});

test.describe('a session that cannot be resumed', () => {
  test.use({ expectedErrors: [/(status of (401|503)|ERR_\S+) .*at \S+\/api\/auth\/resume$/] });

  test('leaves a guest, who is asked for nothing more once the server has forgotten the browser', async ({
    forum,
    page,
    context,
  }) => {
    await stayIn(page, await forum.person());
    // As in a browser that takes no cookies.
    await context.clearCookies();
    const first = await newTab(context);
    await first.tab.goto(pageRoutes.create);
    await expect(first.tab).toHaveURL(pageRoutes.home);
    await expect(enterLink(first.tab)).toBeVisible();
    expect(await remembered(first.tab)).toBeNull();
    const second = await newTab(context);
    await second.tab.goto(pageRoutes.home);
    await expect(enterLink(second.tab)).toBeVisible();
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
  });

  test('is tried again when the network returns, without losing what is typed', async ({
    forum,
    page,
    context,
  }) => {
    const ana = await forum.person();
    await stayIn(page, ana);
    const { tab, asked } = await newTab(context);
    await failOnce(tab, 'POST', resumeUrl, respondWithProblem('unavailable'));
    await tab.goto(pageRoutes.home);
    await expect(enterLink(tab)).toBeVisible();
    const field = tab.getByRole('searchbox');
    await field.fill('tomates');
    await tab.evaluate(() => dispatchEvent(new Event('online')));
    await expect(createLink(tab)).toBeVisible();
    await expect(field).toHaveValue('tomates');
    expect(asked).toHaveLength(2);
  });

  test('because the server is slow leaves the guest in after five seconds, and the person when it answers', async ({
    forum,
    page,
    context,
  }) => {
    await stayIn(page, await forum.person());
    const { tab } = await newTab(context);
    await tab.clock.install();
    const held = await holdRequests(tab, 'POST', resumeUrl);
    const asked = tab.waitForRequest(resumeUrl);
    await tab.goto(pageRoutes.home);
    await asked;
    await tab.clock.fastForward(5000);
    await expect(enterLink(tab)).toBeVisible();
    held.release();
    await expect(createLink(tab)).toBeVisible();
  });
});

test('after an unticked sign-in of somebody else, nobody comes back as the remembered person', async ({
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
  // Ana's tab has ended, and its next page is a guest's.
  await expect(page).toHaveURL(pageRoutes.login);
  const next = await newTab(context);
  await next.tab.goto(pageRoutes.home);
  await expect(enterLink(next.tab)).toBeVisible();
  expect(next.asked).toHaveLength(0);
  expect(await context.cookies(forum.url + apiRoutes.resume)).toEqual([]);
});

test('a tab whose session has ended goes on with a new one, but neither without end nor as somebody else', async ({
  forum,
  page,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const { _id } = await openChannel(forum, ana);
  const endSessions = () =>
    forum.deps.db.deleteFrom('sessions').where('account_id', '=', ana.id).execute();
  const asked = watchRequests(page, 'POST', apiRoutes.resume);
  await stayIn(page, ana);
  const news = page.waitForResponse((response) => response.url().includes(apiRoutes.news));
  await page.goto(pageRoutes.channel(_id));
  await news;
  await endSessions();
  await sendComment(page, 'Sigue aquí');
  await expect(page.getByRole('listitem').filter({ hasText: 'Sigue aquí' })).toBeVisible();
  await expect(commentField(page)).toHaveValue('');
  expect(asked).toHaveLength(1);
  expect(await readSession(page)).toMatchObject({ id: ana.id, isLogged: 'true' });

  await page.goto(pageRoutes.create);
  await expect(createButton(page)).toBeEnabled();
  await endSessions();
  await coverField(page).setInputFiles(await plainImage());
  await expect(uploadedMark(page)).toBeVisible();

  await page.goto(pageRoutes.channel(_id));
  for (const [user, token] of [
    // The server does not know this token either.
    [ana, 'x'.repeat(43)],
    [bruno, bruno.token],
  ] as const) {
    const { id, name, email, img } = user;
    await page.route(resumeUrl, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ json: { token, user: { id, name, email, img } } })
        : route.fallback(),
    );
    asked.length = 0;
    await endSessions();
    await sendComment(page, 'No se pierde');
    await expect(page).toHaveURL(pageRoutes.login);
    await expect(page.getByRole('alert')).toContainText('Tu sesión ha terminado.');
    expect(await readSession(page)).toEqual({});
    expect(asked).toHaveLength(1);
    await page.unroute(resumeUrl);
    await page.goto(pageRoutes.channel(_id));
    await expect(commentField(page)).toHaveValue('No se pierde');
  }
});

test.describe('another site', () => {
  test.use({ expectedErrors: [/./] });

  test('can neither frame a page, nor resume or end the session of a remembered person', async ({
    forum,
    page,
    context,
  }) => {
    const ana = await forum.person();
    await stayIn(page, ana);
    const [cookie] = await context.cookies(forum.url + apiRoutes.resume);
    const action = forum.url + apiRoutes.resume;
    const site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<iframe src="${forum.url}/login"></iframe>
        <form method="post" action="${action}" enctype="text/plain"><input name="{}"><button>Enviar</button></form>`);
    });
    await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve));
    try {
      const { tab } = await newTab(context);
      // Another site than 127.0.0.1 for cookies.
      await tab.goto(`http://localhost:${(site.address() as AddressInfo).port}`);
      // A refused page is replaced by the browser's own.
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
    // Not even with the cookie.
    const own = { cookie: `tertulia=${cookie?.value}` };
    for (const headers of [
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, origin: 'https://otro.example' },
      own,
    ]) {
      for (const method of ['POST', 'DELETE']) {
        const answer = await callWith(forum, method, apiRoutes.resume, headers);
        expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
    const { tab } = await newTab(context);
    await tab.goto(pageRoutes.home);
    await expect(createLink(tab)).toBeVisible();
  });
});

test('where storage is forbidden, the box does no harm', async ({ forum, page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    }
  });
  const ana = await forum.person();
  await page.goto(pageRoutes.login);
  await box(page).check();
  await signInByForm(page, ana.email, ana.password);
  await expect(createLink(page)).toBeVisible();
  const asked = watchRequests(page, 'POST', apiRoutes.resume);
  await page.goto(pageRoutes.home);
  await expect(enterLink(page)).toBeVisible();
  expect(asked).toHaveLength(0);
});
