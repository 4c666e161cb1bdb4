import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';

const sentence = /Este navegador es demasiado antiguo para escribir aquí/;

/** The newest browser features that the scripts use. */
const features = [
  'AbortSignal.any',
  'Array.prototype.toSorted',
  'Array.prototype.toSpliced',
  'CSS.supports',
  'Element.prototype.checkVisibility',
  'HTMLElement.prototype.showPopover',
  'Intl.Segmenter',
  'Promise.withResolvers',
  'URL.canParse',
];

/** Makes the page behave as in a browser without these features. */
async function withoutFeatures(page: Page, missing: string[]): Promise<void> {
  await page.addInitScript((paths) => {
    for (const path of paths) {
      const names = path.split('.');
      const last = names.pop() ?? '';
      const owner = names.reduce<object>((object, name) => Reflect.get(object, name), window);
      if (path === 'CSS.supports') Object.assign(owner, { supports: () => false });
      else Reflect.deleteProperty(owner, last);
    }
  }, missing);
}

/** The text that the style sheet adds above the content of a page. */
const shownAbove = (page: Page) =>
  page.getByRole('main').evaluate((main) => getComputedStyle(main, '::before').content);

test.describe('a browser that is too old for the scripts', () => {
  test.use({ expectedErrors: [/too old|withResolvers/] });

  test('reads, and says on each page that it cannot write', async ({ forum, page }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana, { name: 'Huertos' });
    await forum.comment(ana, _id, 'primero');
    await withoutFeatures(page, features);
    await page.goto(pageRoutes.channel(_id));
    await expect(commentsShown(page)).toHaveText([/primero/]);
    await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
    await expect(page).toHaveURL(pageRoutes.login);
    expect(await shownAbove(page)).toMatch(sentence);
    await expect(
      page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }),
    ).toBeDisabled();
  });

  test('also says so on pages that need an account, and when it lacks a single feature', async ({
    context,
  }) => {
    for (const feature of features) {
      const page = await context.newPage();
      await withoutFeatures(page, [feature]);
      await page.goto(pageRoutes.create);
      expect(await shownAbove(page), feature).toMatch(sentence);
      await page.close();
    }
  });
});

test('a newer browser does not show that message', async ({ page }) => {
  await page.goto(pageRoutes.login);
  expect(await shownAbove(page)).toBe('none');
});
