import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { expect, test } from '../fixtures.ts';
import { openWithNews, readSession, signOut } from '../people.ts';
import { createLink, enterLink } from '../remembered.ts';
import { statusBar } from '../status-bar.ts';

test.describe('signing out without a connection', () => {
  test.use({ expectedErrors: [/net::ERR_|status of 401|dynamically imported module/] });

  test('signs out every tab at once, and on the server as soon as it answers', async ({
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
    await expect(statusBar(page).getByRole('status')).toContainText('el servidor no responde');
    expect(await holds()).toEqual([200, 200]);

    await context.setOffline(false);
    await expect(statusBar(page).getByRole('status')).toHaveText('Has cerrado sesión.');
    await expect.poll(holds).toEqual([401, 401]);
  });
});
