import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { openChannel } from '../community.ts';
import { openHome } from '../hydration.ts';
import { holdRequests } from '../network.ts';
import { menu, readSession, signInByForm } from '../people.ts';
import { expect, test } from '../quiet-forum.ts';
import { statusBar } from '../status-bar.ts';

const menuButton = (page: Page) => page.getByRole('button', { name: 'Menú de usuario' });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function openMenu(page: Page) {
  await menuButton(page).click();
  await expect(menu(page)).toBeVisible();
}

test("the menu of a guest has 'Iniciar sesión' and 'Registarse', and closes with its button, on a click outside it, with Escape, when Tab leaves it and when one is chosen", async ({
  page,
}) => {
  await openHome(page);
  await expect(menu(page)).toBeHidden();
  await openMenu(page);
  await expect(menu(page).getByRole('listitem')).toHaveText(['Iniciar sesión', 'Registarse']);
  await menuButton(page).click();
  await expect(menu(page)).toBeHidden();
  await openMenu(page);
  await heading(page).click();
  await expect(menu(page)).toBeHidden();
  await openMenu(page);
  await menu(page).getByRole('link', { name: 'Iniciar sesión' }).click();
  await expect(page).toHaveURL('/login');
  await expect(menu(page)).toBeHidden();
  await expect(heading(page)).toBeFocused();

  const open = async (key: string) => {
    await menuButton(page).focus();
    await page.keyboard.press(key);
    await expect(menu(page)).toBeVisible();
  };
  await open('Enter');
  await page.keyboard.press('Tab');
  await expect(menu(page).getByRole('link', { name: 'Iniciar sesión' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
  await expect(menuButton(page)).toBeFocused();
  await open('Space');
  for (let pressed = 0; pressed < 3; pressed += 1) await page.keyboard.press('Tab');
  await expect(menu(page)).toBeHidden();
  await open('Enter');
  await page.keyboard.press('Shift+Tab');
  await expect(menu(page)).toBeHidden();
  await open('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/register');
  await expect(menu(page)).toBeHidden();
  await expect(heading(page)).toBeFocused();

  // The place of the menu is reserved before the browser has parsed it.
  const toggle = page.getByRole('button', { name: 'Cambiar a tema oscuro' });
  const place = await toggle.boundingBox();
  await menuButton(page).evaluate((button) => button.remove());
  expect(await toggle.boundingBox()).toEqual(place);
});

test('signing out clears session storage, ends the session, and reloads the document as a guest', async ({
  forum,
  page,
}) => {
  const person = await forum.person();
  await page.goto('/login');
  await signInByForm(page, person.email, person.password);
  await expect(page).toHaveURL('/');
  const { token } = await readSession(page);
  expect(token).toBeTruthy();

  const held = await holdRequests(page, 'POST', `**${apiRoutes.signOut}`);
  await page.evaluate(() => Object.assign(window, { isOfThePerson: true }));
  await openMenu(page);
  await menu(page).getByRole('button', { name: 'Cerrar sesión' }).click();
  await expect(menu(page)).toBeHidden();
  await expect.poll(() => readSession(page)).toEqual({});
  await expect(page.getByText('Debes iniciar sesión para crear un canal')).toBeVisible();
  const isOfThePerson = () => page.evaluate(() => 'isOfThePerson' in window).catch(() => true);
  expect(await isOfThePerson(), 'before the server has answered').toBe(true);
  held.release();
  await expect.poll(isOfThePerson).toBe(false);
  await expect(statusBar(page).getByRole('status')).toHaveText('Has cerrado sesión.');
  await expect(page.getByText('Debes iniciar sesión para crear un canal')).toBeVisible();
  await openMenu(page);
  await expect(menu(page).getByRole('listitem')).toHaveText(['Iniciar sesión', 'Registarse']);
  await expect
    .poll(async () => (await forum.call('GET', apiRoutes.me, { token: `${token}` })).status)
    .toBe(401);

  await page.reload();
  await openMenu(page);
  await expect(menu(page).getByRole('listitem')).toHaveText(['Iniciar sesión', 'Registarse']);
});

test.describe('the theme', () => {
  const toDark = (page: Page) => page.getByRole('button', { name: 'Cambiar a tema oscuro' });
  const toLight = (page: Page) => page.getByRole('button', { name: 'Cambiar a tema claro' });
  const storedTheme = (page: Page) => page.evaluate(() => localStorage.getItem('theme'));
  /** Brightness of the page's background, from 0 to 255. */
  const brightness = (page: Page) =>
    page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d');
      if (!canvas) throw new Error('no canvas');
      canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
    });
  /** Matches Lucide's sun by the disc at the start of its path. */
  const sun = (page: Page) => page.getByRole('banner').locator('svg:has(path[d^="M12 8a4 4"])');
  const otherIcon = (page: Page) =>
    page.getByRole('banner').locator('svg:not(:has(path[d^="M12 8a4 4"]))');

  test('is light, with a sun, when the operating system does not prefer dark, and toggled by its button, also for the next load', async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openHome(page);
    await expect(toDark(page)).toBeVisible();
    await expect(toLight(page)).toBeHidden();
    await expect(sun(page)).toBeVisible();
    await expect(otherIcon(page)).toBeHidden();
    expect(await brightness(page)).toBeGreaterThan(200);
    expect(await storedTheme(page)).toBeNull();
    await toDark(page).press('Space');
    await expect(toLight(page)).toBeFocused();
    expect(await storedTheme(page)).toBe('dark');
    expect(await brightness(page)).toBeLessThan(60);
    await expect(otherIcon(page)).toBeVisible();
    await expect(sun(page)).toBeHidden();

    await page.reload();
    await expect(toLight(page)).toBeVisible();
    expect(await brightness(page)).toBeLessThan(60);

    await toLight(page).click();
    await expect(toDark(page)).toBeVisible();
    expect(await storedTheme(page)).toBe('light');
    expect(await brightness(page)).toBeGreaterThan(200);
  });
});

test.describe('an unknown address', () => {
  // Chromium logs each 404 as an error.
  test.use({ expectedErrors: [/status of 404/] });

  test("is NotFound for a user as well, whose menu has 'Perfil', and 'Cerrar sesión', which leads home from a page for users", async ({
    forum,
    openAs,
  }) => {
    const page = await openAs(await forum.person());
    const response = await page.goto('/login/');
    expect(response?.status()).toBe(404);
    await expect(page).toHaveTitle('NotFound · tertulia');
    await expect(heading(page)).toHaveText('Página no encontrada');
    await page.getByRole('main').getByRole('link', { name: 'Volver al inicio' }).click();
    await expect(page).toHaveURL('/');
    await expect(page).toHaveTitle('tertulia');

    await openMenu(page);
    await expect(menu(page).getByRole('listitem')).toHaveText(['Perfil', 'Cerrar sesión']);
    await menu(page).getByRole('link', { name: 'Perfil' }).click();
    await expect(page).toHaveURL('/profile');
    await expect(menu(page)).toBeHidden();
    await expect(page.getByText('Canales creados')).toBeVisible();
    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Cerrar sesión' }).click();
    await expect(page).toHaveURL('/');
    await expect(heading(page)).toHaveText('Bienvenidos a tertulia');
  });

  test('with an encoded # leads to the form that was meant', async ({ page }) => {
    await page.goto('/password%23clave');
    await expect(heading(page)).toHaveText('Página no encontrada');
    await page.getByRole('link', { name: 'Abrir la dirección correcta' }).click();
    await expect(page).toHaveTitle('Contraseña nueva · tertulia');
  });
});

test('every page is shown from the top, with its own title and the focus on its heading, when it is navigated to, at most 1000 px wide and centred', async ({
  forum,
  page,
}) => {
  const author = await forum.person();
  const lines = Array.from({ length: 80 }, (_, line) => `Línea ${line}`).join('\n');
  await openChannel(forum, author, { name: 'Muy larga', description: lines });
  await openHome(page);
  await page.setViewportSize({ width: 800, height: 300 });
  const link = page.getByRole('link', { name: 'Muy larga' });
  await link.scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await link.click();
  await expect(heading(page)).toHaveText('Muy larga');
  await expect(page).toHaveTitle('Muy larga · tertulia');
  await expect(heading(page)).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);

  await page.getByText('Línea 79').scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await page.getByRole('main').getByRole('link', { name: 'inciar sesión' }).click();
  await expect(heading(page)).toHaveText('Iniciar sesión');
  await expect(page).toHaveTitle('Iniciar sesión · tertulia');
  await expect(heading(page)).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(page).toHaveTitle('Muy larga · tertulia');

  await page.goForward();
  await page.setViewportSize({ width: 1600, height: 800 });
  const main = await page.getByRole('main').boundingBox();
  expect(main?.width).toBe(1000);
  const room = await page.evaluate(() => document.documentElement.clientWidth);
  expect(main?.x).toBeCloseTo((room - 1000) / 2, 0);
  const logo = await page.getByRole('link', { name: 'tertulia', exact: true }).boundingBox();
  expect(logo?.x).toBeGreaterThanOrEqual(main?.x ?? Number.NaN);
});
