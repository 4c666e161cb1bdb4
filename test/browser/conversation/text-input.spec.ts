import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, commentsShown, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import {
  coverField,
  createButton,
  descriptionField,
  titleField,
  uploadedMark,
} from '../create-form.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { holdRequests } from '../network.ts';

const option = (page: Page, name: string) => page.getByRole('option', { name });

test('text typed in a comment, a chosen name, and text of an input method in the middle of other text can be undone, redone and sent', async ({
  forum,
  openAs,
}) => {
  await forum.person('Yolanda Mar');
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  const field = commentField(page);
  await field.click();
  await page.keyboard.type('Hola @Yol');
  await option(page, 'Yolanda Mar').click();
  await expect(field).toHaveValue('Hola @Yolanda Mar ');
  await page.keyboard.type(' y más');
  await expect(field).toHaveValue('Hola @Yolanda Mar y más');

  /** Browsers undo several characters in one step. */
  const pressUntil = async (key: string, text: string) => {
    for (let count = 0; count < 50 && (await field.inputValue()) !== text; count += 1) {
      await page.keyboard.press(key);
    }
    expect(await field.inputValue()).toBe(text);
  };
  await pressUntil('Control+z', 'Hola @Yol');
  await pressUntil('Control+z', '');
  await pressUntil('Control+Shift+z', 'Hola @Yolanda Mar y más');

  const devTools = await page.context().newCDPSession(page);
  const compose = (text: string) =>
    devTools.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  for (let count = 0; count < 'más'.length; count += 1) await page.keyboard.press('ArrowLeft');
  for (const text of ['n', 'に', 'にほ', 'にほん']) {
    await compose(text);
    await expect(field).toHaveValue(`Hola @Yolanda Mar y ${text}más`);
  }
  await devTools.send('Input.insertText', { text: '日本' });
  await page.keyboard.type(', x ');
  const whole = 'Hola @Yolanda Mar y 日本, x más';
  await expect(field).toHaveValue(whole);
  await page.reload();
  await expect(field).toHaveValue(whole);
  await sendButton(page).click();
  await expect(commentsShown(page)).toContainText([whole]);
});

test('on a phone the buttons of the form stay in sight while one types, although the field fills the window', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  const viewport = { width: 375, height: 360 };
  const page = await openAs(ana, { viewport, isMobile: true, hasTouch: true });
  await page.goto(pageRoutes.channel(_id));
  await commentField(page).tap();
  await commentField(page).evaluate((field) => field.scrollIntoView({ block: 'start' }));
  for (const button of [page.getByText('Añadir imágenes'), sendButton(page)]) {
    await expect(button).toBeInViewport({ ratio: 1 });
  }
});

test('text typed before hydration replaces that of the draft, whose other fields are shown; a cover chosen before is uploaded', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  await page.goto(pageRoutes.create);
  await titleField(page).fill('De antes');
  await descriptionField(page).fill('También de antes');
  await page.goto(pageRoutes.home);
  const scripts = await holdRequests(page, 'GET', /\.js$/);
  await page.goto(pageRoutes.create, { waitUntil: 'commit' });
  await titleField(page).fill('Antes de tiempo');
  await coverField(page).setInputFiles(await plainImage());
  scripts.release();
  await expect(uploadedMark(page)).toBeVisible();
  await expect(descriptionField(page)).toHaveValue('También de antes');
  await expect(titleField(page)).toHaveValue('Antes de tiempo');
  await page.reload();
  await expect(createButton(page)).toBeEnabled();
  await expect(titleField(page)).toHaveValue('Antes de tiempo');
  await expect(descriptionField(page)).toHaveValue('También de antes');
});
