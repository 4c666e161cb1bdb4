import type { Locator, Page } from '@playwright/test';
import type { Channel } from '../../src/shared/channels.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import {
  commentField,
  commentsShown,
  commentTexts,
  numberedComments,
  sendComment,
  writeComments,
} from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import type { OpenStreams } from './open-streams.ts';

test.use({ forumName: 'reading' });

/** Opens the channel's page and waits until it has subscribed to new comments. */
async function follow(page: Page, { _id }: Channel, streams: OpenStreams): Promise<void> {
  await page.goto(pageRoutes.channel(_id));
  await expect.poll(() => streams.readersOf(_id)).toBe(1);
}

const topOf = (locator: Locator) =>
  locator.evaluate((element) => Math.round(element.getBoundingClientRect().top));
const newComments = (page: Page, count: number) =>
  page.getByRole('button', {
    name: count === 1 ? '1 comentario nuevo' : `${count} comentarios nuevos`,
    exact: true,
  });

test('while the comment form has the focus, nothing moves when comments arrive, and a button shows them', async ({
  forum,
  openAs,
  streams,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, numberedComments(12));
  const page = await openAs(bruno, { viewport: { width: 375, height: 420 } });
  await follow(page, channel, streams);
  await commentField(page).click();
  const places = async () => [
    await topOf(commentField(page)),
    await topOf(commentsShown(page).nth(11)),
    await page.evaluate(() => scrollY),
  ];
  const before = await places();
  await commentField(page).pressSequentially('Estoy ');
  await writeComments(forum, ana, channel, numberedComments(1, 13));
  await expect(newComments(page, 1)).toBeAttached();
  await writeComments(forum, ana, channel, numberedComments(4, 14));
  await expect(newComments(page, 5)).toBeAttached();
  await commentField(page).pressSequentially('escribiendo');
  expect(await places()).toEqual(before);
  await expect(commentsShown(page)).toHaveCount(12);
  await expect(commentField(page)).toHaveValue('Estoy escribiendo');

  await newComments(page, 5).click();
  await expect(commentsShown(page)).toHaveCount(17);
  await expect(commentsShown(page).nth(12)).toBeFocused();
  await expect(newComments(page, 5)).toHaveCount(0);
  expect(await commentTexts(page)).toEqual(numberedComments(17));
});

test('an own comment stands below those that arrived while it was written, and is in view', async ({
  forum,
  openAs,
  streams,
}) => {
  const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, numberedComments(3));
  const page = await openAs(bruno, { viewport: { width: 375, height: 667 } });
  await follow(page, channel, streams);
  await commentField(page).click();
  await writeComments(forum, ana, channel, numberedComments(6, 4));
  await expect(newComments(page, 6)).toBeAttached();
  await sendComment(page, 'comentario 010');
  await expect(commentsShown(page)).toHaveCount(10);
  expect(await commentTexts(page)).toEqual(numberedComments(10));
  await expect(commentsShown(page).nth(9)).toBeInViewport();
  await expect(newComments(page, 6)).toHaveCount(0);
});

test('comments appear at once when no form has the focus', async ({ forum, openAs, streams }) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const page = await openAs(await forum.person('Bruno Paz'));
  await follow(page, channel, streams);
  await commentField(page).click();
  await writeComments(forum, ana, channel, numberedComments(1));
  await expect(newComments(page, 1)).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await writeComments(forum, ana, channel, numberedComments(1, 2));
  await expect(commentsShown(page)).toHaveCount(2);
  await expect(newComments(page, 1)).toHaveCount(0);
});
