import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { StoredFile } from '../../../src/shared/images.ts';
import { assetRoutes, pageRoutes } from '../../../src/shared/routes.ts';
import { sendButton, sendComment } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { holdRequests } from '../network.ts';

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('not shown');
  return box;
}

/** The size of an element's letters in pixels. */
const lettersOf = (locator: Locator) =>
  locator.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));

/** Sets the size of the text in the browser, of which 106.25 % is the usual one. */
const setTextSize = (page: Page, size: string) =>
  page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);

test('the comment button is a quarter as wide as its form; in text of 200 % its label, icons and the buttons of images grow, and the text of an image is read to its end with the keyboard', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person();
  const { _id } = await openChannel(forum, ana);
  const { buffer } = await plainImage('mar.png', '#2255aa');
  const response = await forum.upload(ana, buffer, { filename: 'mar.png', use: 'comment' });
  const { fullPath } = (await response.json()) as StoredFile;
  const alt = 'Una ola rompe contra el espigón. '.repeat(9).trim();
  await forum.comment(ana, _id, 'Una foto', { images: [{ url: assetRoutes.file(fullPath), alt }] });
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  const send = sendButton(page);
  await expect(send).toBeVisible();
  for (const [width, leastLetters] of [
    [1080, 17],
    [375, 15],
    [320, 12],
  ] as const) {
    await page.setViewportSize({ width, height: 640 });
    const [button, form, label] = [
      await boxOf(send),
      await boxOf(page.locator('form').filter({ has: send })),
      await boxOf(send.getByText('Comentar')),
    ];
    expect(button.width / form.width, `${width} px`).toBeCloseTo(0.25, 2);
    const air = (button.width - label.width) / 2;
    expect(air, `beside the label at ${width} px`).toBeGreaterThanOrEqual(3);
    expect(await lettersOf(send), `letters at ${width} px`).toBeGreaterThanOrEqual(leastLetters);
  }

  const before = await lettersOf(send);
  const icon = page.getByRole('button', { name: /^Cambiar a tema/ }).locator('svg:visible');
  const { width } = await boxOf(icon);
  await setTextSize(page, '212.5%');
  expect(await lettersOf(send)).toBeCloseTo(2 * before, 0);
  expect((await boxOf(icon)).width).toBeGreaterThan(width * 1.5);
  const isClipped = await send.evaluate(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  );
  expect(isClipped).toBe(false);

  await page.getByRole('link', { name: alt, exact: true }).click();
  const viewer = page.getByRole('dialog');
  const close = viewer.getByRole('button', { name: 'Cerrar' });
  const closeBox = await boxOf(close);
  expect(closeBox.width).toBeGreaterThan(60);
  expect(closeBox.height).toBe(closeBox.width);
  const text = viewer.getByRole('region', { name: 'Qué se ve en la foto' });
  expect((await boxOf(text)).width).toBeGreaterThan(280);
  await text.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const hasEnd = await text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const end = [...range.getClientRects()].at(-1);
    const box = element.getBoundingClientRect();
    return end !== undefined && end.bottom <= box.bottom + 1 && end.top >= box.top;
  });
  expect(hasEnd).toBe(true);
  await expect(viewer.getByRole('link', { name: 'Ver a tamaño completo' })).toBeInViewport({
    ratio: 1,
  });
  await close.focus();
  await page.keyboard.press('Tab');
  await expect(text).toBeFocused();
});

test('while a comment is sent, its button shows a spinner and not its label, with forced colours too', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person();
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(pageRoutes.channel(_id));
  const { requests, release } = await holdRequests(page, 'PUT', `**${apiRoutes.comment}`);
  await sendComment(page, 'Hola');
  await expect.poll(() => requests.length).toBe(1);
  const send = sendButton(page);
  await expect(send).toHaveAttribute('aria-busy', 'true');
  await expect(send).toHaveAccessibleName('Comentar');
  await expect(send.getByText('Comentar')).toHaveCSS('opacity', '0');
  release();
});

test("on narrow screens the tools of others' comments take one row, and the mark of unread ones covers neither text nor tools, even in large text", async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Guadalupe Ríos Peralta de la Serna y Toro');
  const bruno = await forum.person('Bruno');
  const { _id } = await openChannel(forum, ana);
  for (const text of ['Uno', 'Dos', 'Tres']) await forum.comment(ana, _id, text);
  const body = { channelId: _id, number: 1 };
  await forum.call('PUT', apiRoutes.reads, { token: bruno.token, body });
  const page = await openAs(bruno);
  await page.goto(pageRoutes.channel(_id));
  const reply = page.getByRole('button', { name: /^Responder/ });
  await expect(reply).toHaveCount(3);
  await expect(page.locator('#nuevo span')).toHaveText('2 nuevos');
  for (const [width, size] of [
    [375, '106.25%'],
    [320, '106.25%'],
    [320, '212.5%'],
  ] as const) {
    await page.setViewportSize({ width, height: 700 });
    await setTextSize(page, size);
    if (size === '106.25%') {
      expect((await boxOf(reply.first().locator('..'))).height, `${width} px`).toBe(44);
    }
    const covered = await page.evaluate(() => {
      const mark = document.querySelector('#nuevo span')?.getBoundingClientRect();
      if (!mark) return ['no mark'];
      const isCovered = ({ left, right, top, bottom }: DOMRect) =>
        left < mark.right && right > mark.left && top < mark.bottom && bottom > mark.top;
      const parts = [
        ...document.querySelectorAll('#comentario-1 button'),
        ...document.querySelectorAll('#comentario-2 :is(bdi, time)'),
      ];
      return parts
        .filter((part) => [...part.getClientRects()].some(isCovered))
        .map(({ textContent }) => textContent);
    });
    expect(covered, `${width} px, ${size}`).toEqual([]);
  }
});
