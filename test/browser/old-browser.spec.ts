import { pageRoutes } from '../../src/shared/routes.ts';
import { commentsShown } from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';

const sentence = /Este navegador es demasiado antiguo para escribir aquí/;

/** What Safari 17.0 does not have. */
function forget(): void {
  Object.assign(CSS, { supports: () => false });
  Reflect.deleteProperty(Promise, 'withResolvers');
  Reflect.deleteProperty(AbortSignal, 'any');
}

const shownBefore = (form: HTMLElement) => getComputedStyle(form, '::before').content;

test.describe('a browser that is too old for the scripts', () => {
  test.use({ expectedErrors: [/too old|withResolvers/] });

  test('reads, and says on forms that it cannot write', async ({ forum, page }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana, { name: 'Huertos' });
    await forum.comment(ana, _id, 'primero');
    await page.addInitScript(forget);
    await page.goto(pageRoutes.channel(_id));
    await expect(commentsShown(page)).toHaveText([/primero/]);
    await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
    await expect(page).toHaveURL(pageRoutes.login);
    expect(await page.locator('form[method="post"]').evaluate(shownBefore)).toMatch(sentence);
    await expect(
      page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }),
    ).toBeDisabled();
  });
});

test('a newer browser says nothing of that', async ({ page }) => {
  await page.goto(pageRoutes.login);
  expect(await page.locator('form[method="post"]').evaluate(shownBefore)).toBe('none');
});
