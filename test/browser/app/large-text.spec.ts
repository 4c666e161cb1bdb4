import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { StoredFile } from '../../../src/shared/images.ts';
import { assetRoutes, pageRoutes } from '../../../src/shared/routes.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';

test('in text of 200 % at 320 px, the label of the comment button, icons and the buttons of images grow', async ({
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
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(pageRoutes.channel(_id));
  const sizeOf = (button: Locator) =>
    button.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  await expect(sendButton(page)).toBeVisible();
  const before = await sizeOf(sendButton(page));
  const icon = page.getByRole('button', { name: /^Cambiar a tema/ }).locator('svg:visible');
  const { width = 0 } = (await icon.boundingBox()) ?? {};
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '212.5%';
  });
  expect(await sizeOf(sendButton(page))).toBeCloseTo(2 * before, 0);
  expect((await icon.boundingBox())?.width).toBeGreaterThan(width * 1.5);
  const isClipped = await sendButton(page).evaluate(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  );
  expect(isClipped).toBe(false);

  await page.getByRole('link', { name: alt, exact: true }).click();
  const viewer = page.getByRole('dialog');
  const close = await viewer.getByRole('button', { name: 'Cerrar' }).boundingBox();
  expect(close?.width).toBeGreaterThan(60);
  expect(close?.height).toBe(close?.width);
  const text = viewer.getByRole('region', { name: 'Texto alternativo' });
  expect((await text.boundingBox())?.width).toBeGreaterThan(280);
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
  // The text can be focused and scrolled with the keyboard.
  await viewer.getByRole('button', { name: 'Cerrar' }).focus();
  await page.keyboard.press('Tab');
  await expect(text).toBeFocused();
});

test('the mark of unread items covers neither text nor tools on narrow screens, even in large text', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Guadalupe Ríos Peralta de la Serna y Toro');
  const bruno = await forum.person('Bruno');
  const { _id } = await openChannel(forum, ana);
  for (const text of ['Uno', 'Dos', 'Tres']) await forum.comment(ana, _id, text);
  await forum.call('PUT', apiRoutes.reads, {
    token: bruno.token,
    body: { channelId: _id, number: 1 },
  });
  const page = await openAs(bruno);
  await page.goto(pageRoutes.channel(_id));
  await expect(page.getByRole('button', { name: /^Responder/ })).toHaveCount(3);
  await expect(page.locator('#nuevo span')).toHaveText('2 nuevos');
  for (const [width, size] of [
    [375, '106.25%'],
    [320, '212.5%'],
  ] as const) {
    await page.setViewportSize({ width, height: 700 });
    const covered = await page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
      const mark = document.querySelector('#nuevo span')?.getBoundingClientRect();
      if (!mark) return ['no mark'];
      const isCovered = ({ left, right, top, bottom }: DOMRect) =>
        left < mark.right && right > mark.left && top < mark.bottom && bottom > mark.top;
      const buttons = [...document.querySelectorAll('#comentario-1 button')].filter((button) =>
        isCovered(button.getBoundingClientRect()),
      );
      const texts = [...document.querySelectorAll('#comentario-2 bdi, #comentario-2 time')].filter(
        (text) => [...text.getClientRects()].some(isCovered),
      );
      return [...buttons, ...texts].map(({ textContent }) => textContent);
    }, size);
    expect(covered, `${width} px, ${size}`).toEqual([]);
  }
});

test('at 320 px, also in text of 200 %, the rules and the log break no words', async ({
  page,
  forum,
}) => {
  const [ana, eva] = [await forum.person(), await makeStaff(forum)];
  const { _id } = await openChannel(forum, ana);
  const subject = { kind: 'channel', id: _id };
  const body = { subject, action: 'hide', category: 'personal_data', reason: 'Teléfonos' };
  await forum.json('POST', apiRoutes.decisions, { token: eva.token, body });
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of [pageRoutes.rules, pageRoutes.log]) {
    await page.goto(path);
    for (const size of ['', '212.5%']) {
      await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize;
      }, size);
      expect(await brokenWords(page), `${path} ${size}`).toEqual([]);
    }
  }
});

/** The words in the page's lists and tables that are broken across two lines. */
const brokenWords = (page: Page) =>
  page.locator('main :is(li, th, td)').evaluateAll((elements) =>
    elements.flatMap((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const broken: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1)
            broken.push(word);
        }
      }
      return broken;
    }),
  );
