import type { Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { openChannel } from './community.ts';
import { openHome } from './hydration.ts';
import { menu, personWithoutImage, readSession, signInByForm } from './people.ts';
import { expect, test } from './quiet-forum.ts';

const menuButton = (page: Page) => page.getByRole('button', { name: 'Menú de usuario' });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function openMenu(page: Page) {
  await menuButton(page).click();
  await expect(menu(page)).toBeVisible();
}

test.describe('the menu', () => {
  test("of a guest has 'Iniciar sesión' and 'Registarse'", async ({ page }) => {
    await openHome(page);
    await expect(menu(page)).toBeHidden();
    await openMenu(page);
    await expect(menu(page).getByRole('listitem')).toHaveText(['Iniciar sesión', 'Registarse']);

    await menu(page).getByRole('link', { name: 'Iniciar sesión' }).click();
    await expect(page).toHaveURL('/login');
    await expect(menu(page)).toBeHidden();

    await openMenu(page);
    await menu(page).getByRole('link', { name: 'Registarse' }).click();
    await expect(page).toHaveURL('/register');
    await expect(menu(page)).toBeHidden();
  });

  test("of a user has 'Perfil' and 'Cerrar sesión'", async ({ forum, openAs }) => {
    const page = await openAs(await forum.person());
    await openHome(page);
    await openMenu(page);
    await expect(menu(page).getByRole('listitem')).toHaveText(['Perfil', 'Cerrar sesión']);

    await menu(page).getByRole('link', { name: 'Perfil' }).click();
    await expect(page).toHaveURL('/profile');
    await expect(menu(page)).toBeHidden();
  });

  test('has its place before the browser has parsed it', async ({ page }) => {
    await page.goto('/');
    const toggle = page.getByRole('button', { name: 'Cambiar a tema oscuro' });
    const place = await toggle.boundingBox();
    await menuButton(page).evaluate((button) => button.remove());
    expect(await toggle.boundingBox()).toEqual(place);
  });

  test('closes with its button, and on a click outside it', async ({ page }) => {
    await openHome(page);
    await openMenu(page);
    await menuButton(page).click();
    await expect(menu(page)).toBeHidden();
    await openMenu(page);
    await heading(page).click();
    await expect(menu(page)).toBeHidden();
  });

  test('closes when Tab leaves it, forwards or backwards', async ({ page }) => {
    await openHome(page);
    await menuButton(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(menu(page).getByRole('link', { name: 'Registarse' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(menu(page)).toBeHidden();
    await menuButton(page).focus();
    await page.keyboard.press('Enter');
    await expect(menu(page)).toBeVisible();
    await page.keyboard.press('Shift+Tab');
    await expect(menu(page)).toBeHidden();
  });
});

test.describe('signing out', () => {
  test('clears session storage, ends the session and shows the guest menu', async ({
    forum,
    page,
  }) => {
    const person = await forum.person();
    await page.goto('/login');
    await signInByForm(page, person.email, person.password);
    await expect(page).toHaveURL('/');
    const { token } = await readSession(page);
    expect(token).toBeTruthy();

    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Cerrar sesión' }).click();
    await expect(menu(page)).toBeHidden();
    expect(await readSession(page)).toEqual({});
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

  test('leads home from a page for users', async ({ forum, openAs }) => {
    const page = await openAs(await forum.person());
    await page.goto('/profile');
    await expect(page.getByText('Canales creados')).toBeVisible();
    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Cerrar sesión' }).click();
    await expect(page).toHaveURL('/');
    await expect(heading(page)).toHaveText('Bienvenidos a tertulia');
  });
});

test.describe('the avatar button', () => {
  test('shows the default silhouette to guests and to users without an image', async ({
    forum,
    openAs,
    page,
  }) => {
    const user = await openAs(await personWithoutImage(forum));
    for (const visitor of [page, user]) {
      await visitor.goto('/');
      const image = menuButton(visitor).locator('img');
      await expect(image).toBeVisible();
      await expect(image).toHaveAttribute('src', '/default-avatar.svg');
      await expect(image).toHaveJSProperty('complete', true);
      await expect(image).not.toHaveJSProperty('naturalWidth', 0);
    }
  });
});

test("the footer has three external links and the site's credits", async ({ page, forum }) => {
  for (const path of ['/', '/login', '/register']) {
    await page.goto(path);
    const footer = page.getByRole('contentinfo');
    await expect(footer.getByText('Hecho con 💚 por 🦖', { exact: true })).toBeVisible();
    const links = footer.getByRole('link');
    await expect(links).toHaveCount(3);
    for (const link of await links.all()) {
      await expect(link).toHaveAccessibleName(/\S/);
      const { protocol, origin } = new URL((await link.getAttribute('href')) ?? '', forum.url);
      expect(protocol).toBe('https:');
      expect(origin).not.toBe(forum.url);
    }
  }
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

  test('is light, with a sun, when the operating system does not prefer dark', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openHome(page);
    await expect(toDark(page)).toBeVisible();
    await expect(toLight(page)).toBeHidden();
    await expect(sun(page)).toBeVisible();
    await expect(otherIcon(page)).toBeHidden();
    expect(await brightness(page)).toBeGreaterThan(200);
    expect(await storedTheme(page)).toBeNull();
  });

  test('is dark, with a moon, when the operating system prefers dark', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await openHome(page);
    await expect(toLight(page)).toBeVisible();
    await expect(toDark(page)).toBeHidden();
    await expect(otherIcon(page)).toBeVisible();
    await expect(sun(page)).toBeHidden();
    expect(await brightness(page)).toBeLessThan(60);
    expect(await storedTheme(page)).toBeNull();
  });

  test('is toggled by its button and stored for the next load', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await openHome(page);
    await toDark(page).press('Space');
    await expect(toLight(page)).toBeFocused();
    expect(await storedTheme(page)).toBe('dark');
    expect(await brightness(page)).toBeLessThan(60);

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

  async function expectNotFound(page: Page, path: string) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page).toHaveTitle('NotFound · tertulia');
    await expect(heading(page)).toHaveText('Página no encontrada');
  }

  test('is NotFound and leads back home', async ({ page }) => {
    await expectNotFound(page, '/nada');
    await page.getByRole('main').getByRole('link', { name: 'Volver al inicio' }).click();
    await expect(page).toHaveURL('/');
    await expect(page).toHaveTitle('tertulia');
  });

  test('is any path that does not match a route exactly', async ({ page }) => {
    const almost = ['/login/', '/Login', '/profile/otra', '/channel', '/channel/', '/channel/x/y'];
    const unreadable = ['/channel/%E0%A4%A', `/channel/${'x'.repeat(300)}`];
    for (const path of [...almost, '/channel/no-existe', ...unreadable]) {
      await expectNotFound(page, path);
    }
  });

  test('is NotFound for a user too, who stays signed in', async ({ forum, openAs }) => {
    const page = await openAs(await forum.person());
    const response = await page.goto('/login/');
    expect(response?.status()).toBe(404);
    await expect(heading(page)).toHaveText('Página no encontrada');
    await openMenu(page);
    await expect(menu(page).getByRole('listitem')).toHaveText(['Perfil', 'Cerrar sesión']);
  });
});

test.describe('every page', () => {
  test('has its own title, loaded or navigated to', async ({ forum, openAs, page }) => {
    const person = await forum.person();
    const channel = await openChannel(forum, person, { name: 'Títulos de página' });
    const titles = {
      '/': 'tertulia',
      '/login': 'Iniciar sesión · tertulia',
      '/register': 'Crear cuenta · tertulia',
      [`/channel/${channel._id}`]: 'Títulos de página · tertulia',
    };
    for (const [path, title] of Object.entries(titles)) {
      await page.goto(path);
      await expect(page).toHaveTitle(title);
    }
    await page.getByRole('link', { name: 'tertulia', exact: true }).click();
    await expect(page).toHaveTitle('tertulia');
    await page.getByRole('link', { name: 'Títulos de página' }).click();
    await expect(page).toHaveTitle('Títulos de página · tertulia');
    await page.goBack();
    await expect(page).toHaveTitle('tertulia');

    const user = await openAs(person);
    await user.goto('/profile');
    await expect(user).toHaveTitle('Perfil · tertulia');
    await user.goto('/create');
    await expect(user).toHaveTitle('Crear Canal · tertulia');
  });

  test('is shown from the top, with the focus on its heading, when it is navigated to', async ({
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
    await expect(heading(page)).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(0);

    await page.getByText('Línea 79').scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await page.getByRole('main').getByRole('link', { name: 'inciar sesión' }).click();
    await expect(heading(page)).toHaveText('Iniciar sesión');
    await expect(heading(page)).toBeFocused();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test('is at most 1000 px wide and centred', async ({ forum, page }) => {
    const { _id } = await openChannel(forum, await forum.person());
    await page.setViewportSize({ width: 1600, height: 800 });
    for (const path of ['/', '/login', `/channel/${_id}`]) {
      await page.goto(path);
      const main = await page.getByRole('main').boundingBox();
      expect(main?.width).toBe(1000);
      const room = await page.evaluate(() => document.documentElement.clientWidth);
      expect(main?.x).toBeCloseTo((room - 1000) / 2, 0);
      const logo = await page.getByRole('link', { name: 'tertulia', exact: true }).boundingBox();
      expect(logo?.x).toBeGreaterThanOrEqual(main?.x ?? Number.NaN);
    }
  });
});
