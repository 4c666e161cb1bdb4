import type { Page } from '@playwright/test';
import type { StoredFile } from '../../../src/shared/images.ts';
import { assetRoutes, pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum } from '../../forum/forum.ts';
import { commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, oncePerForum, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { plainImage } from '../images.ts';
import { afterFrames } from '../network.ts';

const alts = ['El mar', '', 'Un prado'];

/** A person with three stored images, the second of them without alternative text. */
const imagesOf = oncePerForum(async (forum) => {
  const ana = await forum.person('Ana Belén');
  const images: { url: string; alt: string }[] = [];
  for (const [index, alt] of alts.entries()) {
    const { name, buffer } = await plainImage(`foto${index}.png`, `#${index}255aa`);
    const response = await forum.upload(ana, buffer, { filename: name, use: 'comment' });
    const { fullPath } = (await response.json()) as StoredFile;
    images.push({ url: assetRoutes.file(fullPath), alt });
  }
  // Keeps the images visible when a test deletes its own comment.
  await forum.comment(ana, (await openChannel(forum, ana))._id, 'Las mismas', { images });
  return { ana, images };
});

/** A channel with a comment that has these images, and another comment. */
async function channelWithImages(forum: Forum) {
  const { ana, images } = await imagesOf(forum);
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, 'Tres fotos', { images });
  await forum.comment(ana, _id, 'Otro');
  return { ana, channelId: _id };
}

const link = (page: Page, name: string) =>
  commentsShown(page).first().getByRole('link', { name, exact: true });
const viewer = (page: Page) => page.getByRole('dialog', { name: 'Imágenes del comentario' });
const imageAt = (page: Page, place: number) =>
  viewer(page)
    .locator('img')
    .nth(place - 1);

test('an image opens over the page; arrow keys and buttons lead to the others, Escape back to its link, as does a click beside it', async ({
  forum,
  page,
}) => {
  const { channelId } = await channelWithImages(forum);
  await page.goto(pageRoutes.channel(channelId));
  const { href } = await link(page, 'El mar').evaluate(({ href }: HTMLAnchorElement) => ({ href }));
  await link(page, 'El mar').press('Enter');
  await expect(imageAt(page, 1)).toBeInViewport();
  await expect(viewer(page)).toContainText('1 de 3 El mar');
  const heard = await viewer(page).ariaSnapshot();
  expect(heard.split('El mar'), 'heard once').toHaveLength(2);
  await expect(viewer(page).getByRole('link', { name: 'Ver a tamaño completo' })).toHaveAttribute(
    'href',
    new URL(href).pathname,
  );
  await expect(viewer(page).getByRole('button', { name: 'Cerrar' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(imageAt(page, 2)).toBeInViewport();
  await expect(imageAt(page, 2)).toHaveAccessibleName('Imagen 2 de 3 del comentario');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page)).toContainText('3 de 3 Un prado');
  await expect(imageAt(page, 3)).toBeInViewport();
  await expect(imageAt(page, 1)).not.toBeInViewport();
  await page.keyboard.press('ArrowLeft');
  await expect(viewer(page)).toContainText('2 de 3');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toHaveCount(0);
  await expect(link(page, 'El mar')).toBeFocused();

  await link(page, 'Un prado').click();
  await expect(imageAt(page, 3)).toBeInViewport();
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
  forum,
  page,
}) => {
  const { channelId } = await channelWithImages(forum);
  await page.setViewportSize({ width: 375, height: 500 });
  await page.goto(pageRoutes.home);
  await page.goto(pageRoutes.channel(channelId));
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
    // The page goes back by itself, which takes longer than the images take to disappear.
    await expect.poll(() => page.evaluate(() => history.state?.isOfImages)).not.toBe(true);
  }
  expect(await states()).toBe(length);
  // Unlike `page.goBack`, this is relative to the entry in which closing has left the page.
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(pageRoutes.home);
});

test('images that are closed at the moment they are shown leave no history entry', async ({
  forum,
  page,
}) => {
  const { channelId } = await channelWithImages(forum);
  await page.goto(pageRoutes.channel(channelId));
  await expect(timesAgo(page).first()).toBeVisible();
  const isClosed = page.evaluate(() => {
    const { showModal } = HTMLDialogElement.prototype;
    const { promise, resolve } = Promise.withResolvers<void>();
    HTMLDialogElement.prototype.showModal = function () {
      showModal.call(this);
      this.addEventListener('close', () => resolve());
      this.close();
    };
    // As on a slow machine, React's effects after painting run late.
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function (message: unknown) {
      setTimeout(() => postMessage.call(this, message), 100);
    };
    return promise;
  });
  await link(page, 'El mar').click();
  await isClosed;
  await expect(page.locator('dialog')).toHaveCount(0);
  expect(await page.evaluate(() => history.state?.isOfImages)).not.toBe(true);
});

test.describe('on a phone', () => {
  // The browser's own page for an image has inline styles, which the image's content security policy forbids.
  test.use({ expectedErrors: [/ERR_FAILED|^Applying inline style/] });

  test('a swipe leads to the next image, which stays when the phone is turned; without its script, an image opens alone', async ({
    forum,
    openAs,
  }) => {
    const { channelId } = await channelWithImages(forum);
    const page = await openAs(null, { viewport: { width: 375, height: 667 }, hasTouch: true });
    await page.goto(pageRoutes.channel(channelId));
    await page.route('**/image-viewer-*.js', (route) => route.abort());
    await link(page, 'El mar').tap();
    await expect(page).toHaveURL(/\/files\/images\/foto0[^/]*\.png$/);
    await page.unrouteAll();

    await page.goBack();
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
    // The finger rests before it is lifted: at what speed it moved would depend on how busy the machine is.
    for (let x = 40; x <= 45; x++) {
      await afterFrames(page);
      await touch('touchMove', x);
    }
    await touch('touchEnd');
    await expect(viewer(page)).toContainText('2 de 3');
    const second = imageAt(page, 2);
    await expect(second).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 667, height: 375 });
    await afterFrames(page);
    await afterFrames(page);
    await expect(viewer(page)).toContainText('2 de 3');
    await expect(second).toBeInViewport();
  });
});
