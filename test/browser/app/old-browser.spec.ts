import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';

/** The text that the style sheet adds below the button of a form. */
const shownBelow = (page: Page) =>
  page.locator('main form').evaluate((form) => getComputedStyle(form, '::after').content);

/** The text that the style sheet adds above the content of a page. */
const shownAbove = (page: Page) =>
  page.getByRole('main').evaluate((main) => getComputedStyle(main, '::before').content);

test.describe('a browser that is too old for the scripts', () => {
  test.use({ expectedErrors: [/too old|showPopover/] });

  test('reads, and says on each page that it cannot write, and at a form what to do, which a newer browser does not say', async ({
    forum,
    page,
  }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana, { name: 'Huertos' });
    await forum.comment(ana, _id, 'primero');
    await page.goto(pageRoutes.login);
    expect(await shownAbove(page), 'in a newer browser').toBe('none');
    expect(await shownBelow(page), 'in a newer browser').toBe('none');
    const button = page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' });
    await expect(button).toBeEnabled();
    await expect(button).toHaveCSS('background-color', 'rgb(166, 61, 26)');
    await page.addInitScript(() => {
      Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
    });
    await page.goto(pageRoutes.channel(_id));
    await expect(commentsShown(page)).toHaveText([/primero/]);
    await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
    await expect(page).toHaveURL(pageRoutes.login);
    expect(await shownAbove(page)).toMatch(
      /Este navegador es demasiado antiguo para entrar o escribir aquí/,
    );
    expect(await shownBelow(page)).toContain('Actualiza el navegador o usa otro teléfono.');
    await expect(button).toBeDisabled();
    await expect(button).not.toHaveCSS('background-color', 'rgb(166, 61, 26)');
  });
});
