import type { Locator, Page } from '@playwright/test';
import type { Channel } from '../../../src/shared/channels.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import {
  commentField,
  commentsShown,
  commentTexts,
  fillWithComments,
  numberedComments,
  writeComments,
} from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import type { OpenStreams } from '../open-streams.ts';
import { shrinkVisualViewport } from '../visual-viewport.ts';

test.use({ forumName: 'reading' });

/** Opens the channel's page and waits until it has subscribed to new comments. */
async function follow(page: Page, { _id }: Channel, streams: OpenStreams): Promise<void> {
  await page.goto(pageRoutes.channel(_id));
  await expect.poll(() => streams.readersOf(_id)).toBe(1);
}

const comment = (page: Page, number: number) => page.locator(`#comentario-${number}`);
const topOf = (locator: Locator) =>
  locator.evaluate((element) => Math.round(element.getBoundingClientRect().top));
const newComments = (page: Page) => page.getByRole('button', { name: /^\d+ nuevos?$/ });

/** The window of an iPhone, whose keyboard takes 300 px. */
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const keyboardPx = 300;

test('on a phone, the field being typed in, else the text read above the keyboard, stays in place when comments arrive; a button leads to them, and the own comment is below them and in view', async ({
  forum,
  openAs,
  streams,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const channel = await openChannel(forum, ana);
  await fillWithComments(forum, ana, channel, numberedComments(12));
  const page = await openAs(bruno, phone);
  await follow(page, channel, streams);
  const field = commentField(page);
  await field.tap();
  await shrinkVisualViewport(page, keyboardPx);
  await field.evaluate((field) => field.scrollIntoView({ block: 'center' }));
  const fieldTop = await topOf(field);
  await field.pressSequentially('comen');
  await writeComments(forum, ana, channel, numberedComments(5, 13));
  await expect(commentsShown(page)).toHaveCount(17);
  await field.pressSequentially('tario 021');
  // The browser scrolls by whole pixels.
  expect(Math.abs((await topOf(field)) - fieldTop)).toBeLessThanOrEqual(2);
  await expect(field).toHaveValue('comentario 021');

  // The field is in the window, but below the visual viewport.
  await field.evaluate((field) => {
    const { top } = field.getBoundingClientRect();
    const { offsetTop = 0, height = 0 } = visualViewport ?? {};
    scrollBy({ top: top - offsetTop - height - 60, behavior: 'instant' });
  });
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
  const read = comment(page, 17);
  const top = await topOf(read);
  await writeComments(forum, ana, channel, numberedComments(3, 18));
  await expect(commentsShown(page)).toHaveCount(20);
  expect(Math.abs((await topOf(read)) - top)).toBeLessThanOrEqual(1);
  await expect(newComments(page)).toHaveText('3 nuevos');
  // Zoomed in, the window lacks the button, unlike above a keyboard.
  await newComments(page).press('Enter');
  await expect(page.locator('#ultimo')).toBeFocused();
  await expect(comment(page, 20)).toBeInViewport();
  await expect(newComments(page)).toHaveCount(0);

  await field.press('Control+Enter');
  await expect(commentsShown(page)).toHaveCount(21);
  expect(await commentTexts(page)).toEqual(numberedComments(21));
  await expect(comment(page, 21)).toBeInViewport();
});
