import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { expect, test } from '../fixtures.ts';
import { openWithNews, readSession, signInByForm, signOut } from '../people.ts';
import { createLink, enterLink } from '../remembered.ts';
import { statusBar } from '../status-bar.ts';

test.describe('signing out without a connection', () => {
  test.use({ expectedErrors: [/net::ERR_|status of 401|dynamically imported module|preload CSS/] });

  test('signs out every tab at once, and on the server when it is tried again', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const page = await openAs(ana);
    const context = page.context();
    const [home, profile] = [await context.newPage(), await context.newPage()];
    await page.goto(pageRoutes.home);
    // A tab hears of others once it has loaded the script that also asks for news.
    await openWithNews(home, pageRoutes.home);
    await expect(createLink(home)).toBeVisible();
    await openWithNews(profile, pageRoutes.profile);
    await expect(profile.getByText(ana.email)).toBeVisible();
    // A tab that signed in separately has its own token.
    const { token } = await (await forum.signIn(ana.email, ana.password)).json();
    await profile.evaluate((own) => sessionStorage.setItem('token', own), token);
    const holds = async () => {
      const tokens = [ana.token, token];
      const answers = tokens.map((one) => forum.call('GET', apiRoutes.me, { token: one }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };

    await context.setOffline(true);
    await signOut(page);
    await expect(enterLink(home)).toBeVisible();
    await expect(profile.getByText(ana.email)).toHaveCount(0);
    for (const tab of [page, home, profile]) expect(await readSession(tab)).toEqual({});
    await expect(statusBar(page).getByRole('status')).toContainText(
      'Sin conexión: la sesión sigue abierta en el servidor',
    );
    expect(await holds()).toEqual([200, 200]);

    await context.setOffline(false);
    const retry = (tab: Page) => statusBar(tab).getByRole('button', { name: 'Reintentar' });
    await retry(profile).click();
    await retry(page).click();
    await expect(statusBar(page).getByRole('status')).toHaveText('Has cerrado sesión.');
    await expect.poll(holds).toEqual([401, 401]);
  });
});

test.describe('signing out in one tab', () => {
  test.use({ expectedErrors: [/status of 401/] });

  test('leaves a tab of another account signed in, which asks whether its own session still exists', async ({
    forum,
    openAs,
  }) => {
    const [ana, berta] = [await forum.person('Ana Belén'), await forum.person('Berta Gil')];
    const page = await openAs(ana);
    await page.goto(pageRoutes.home);
    const other = await page.context().newPage();
    await other.goto(pageRoutes.profile);
    const { id, name, email, token } = berta;
    await other.evaluate((user) => Object.assign(sessionStorage, user), { id, name, email, token });
    await openWithNews(other, pageRoutes.profile, () => other.reload());
    const asked = () => other.waitForResponse((one) => one.url().endsWith(apiRoutes.me));
    const kept = asked();
    await signOut(page);
    expect((await kept).status()).toBe(200);
    await expect(statusBar(page).getByRole('status')).toHaveText('Has cerrado sesión.');
    await expect(other.getByText(berta.email)).toBeVisible();

    await forum.call('POST', apiRoutes.signOut, { token: berta.token });
    await page.goto(pageRoutes.login);
    await signInByForm(page, ana.email, ana.password);
    await expect(statusBar(page)).toContainText('Has iniciado sesión.');
    await signOut(page);
    await expect(other.getByText('Tu sesión ha terminado')).toBeVisible();
    expect(await readSession(other)).toEqual({});
  });
});
