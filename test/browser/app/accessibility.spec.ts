import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentsShown } from '../comments.ts';
import { timesAgo } from '../hydration.ts';
import { plainImage } from '../images.ts';
import { expect, test } from '../sample-forum.ts';
import { tabThrough } from '../view-checks.ts';

test.use({
  expectedErrors: [/status of 40[014]/],
});

const headerStops = ['Saltar al contenido', 'tertulia', 'Cambiar a tema oscuro', 'Menú de usuario'];

test.describe('with the keyboard alone', () => {
  test('Tab moves through a page in reading order, and its first link skips to the content', async ({
    page,
    sample,
  }) => {
    await page.goto(pageRoutes.channel(sample.channel._id));
    await expect(timesAgo(page).first()).toBeVisible();
    // The tab stops are the header, the jump links above the comments, and the comments.
    const names = (await tabThrough(page)).map(({ name }) => name);
    expect(names.map((name) => name.replace(/^hace .*/, 'ahora mismo'))).toEqual([
      ...headerStops,
      'Ana Belén',
      'Opciones del canal',
      'https://ejemplo.es/huertos',
      'Buscar en este canal',
      'Ana Belén',
      'ahora mismo',
      'Responder: n.º 1, de Ana Belén',
      'Más acciones: n.º 1, de Ana Belén',
      'Ana Belén',
      'ahora mismo',
      'https://ejemplo.es/riego',
      'Responder: n.º 2, de Ana Belén',
      'Más acciones: n.º 2, de Ana Belén',
      'inciar sesión',
      'Iniciar sesión',
      'Crear cuenta',
      ...(await page.getByRole('contentinfo').getByRole('link').allInnerTexts()),
    ]);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Saltar al contenido' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await expect(skip).not.toBeInViewport();
    await page.keyboard.press('Tab');
    const author = page.getByRole('main').getByRole('link', { name: 'Ana Belén' });
    await expect(author.first()).toBeFocused();
  });

  test('a user can sign in, create a channel, comment in it and sign out', async ({
    page,
    forum,
  }) => {
    const ana = await forum.person('Ana Belén');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.goto(pageRoutes.login);
    const submit = page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' });
    await expect(submit).toBeEnabled();
    await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab');
    await page.keyboard.type(ana.email);
    await press('Tab');
    await page.keyboard.type(ana.password);
    await press('Tab', 'Tab', 'Space', 'Tab');
    await expect(submit).toBeFocused();
    await press('Enter');
    await expect(page).toHaveURL(pageRoutes.home);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

    await press('Tab', 'Tab');
    await expect(page.getByRole('link', { name: 'Crear Canal' })).toBeFocused();
    await press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Crear Canal' })).toBeFocused();
    // Starts several keys before the one that opens the chooser: the browser may handle a key before it starts to
    // intercept choosers.
    const chooser = page.waitForEvent('filechooser');
    await press('Tab');
    await page.keyboard.type('Hecho a mano');
    await press('Tab');
    await page.keyboard.type('Solo con teclas.');
    await press('Tab');
    await expect(page.getByLabel('Imagen de portada')).toBeFocused();
    await press('Space');
    await (await chooser).setFiles(await plainImage());
    await expect(page.getByRole('img', { name: 'Portada subida' })).toBeVisible();
    await expect(page.getByLabel('Imagen de portada')).toBeFocused();
    await press('Tab');
    await expect(page.getByRole('button', { name: 'Usar un azulejo' })).toBeFocused();
    await press('Tab', 'Enter');
    await expect(page).toHaveURL(pageRoutes.home);

    const card = page.getByRole('link', { name: 'Hecho a mano' });
    await expect(card).toBeVisible();
    await card.focus();
    await press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Hecho a mano' })).toBeFocused();
    const field = page.getByLabel('Escribe un comentario');
    await expect(field).toBeVisible();
    await press('Tab');
    await expect(page.getByRole('main').getByRole('link', { name: 'Ana Belén' })).toBeFocused();
    await press('Tab');
    await expect(page.getByRole('button', { name: 'Opciones del canal' })).toBeFocused();
    // The jump links precede the comments.
    await press('Tab');
    await expect(page.getByRole('link', { name: 'Buscar en este canal' })).toBeFocused();
    await press('Tab', 'Tab');
    await expect(field).toBeFocused();
    await page.keyboard.type('Uno por el botón');
    // Past the buttons for images and a date.
    await press('Tab', 'Tab', 'Tab', 'Enter');
    await expect(commentsShown(page)).toHaveText([/Uno por el botón/]);
    await press('Shift+Tab', 'Shift+Tab', 'Shift+Tab');
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('');

    await page.getByRole('button', { name: 'Menú de usuario' }).focus();
    await press('Enter', 'Tab', 'Tab');
    await expect(page.getByRole('button', { name: 'Cerrar sesión' })).toBeFocused();
    await press('Enter');
    await expect(page.getByText('Si deseas comentar debes inciar sesión 😁')).toBeVisible();
  });

  test('the error modal takes the focus, closes with Esc or its button, and returns the focus; it moves for 300 ms, or not at all with reduced motion', async ({
    page,
  }) => {
    await page.goto(pageRoutes.login);
    await expect(
      page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }),
    ).toBeEnabled();
    const modal = page.getByRole('dialog', { name: 'Error' });
    const password = page.getByLabel('Contraseña');
    await page.getByLabel('Correo electrónico').fill('nadie@ejemplo.es');
    for (const key of ['Escape', 'Enter']) {
      await password.fill('no es esta');
      await password.press('Enter');
      await expect(modal.getByRole('button', { name: 'Aceptar' })).toBeFocused();
      await page.keyboard.press(key);
      await expect(modal).toBeHidden();
      await expect(password).toBeFocused();
    }

    expect(await slowestMotion(page), 'with reduced motion').toBeLessThanOrEqual(0.001);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await slowestMotion(page), 'for everyone else').toBeGreaterThan(0.1);
    const duration = await page
      .locator('dialog')
      .evaluate((dialog) => getComputedStyle(dialog).transitionDuration);
    expect(new Set(duration.split(', '))).toEqual(new Set(['0.3s']));
  });
});

/** The longest transition or animation of a page, in seconds. */
const slowestMotion = (page: Page) =>
  page.evaluate(() => {
    const seconds = (list: string) => list.split(',').map((time) => Number.parseFloat(time));
    const durations = [...document.querySelectorAll('*')].flatMap((element) =>
      [undefined, '::before', '::after', '::backdrop'].flatMap((part) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element, part);
        return [...seconds(transitionDuration), ...seconds(animationDuration)];
      }),
    );
    return Math.max(...durations.filter(Number.isFinite));
  });
