import type { Locator, Page } from '@playwright/test';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { commentShown } from '../replies.ts';

const minutes = Array.from({ length: 60 }, (_, index) => `Punto ${index + 1}`).join('\n');
const lastLine = 'https://ejemplo.es/acta';
const whole = (page: Page) => page.getByRole('link', { name: 'Leer entero' });
const heightOf = async (text: Locator) => (await text.boundingBox())?.height;

test('a comment shows its quotes, links and mentions; right-to-left text sets the direction of its own line only, and a name in it is at the left like others', async ({
  page,
  forum,
}) => {
  const laila = await forum.person('ليلى حداد');
  const { _id } = await openChannel(forum, laila);
  const text =
    '> Quedamos a las diez\n> en https://ejemplo.es/plaza.\n\nSí, @ليلى حداد\nAllí estaré';
  const mention = { start: text.indexOf('@'), length: 10, accountId: laila.id };
  await forum.comment(laila, _id, text, { mentions: [mention] });
  for (const lines of ['שלום\nHola\nשלום וברכה', 'Hola\nשלום']) {
    await forum.comment(laila, _id, lines);
  }
  await page.goto(pageRoutes.channel(_id));
  const comment = commentShown(page, 1);
  const quote = comment.locator('blockquote');
  await expect(quote).toHaveText('Quedamos a las diez\nen https://ejemplo.es/plaza.', {
    useInnerText: true,
  });
  await expect(quote.getByRole('link')).toHaveAttribute('href', 'https://ejemplo.es/plaza');
  await expect(comment.getByText('Sí, @ليلى حداد')).toHaveText('Sí, @ليلى حداد\nAllí estaré', {
    useInnerText: true,
  });

  const sides = (number: number) =>
    commentShown(page, number)
      .locator('[dir="auto"]')
      .first()
      .evaluate((block) => {
        const box = block.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(block);
        return [...range.getClientRects()]
          .filter(({ width }) => width > 1)
          .map(({ left, right }) => (left - box.left < box.right - right ? 'left' : 'right'));
      });
  expect(await sides(2)).toEqual(['right', 'left', 'right']);
  expect(await sides(3)).toEqual(['left', 'right']);
  const [name, below] = [page.getByRole('main').getByText('ليلى حداد'), page.getByText(/^creado/)];
  const offset =
    ((await name.first().boundingBox())?.x ?? NaN) - ((await below.boundingBox())?.x ?? NaN);
  expect(Math.abs(offset)).toBeLessThan(2);

  await comment.getByRole('link', { name: '@ليلى حداد' }).click();
  await expect(page).toHaveURL(pageRoutes.user(laila.id));
});

test('a long text is folded after twenty lines until its link is pressed, a link in the rest has the focus, or a link leads to it; in print and without scripts it is whole', async ({
  page,
  forum,
  openAs,
}) => {
  const ana = await forum.person();
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, `${minutes}\n${lastLine}`);
  const text = commentShown(page, 1).locator('[dir="auto"]').locator('../..');
  const lines = async () => {
    const lineHeight = await text.evaluate((box) => getComputedStyle(box).lineHeight);
    return Math.round(((await heightOf(text)) ?? 0) / Number.parseFloat(lineHeight));
  };
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(pageRoutes.channel(_id));
    await expect(timesAgo(page).first()).toBeVisible();
    expect(await lines(), `${width} px`).toBe(20);
  }
  await page.emulateMedia({ media: 'print' });
  expect(await lines(), 'in print').toBe(61);
  await page.emulateMedia({ media: 'screen' });
  await whole(page).click();
  expect(await lines(), 'after the press').toBe(61);
  await expect(whole(page)).toBeHidden();
  await expect(commentShown(page, 1)).toBeFocused();

  await page.reload();
  await expect(timesAgo(page).first()).toBeVisible();
  expect(await lines(), 'loaded anew').toBe(20);
  const link = page.getByRole('link', { name: lastLine });
  await link.focus();
  expect(await lines(), 'with the focus in the rest').toBe(61);
  await expect(link).toBeInViewport();
  await page.getByRole('heading', { level: 1 }).click();
  expect(await lines(), 'after the focus has left').toBe(61);

  await page.goto(commentLink(_id, 1));
  await expect(timesAgo(page).first()).toBeVisible();
  expect(await lines(), 'linked').toBe(61);
  await expect(whole(page)).toBeHidden();

  const plain = await openAs(null, { javaScriptEnabled: false });
  await plain.goto(pageRoutes.channel(_id));
  await expect(whole(plain)).toBeHidden();
  expect(await heightOf(commentShown(plain, 1))).toBeGreaterThan(61 * 24);
});

test('a long text is shown before the scripts have loaded, and is whole again where it was read before the page is loaded anew', async ({
  page,
  forum,
}) => {
  const ana = await forum.person();
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, minutes);
  for (const text of ['Uno', 'Dos', 'Tres']) await forum.comment(ana, _id, `${text}\n`.repeat(20));
  let loadScripts = () => {};
  const held = new Promise<void>((resolve) => {
    loadScripts = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(pageRoutes.channel(_id), { waitUntil: 'commit' });
  await whole(page).click();
  const end = page.getByText('Punto 60');
  await expect(whole(page)).toBeHidden();
  loadScripts();
  await expect(timesAgo(page).first()).toBeVisible();
  await page.unroute('**/assets/*.js');

  await page.goto(pageRoutes.channel(_id));
  await expect(timesAgo(page).first()).toBeVisible();
  await whole(page).click();
  await end.evaluate((line) => line.scrollIntoView({ block: 'end' }));
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(history.state)))
    .toMatch(/"offset":-(?:[789]\d\d|\d{4})/);
  await page.reload();
  await expect(timesAgo(page).first()).toBeVisible();
  await expect(whole(page)).toBeHidden();
  await expect(commentShown(page, 1)).toBeInViewport();
});
