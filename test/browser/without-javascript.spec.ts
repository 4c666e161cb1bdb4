import type { Locator, Page } from '@playwright/test';
import { pageRoutes } from '../../src/shared/routes.ts';
import {
  commentsShown,
  commentTexts,
  fillWithComments,
  moreComments,
  numberedComments,
} from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './sample-forum.ts';

test.use({ javaScriptEnabled: false });

/** Text in the page's content that is not visible. */
async function invisibleText(page: Page): Promise<string[]> {
  return page.getByRole('main').evaluate((main) => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const unseen: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const isSeen = node.parentElement?.checkVisibility({
        visibilityProperty: true,
        opacityProperty: true,
      });
      // The text of a closed dialog is rightly hidden.
      const isToBeRead = !node.parentElement?.closest('dialog:not([open])');
      if (text !== '' && isToBeRead && !isSeen) unseen.push(text);
    }
    return unseen;
  });
}

/** Expects every image of this part to be loaded. */
async function expectImages(part: Locator, atLeast: number): Promise<void> {
  const widths = () =>
    part
      .locator('img')
      .evaluateAll((images) =>
        (images as HTMLImageElement[]).map(
          ({ complete, naturalWidth }) => complete && naturalWidth,
        ),
      );
  expect((await widths()).length).toBeGreaterThanOrEqual(atLeast);
  await expect
    .poll(async () => (await widths()).every((width) => width !== false && width > 0))
    .toBe(true);
}

test('home is complete, with covers, authors, counts and the sign-in hint', async ({
  page,
  sample,
}) => {
  await page.goto(pageRoutes.home);
  await expect(page.getByRole('heading', { name: 'Bienvenidos a tertulia' })).toBeVisible();
  await expect(page.getByText('Debes iniciar sesión para crear un canal')).toBeVisible();
  const card = page.getByRole('article').filter({ hasText: sample.channel.name });
  for (const text of ['Lo que crece en macetas.', 'Ana Belén', '2 comentarios']) {
    await expect(card.getByText(text)).toBeVisible();
  }
  expect(await invisibleText(page)).toEqual([]);
  // Other channels of this forum have missing covers.
  await expectImages(card, 2);
  await expect(page.getByText('Hecho con 💚 por 🦖')).toBeVisible();
});

test('a channel is complete, with its cover, links, dates and the sign-in hint', async ({
  page,
  sample,
}) => {
  await page.goto(pageRoutes.home);
  await page.getByRole('link', { name: sample.channel.name }).click();
  await expect(page).toHaveURL(pageRoutes.channel(sample.channel._id));
  await expect(page).toHaveTitle(`${sample.channel.name} · tertulia`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(sample.channel.name);
  await expect(page.getByRole('img', { name: `Portada de ${sample.channel.name}` })).toBeVisible();
  await expect(commentsShown(page)).toHaveText([/Los tomates/, /Riego por goteo/]);
  await expect(page.getByRole('link', { name: 'https://ejemplo.es/riego' })).toBeVisible();
  for (const date of await page.locator('time').allTextContents()) {
    expect(date).toMatch(/\d{4}/);
  }
  await expect(page.getByText('Si deseas comentar debes inciar sesión 😁')).toBeVisible();
  expect(await invisibleText(page)).toEqual([]);
  await expectImages(page.getByRole('main'), 3);
});

test('links lead through every page of the comments, and back to the first', async ({
  page,
  forum,
  sample,
}) => {
  const channel = await openChannel(forum, sample.ana, { name: 'Muy comentado' });
  await fillWithComments(forum, sample.ana, channel, numberedComments(101));
  await page.goto(pageRoutes.channel(channel._id));
  const more = moreComments(page);
  const seen = await commentTexts(page);
  for (const count of [50, 1]) {
    await more.click();
    await expect(page.getByRole('link', { name: 'Ver desde el principio' })).toBeVisible();
    await expect(commentsShown(page)).toHaveCount(count);
    seen.push(...(await commentTexts(page)));
  }
  await expect(more).toHaveCount(0);
  expect(seen).toEqual(numberedComments(101));
  await page.getByRole('link', { name: 'Ver desde el principio' }).click();
  await expect(commentsShown(page)).toHaveCount(50);
});

test('the menu opens, closes on a click outside it, and its links work', async ({ page }) => {
  await page.goto(pageRoutes.home);
  const opener = page.getByRole('button', { name: 'Menú de usuario' });
  const menu = page.getByRole('navigation', { name: 'Menú de usuario' });
  await opener.click();
  await expect(menu).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(menu).toBeHidden();
  for (const [item, path] of [
    ['Iniciar sesión', pageRoutes.login],
    ['Registarse', pageRoutes.register],
  ] as const) {
    await opener.click();
    await menu.getByRole('link', { name: item }).click();
    await expect(page).toHaveURL(path);
  }
});

for (const [path, button] of [
  [pageRoutes.login, 'Iniciar sesión'],
  [pageRoutes.register, 'Registrarse'],
] as const) {
  test(`${path} says that it needs JavaScript, and sends nothing`, async ({ page }) => {
    await page.goto(path);
    await expect(
      page.getByText('Esta página necesita JavaScript para funcionar.', { exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('main').getByRole('button', { name: button })).toBeDisabled();
    expect(await invisibleText(page)).toEqual([]);
  });
}

for (const [path, title] of [
  [pageRoutes.create, 'Crear Canal'],
  [pageRoutes.profile, 'Perfil'],
  [pageRoutes.settings, 'Ajustes'],
  [pageRoutes.notifications, 'Avisos'],
] as const) {
  test(`${path} has its heading, a link to sign in and no controls that would not work`, async ({
    page,
  }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    const signIn = page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' });
    await expect(signIn).toHaveAttribute('href', pageRoutes.login);
    await expect(
      page.getByText('Esta página necesita JavaScript para funcionar.', { exact: true }),
    ).toBeVisible();
    const main = page.getByRole('main');
    await expect(main.getByRole('button')).toHaveCount(0);
    await expect(main.getByRole('textbox')).toHaveCount(0);
    await page.getByRole('link', { name: 'tertulia', exact: true }).click();
    await expect(page).toHaveURL(pageRoutes.home);
  });
}

test.describe(() => {
  test.use({ expectedErrors: [/status of 404/] });
  test('NotFound leads home', async ({ page }) => {
    await page.goto('/nada');
    await expect(page.getByRole('heading', { name: 'Página no encontrada' })).toBeVisible();
    await page.getByRole('link', { name: 'Volver al inicio' }).click();
    await expect(page).toHaveURL(pageRoutes.home);
  });
});

for (const [colorScheme, paper] of [
  ['light', 'rgb(250, 247, 242)'],
  ['dark', 'rgb(22, 19, 15)'],
] as const) {
  test(`the theme is ${colorScheme} where the system prefers it, without a toggle button`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(pageRoutes.home);
    await expect(page.locator('html')).toHaveCSS('background-color', paper);
    await expect(page.getByRole('button', { name: /Cambiar a tema/ })).toHaveCount(0);
  });
}
