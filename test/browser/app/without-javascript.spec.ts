import type { Locator, Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentsShown } from '../comments.ts';
import { expect, test } from '../sample-forum.ts';

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
      // Text in a closed dialog is rightly hidden.
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

test('home and a channel are complete, with covers, authors, counts, links, dates and the sign-in hint', async ({
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

  await page.getByRole('link', { name: sample.channel.name }).click();
  await expect(page).toHaveURL(pageRoutes.channel(sample.channel._id));
  await expect(page).toHaveTitle(`${sample.channel.name} · tertulia`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(sample.channel.name);
  await expect(page.getByRole('img', { name: `Portada de ${sample.channel.name}` })).toBeVisible();
  await expect(commentsShown(page)).toHaveText([/Los tomates/, /Riego por goteo/]);
  await expect(page.getByRole('link', { name: 'https://ejemplo.es/riego' })).toBeVisible();
  const dates = await page.locator('time').allTextContents();
  expect(dates.length).toBeGreaterThanOrEqual(2);
  for (const date of dates) expect(date).toMatch(/\d{4}/);
  await expect(page.getByText('Si deseas comentar debes inciar sesión 😁')).toBeVisible();
  expect(await invisibleText(page)).toEqual([]);
  await expectImages(page.getByRole('main'), 3);
});

test('the theme is what the system prefers, without a toggle button; the menu opens, closes on a click outside it, and leads to its pages', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(pageRoutes.home);
  const background = page.locator('html');
  await expect(background).toHaveCSS('background-color', 'rgb(250, 247, 242)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(background).toHaveCSS('background-color', 'rgb(22, 19, 15)');
  await expect(page.getByRole('button', { name: /Cambiar a tema/ })).toHaveCount(0);

  const opener = page.getByRole('button', { name: 'Menú de usuario' });
  const menu = page.getByRole('navigation', { name: 'Menú de usuario' });
  await opener.click();
  await expect(menu).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(menu).toBeHidden();
  await opener.click();
  await menu.getByRole('link', { name: 'Registarse' }).click();
  await expect(page).toHaveURL(pageRoutes.register);
});

test('forms and pages for users say that they need JavaScript; the latter have their heading, a link to sign in and no controls that would not work', async ({
  page,
}) => {
  const main = page.getByRole('main');
  const sentence = page.getByText('Esta página necesita JavaScript para funcionar.', {
    exact: true,
  });
  for (const [path, button] of [
    [pageRoutes.login, 'Iniciar sesión'],
    [pageRoutes.register, 'Registrarse'],
  ] as const) {
    await page.goto(path);
    await expect(sentence).toBeVisible();
    await expect(main.getByRole('button', { name: button })).toBeDisabled();
    expect(await invisibleText(page), path).toEqual([]);
  }
  for (const [path, title] of [
    [pageRoutes.create, 'Crear Canal'],
    [pageRoutes.profile, 'Perfil'],
    [pageRoutes.settings, 'Ajustes'],
    [pageRoutes.notifications, 'Avisos'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect(main.getByRole('link', { name: 'Iniciar sesión' })).toHaveAttribute(
      'href',
      pageRoutes.login,
    );
    await expect(sentence).toBeVisible();
    await expect(main.getByRole('button'), path).toHaveCount(0);
    await expect(main.getByRole('textbox'), path).toHaveCount(0);
  }
});
