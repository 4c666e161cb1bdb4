import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { layoutShifts, runScriptsAfterPaint } from '../layout-shifts.ts';
import { failOnce, holdRequests, respondWithProblem } from '../network.ts';
import {
  rememberBox as box,
  expectSignedIn,
  readSession,
  signInByForm,
  signOut,
  stayIn,
} from '../people.ts';
import {
  callResume,
  createLink,
  enterLink,
  newTab,
  resumeUrl,
  unauthorized,
} from '../remembered.ts';
import { statusBar } from '../status-bar.ts';

const remembered = (page: Page) => page.evaluate(() => localStorage.getItem('remembered'));
const sessionKeys = ['email', 'id', 'img', 'isLogged', 'name', 'token'];

/** Records the guest-only parts that are visible in any frame of the next pages. */
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
  });
  return () => page.evaluate(() => Reflect.get(window, 'painted'));
}

test.use({ expectedErrors: [unauthorized] });

test('with the box ticked, two tabs opened at once are signed in, and signing out in one ends all, the cookie and stolen tokens', async ({
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
  // The browser keeps it when it is closed.
  expect(cookie?.expires).toBeGreaterThan(Date.now() / 1000);
  await signOut(page);
  for (const tab of tabs) {
    await expect(tab).toHaveURL(pageRoutes.home);
    await expect(statusBar(tab).getByRole('status')).toHaveText('Has cerrado sesión.');
    expect(await readSession(tab)).toEqual({});
  }
  expect(await remembered(page)).toBeNull();
  expect(await context.cookies(forum.url + apiRoutes.resume)).toEqual([]);
  for (const token of tokens) {
    expect((await forum.call('GET', apiRoutes.me, { token: `${token}` })).status).toBe(401);
  }
  const stolen = { cookie: `tertulia=${cookie?.value}`, 'sec-fetch-site': 'same-origin' };
  expect((await callResume(forum, ana.id, stolen)).status).toBe(401);

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
    [pageRoutes.channel(channel._id), commentField],
    // This page redirects as soon as the session is resumed.
    [pageRoutes.login, createLink, pageRoutes.home],
  ] as const) {
    const { tab } = await newTab(context);
    const painted = await watchGuestParts(tab);
    await runScriptsAfterPaint(tab);
    const held = await holdRequests(tab, 'POST', resumeUrl);
    const asked = tab.waitForRequest(resumeUrl);
    await tab.goto(path);
    await asked;
    await expect(tab.locator('html')).toHaveAttribute('data-session', 'resuming');
    await expect(tab.locator('[data-for="user"]:visible, [data-for="guest"]:visible')).toHaveCount(
      0,
    );
    const menu = tab.getByRole('navigation', { name: 'Menú de usuario' });
    await tab.getByRole('button', { name: 'Menú de usuario' }).click();
    await expect(menu).toHaveText('Iniciando sesión…', { useInnerText: true });
    held.release();
    if (path !== pageRoutes.login) await expect(menu.getByRole('listitem').first()).toBeVisible();
    await expect(shown(tab)).toBeVisible();
    await expect(tab).toHaveURL(shownAt);
    expect(await painted(), path).toEqual([]);
    expect(await layoutShifts(tab), path).toEqual([]);
    await tab.close();
  }
});

test.describe('a session that cannot be resumed', () => {
  test.use({ expectedErrors: [/(status of (401|503)|ERR_\S+) .*at \S+\/api\/auth\/resume$/] });

  test('leaves a guest, who requests nothing more once the server no longer knows the browser', async ({
    forum,
    page,
    context,
  }) => {
    await stayIn(page, await forum.person());
    // As in a browser that rejects cookies.
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

  test('is tried again when the network returns, without losing typed text or leaving a page that needs it, and is waited for five seconds', async ({
    forum,
    page,
    context,
  }) => {
    const ana = await forum.person();
    // The home page of an empty forum has no search field.
    await openChannel(forum, ana);
    await stayIn(page, ana);
    const goOnline = (tab: Page) => tab.evaluate(() => dispatchEvent(new Event('online')));

    const { tab, asked } = await newTab(context);
    await failOnce(tab, 'POST', resumeUrl, respondWithProblem('unavailable'));
    await tab.goto(pageRoutes.home);
    await expect(enterLink(tab)).toBeVisible();
    const field = tab.getByRole('searchbox');
    await field.fill('tomates');
    await goOnline(tab);
    await expect(createLink(tab)).toBeVisible();
    await expect(field).toHaveValue('tomates');
    expect(asked).toHaveLength(2);

    const { tab: settings } = await newTab(context);
    await failOnce(settings, 'POST', resumeUrl, respondWithProblem('unavailable'));
    await settings.goto(pageRoutes.settings);
    await expect(settings.getByRole('alert')).toContainText(
      'Tu sesión todavía no se ha podido abrir',
    );
    await goOnline(settings);
    await expect(settings.getByRole('region', { name: 'Sesiones' })).toBeVisible();
    await expect(settings).toHaveURL(pageRoutes.settings);

    const { tab: slow } = await newTab(context);
    await slow.clock.install();
    const held = await holdRequests(slow, 'POST', resumeUrl);
    const asking = slow.waitForRequest(resumeUrl);
    await slow.goto(pageRoutes.home);
    await asking;
    await slow.clock.fastForward(5000);
    await expect(enterLink(slow)).toBeVisible();
    held.release();
    await expect(createLink(slow)).toBeVisible();
  });
});
