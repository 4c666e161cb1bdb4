import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';

/** The text that the style sheet adds above the content of a page. */
const shownAbove = (page: Page) =>
  page.getByRole('main').evaluate((main) => getComputedStyle(main, '::before').content);

test.describe('a browser that is too old for the scripts', () => {
  test.use({ expectedErrors: [/too old|withResolvers/] });

  test('reads, and says on each page that it cannot write, which a newer browser does not say', async ({
    forum,
    page,
  }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana, { name: 'Huertos' });
    await forum.comment(ana, _id, 'primero');
    await page.goto(pageRoutes.login);
    expect(await shownAbove(page), 'in a newer browser').toBe('none');
    await page.addInitScript(() => {
      Reflect.deleteProperty(Promise, 'withResolvers');
    });
    await page.goto(pageRoutes.channel(_id));
    await expect(commentsShown(page)).toHaveText([/primero/]);
    await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
    await expect(page).toHaveURL(pageRoutes.login);
    expect(await shownAbove(page)).toMatch(
      /Este navegador es demasiado antiguo para escribir aquí/,
    );
    await expect(
      page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }),
    ).toBeDisabled();
  });
});
