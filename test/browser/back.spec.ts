import type { Page } from '@playwright/test';
import { apiRoutes, pageRoutes } from '../../src/shared/routes.ts';
import { chromiumOptions } from './chromium.ts';
import { sendComment } from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import { signInByForm } from './people.ts';

/** Pages that are left are kept as they are, as browsers do; Playwright turns that off. */
test.use({
  launchOptions: { ...chromiumOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] },
  expectedErrors: [/status of 403 .* at \S+\/api\/channels\/comment$/],
});

const textarea = (page: Page) => page.getByLabel('Escribe un comentario');

/** Leaves for another page of the site by its address, as a bookmark does. */
async function leaveAndSignOut(page: Page): Promise<void> {
  await page.goto(pageRoutes.home);
  await page.getByRole('button', { name: 'Menú de usuario' }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
}

/** Goes back to a page that the browser has kept. */
async function goBackToKept(page: Page, steps: number): Promise<void> {
  await page.evaluate((count) => history.go(-count), steps);
  await expect.poll(() => page.evaluate(() => 'isKept' in window).catch(() => false)).toBe(true);
}

const markAsKept = (page: Page) => page.evaluate(() => Object.assign(window, { isKept: true }));

test('a page that is gone back to after signing out shows nothing of the person', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, await forum.person('Bruno Paz'));
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await textarea(page).fill('Solo para Ana');
  await markAsKept(page);
  await leaveAndSignOut(page);
  await goBackToKept(page, 1);
  await expect(page.getByText('Si deseas comentar debes')).toBeVisible();
  await expect(textarea(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Menú de usuario' }).click();
  await expect(page.getByRole('button', { name: 'Cerrar sesión' })).toHaveCount(0);
});

test("the profile is no longer shown after signing out and going back, nor anybody's e-mail", async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const page = await openAs(ana);
  await page.goto(pageRoutes.profile);
  await expect(page.getByText(ana.email)).toBeVisible();
  await markAsKept(page);
  await leaveAndSignOut(page);
  await goBackToKept(page, 1);
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(page.getByText(ana.email)).toHaveCount(0);
});

test('a page that is gone back to after signing in as another person is that one’s', async ({
  forum,
  openAs,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await textarea(page).fill('Solo para Ana');
  await markAsKept(page);
  await page.goto(pageRoutes.home);
  await page.getByRole('button', { name: 'Menú de usuario' }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await page.goto(pageRoutes.login);
  await signInByForm(page, bruno.email, bruno.password);
  await expect(page.getByRole('link', { name: 'Crear Canal' })).toBeVisible();
  await goBackToKept(page, 2);
  await expect(textarea(page)).toHaveValue('');
  const written = page.waitForRequest(`**${apiRoutes.comment}`);
  await sendComment(page, 'De Bruno');
  expect((await written).postDataJSON()).toMatchObject({ autor: 'Bruno Paz', autorId: bruno.id });
  await expect(page.getByRole('listitem').filter({ hasText: 'De Bruno' })).toContainText(
    'Bruno Paz',
  );
});

test('a comment is refused when the session has become another person’s behind the page', async ({
  forum,
  openAs,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await textarea(page).fill('De Ana');
  await page.evaluate((token) => sessionStorage.setItem('token', token), bruno.token);
  await page.getByRole('button', { name: 'Comentar' }).click();
  await expect(page.getByRole('alert')).toContainText('con tu propia cuenta');
  await expect(textarea(page)).toHaveValue('De Ana');
});

test.describe('a token that is gone from the tab', () => {
  test.use({ expectedErrors: [/status of 401/] });

  for (const [how, value] of [
    ['is empty', ''],
    ['is missing', null],
  ] as const) {
    test(`counts as a lost session when it ${how}`, async ({ forum, openAs }) => {
      const ana = await forum.person('Ana Belén');
      const { _id } = await openChannel(forum, ana);
      const page = await openAs(ana);
      await page.goto(pageRoutes.channel(_id));
      await textarea(page).fill('No se pierde');
      await page.evaluate((token) => {
        if (token === null) sessionStorage.removeItem('token');
        else sessionStorage.setItem('token', token);
      }, value);
      await page.getByRole('button', { name: 'Comentar' }).click();
      await expect(page).toHaveURL(pageRoutes.login);
      await signInByForm(page, ana.email, ana.password);
      await expect(page).toHaveURL('/');
      await page.goto(pageRoutes.channel(_id));
      await expect(textarea(page)).toHaveValue('No se pierde');
    });
  }
});
