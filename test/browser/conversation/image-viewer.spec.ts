import type { BrowserContextOptions, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { assetRoutes, pageRoutes } from '../../../src/shared/routes.ts';
import type { Person } from '../../forum/forum.ts';
import { commentField, commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { test as base, expect } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { plainImage } from '../images.ts';
import { afterFrames } from '../network.ts';
import { endSession } from '../people.ts';
import { statusBar } from '../status-bar.ts';

const alts = ['El mar', '', 'Un prado'];

interface ImageFixtures {
  /** Opens a channel whose comment has three images, the second of them without alt text. */
  openImages: (options?: BrowserContextOptions, reader?: Person) => Promise<Page>;
  /** Deletes that comment. */
  deleteImages: () => Promise<void>;
}

const test = base.extend<ImageFixtures & { made: { ana?: Person; channelId?: string } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
  made: ({}, use) => use({}),
  deleteImages: ({ forum, made }, use) =>
    use(async () => {
      const path = apiRoutes.channelComment(made.channelId ?? '', 1);
      const { status } = await forum.call('DELETE', path, { token: made.ana?.token ?? '' });
      expect(status).toBe(204);
    }),
  openImages: ({ forum, openAs, made }, use) =>
    use(async (options, reader) => {
      const ana = await forum.person('Ana Belén');
      const { _id } = await openChannel(forum, ana);
      Object.assign(made, { ana, channelId: _id });
      const images: { url: string; alt: string }[] = [];
      for (const [index, alt] of alts.entries()) {
        const { name, buffer } = await plainImage(`foto${index}.png`, `#${index}255aa`);
        const response = await forum.upload(ana, buffer, { filename: name, use: 'comment' });
        const { fullPath } = (await response.json()) as { fullPath: string };
        images.push({ url: assetRoutes.file(fullPath), alt });
      }
      await forum.comment(ana, _id, 'Tres fotos', { images });
      await forum.comment(ana, _id, 'Otro');
      const page = await openAs(reader ?? null, options);
      await page.goto(pageRoutes.home);
      await page.goto(pageRoutes.channel(_id));
      return page;
    }),
});

const link = (page: Page, name: string) =>
  commentsShown(page).first().getByRole('link', { name, exact: true });
const viewer = (page: Page) => page.getByRole('dialog', { name: 'Imágenes del comentario' });
const shownImage = (page: Page, name: string) =>
  viewer(page).getByRole('img', { name, exact: true });

test('an image opens over the page; arrow keys and buttons lead to the others, Escape back to its link, as does a click beside it', async ({
  openImages,
}) => {
  const page = await openImages();
  const { href } = await link(page, 'El mar').evaluate(({ href }: HTMLAnchorElement) => ({ href }));
  await link(page, 'El mar').press('Enter');
  await expect(shownImage(page, 'El mar')).toBeInViewport();
  await expect(viewer(page)).toContainText('1 de 3 El mar');
  await expect(viewer(page).getByRole('link', { name: 'Ver a tamaño completo' })).toHaveAttribute(
    'href',
    new URL(href).pathname,
  );
  await expect(viewer(page).getByRole('button', { name: 'Cerrar' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(shownImage(page, 'Imagen 2 de 3 del comentario')).toBeInViewport();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page)).toContainText('3 de 3 Un prado');
  await expect(shownImage(page, 'Un prado')).toBeInViewport();
  await expect(shownImage(page, 'El mar')).toHaveCount(0);
  await page.keyboard.press('ArrowLeft');
  await expect(viewer(page)).toContainText('2 de 3');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toHaveCount(0);
  await expect(link(page, 'El mar')).toBeFocused();

  await link(page, 'Un prado').click();
  await expect(shownImage(page, 'Un prado')).toBeInViewport();
  await expect(viewer(page).getByRole('button', { name: 'Imagen siguiente' })).toBeHidden();
  // The Tab key skips the row of images.
  await viewer(page).getByRole('button', { name: 'Cerrar' }).focus();
  await page.keyboard.press('Tab');
  await expect(viewer(page).getByRole('button', { name: 'Imagen anterior' })).toBeFocused();
  await viewer(page).getByRole('button', { name: 'Imagen anterior' }).click();
  await expect(viewer(page)).toContainText('2 de 3');
  await viewer(page).getByRole('button', { name: 'Imagen anterior' }).click();
  await expect(viewer(page)).toContainText('1 de 3 El mar');
  await page.mouse.click(5, 300);
  await expect(viewer(page)).toHaveCount(0);
});

test('Back closes the images and leaves the channel where it was, and after another way of closing neither Back nor Forward leads to them', async ({
  openImages,
}) => {
  const page = await openImages({ viewport: { width: 375, height: 500 } });
  const url = page.url();
  const states = () => page.evaluate(() => history.length);
  await link(page, 'El mar').scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(0);
  await link(page, 'El mar').click();
  await expect(viewer(page)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page)).toContainText('2 de 3');
  await page.goBack();
  await expect(viewer(page)).toHaveCount(0);
  expect(page.url()).toBe(url);
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  await expect(link(page, 'El mar')).toBeFocused();
  await page.goForward();
  await afterFrames(page);
  await expect(viewer(page)).toHaveCount(0);

  // The remaining history entry is reused, even after a reload.
  const length = await states();
  await link(page, 'Un prado').click();
  await expect(viewer(page)).toBeVisible();
  await page.reload();
  await expect(timesAgo(page).first()).toBeVisible();
  await expect(viewer(page)).toHaveCount(0);
  for (const close of ['Escape', 'Enter'] as const) {
    await link(page, 'Un prado').click();
    await expect(viewer(page).getByRole('button', { name: 'Cerrar' })).toBeFocused();
    await page.keyboard.press(close);
    await expect(viewer(page)).toHaveCount(0);
  }
  expect(await states()).toBe(length);
  await page.goBack();
  await expect(page).toHaveURL(pageRoutes.home);
});

test('on a phone a swipe leads to the next image, which stays when the phone is turned', async ({
  openImages,
}) => {
  const page = await openImages({ viewport: { width: 375, height: 667 }, hasTouch: true });
  await link(page, 'El mar').tap();
  await expect(viewer(page)).toContainText('1 de 3 El mar');
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === undefined ? [] : [{ x, y: 300 }],
    });
  await touch('touchStart', 320);
  for (let x = 300; x >= 40; x -= 20) await touch('touchMove', x);
  await touch('touchEnd');
  await expect(viewer(page)).toContainText('2 de 3');
  const second = shownImage(page, 'Imagen 2 de 3 del comentario');
  await expect(second).toBeInViewport({ ratio: 1 });
  for (const viewport of [
    { width: 667, height: 375 },
    { width: 320, height: 568 },
  ]) {
    await page.setViewportSize(viewport);
    await afterFrames(page);
    await afterFrames(page);
    await expect(viewer(page)).toContainText('2 de 3');
    await expect(second).toBeInViewport();
  }
});

test.describe('without its script', () => {
  // The browser's own page for an image has inline styles, which the image's content security policy forbids.
  test.use({ expectedErrors: [/ERR_FAILED|^Applying inline style/] });

  test('an image opens alone', async ({ openImages }) => {
    const page = await openImages();
    await page.route('**/image-viewer-*.js', (route) => route.abort());
    await link(page, 'El mar').click();
    await expect(page).toHaveURL(/\/files\/images\/foto0[^/]*\.png$/);
  });
});

test('when the comment is deleted while its images are open, the focus is on the next one', async ({
  openImages,
  deleteImages,
}) => {
  const page = await openImages();
  await link(page, 'El mar').click();
  await expect(viewer(page)).toBeVisible();
  // An image requested after the deletion would be missing.
  const images = viewer(page).locator('img');
  await expect
    .poll(() => images.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).complete)))
    .toEqual([true, true, true]);
  await deleteImages();
  await expect(viewer(page)).toHaveCount(0);
  await expect(page.locator('#comentario-2')).toBeFocused();
});

test.describe('when the session ends', () => {
  test.use({ expectedErrors: [/401/] });

  test('the message is over the images, and its button is used once they are closed', async ({
    forum,
    openImages,
  }) => {
    const bruno = await forum.person('Bruno');
    const page = await openImages({}, bruno);
    // Typed text keeps the page from reloading by itself.
    await commentField(page).fill('A medias');
    await link(page, 'El mar').click();
    await expect(viewer(page)).toBeVisible();
    await endSession(forum, bruno);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    const message = page.getByText('Tu sesión ha terminado.');
    await expect(message).toBeVisible();
    expect(await message.evaluate((element) => element.matches(':popover-open *'))).toBe(true);
    await viewer(page).getByRole('button', { name: 'Cerrar', exact: true }).click();
    await expect(viewer(page)).toHaveCount(0);
    await statusBar(page).getByRole('button', { name: 'Recargar' }).click();
    await expect(page.getByText('Si deseas comentar debes')).toBeVisible();
  });
});
