import type { Page } from '@playwright/test';
import { commentLink } from '../../../src/shared/routes.ts';
import type { Forum } from '../../forum/forum.ts';
import {
  commentTexts,
  earlierComments,
  fillWithComments,
  moreComments,
  numberedComments,
} from '../comments.ts';
import { openChannel } from '../community.ts';
import { test as base, expect, oncePerForum } from '../fixtures.ts';

const count = 230;

const test = base.extend<{ longChannel: string }>({
  longChannel: async ({ forum }, use) => use(await longChannelOf(forum)),
});

const longChannelOf = oncePerForum(async (forum) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana, { name: 'Largo' });
  await fillWithComments(forum, ana, channel, numberedComments(count));
  await hide(forum, channel._id, 77);
  return channel._id;
});

async function hide(forum: Forum, channelId: string, number: number): Promise<void> {
  const { db } = forum.services;
  await db
    .deleteFrom('comments')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .execute();
  await db
    .updateTable('channels')
    .set({ comment_count: count - 1 })
    .where('id', '=', channelId)
    .execute();
}

const comment = (page: Page, number: number) => page.locator(`#comentario-${number}`);
const note = (page: Page) => page.getByText('Ese comentario ya no está.').filter({ visible: true });

/** Distance from the top of the window, in CSS pixels. */
const topOf = (page: Page, number: number) =>
  comment(page, number).evaluate((element) => Math.round(element.getBoundingClientRect().top));

test("a link to a comment shows it with ten before it, focused and marked; 'Anteriores' and 'Ver los siguientes' load in place without moving what is read; a link to a comment that is gone says so in its place", async ({
  page,
  longChannel,
}) => {
  await page.goto(commentLink(longChannel, 154));
  await expect(comment(page, 154)).toBeInViewport();
  await expect(comment(page, 154)).toBeFocused();
  await expect(comment(page, 154)).toHaveAttribute('data-linked');
  const [farthest = ''] = await commentTexts(page);
  expect(Number(farthest.slice(-3))).toBeLessThanOrEqual(144);
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(comment(page, 154)).toHaveCSS('outline-style', 'solid');
  await expect(comment(page, 154)).not.toHaveCSS('outline-color', 'rgba(0, 0, 0, 0)');
  await page.emulateMedia({ forcedColors: 'none' });

  await earlierComments(page).scrollIntoViewIfNeeded();
  const first = Number((await commentTexts(page))[0]?.slice(-3));
  const top = await topOf(page, first);
  await earlierComments(page).focus();
  await page.keyboard.press('Enter');
  await expect(comment(page, first - 1)).toBeFocused();
  expect(Math.abs((await topOf(page, first)) - top)).toBeLessThanOrEqual(1);

  const last = Number((await commentTexts(page)).at(-1)?.slice(-3));
  await moreComments(page).scrollIntoViewIfNeeded();
  const lastTop = await topOf(page, last);
  await moreComments(page).focus();
  await page.keyboard.press('Enter');
  await expect(comment(page, last + 1)).toBeFocused();
  expect(Math.abs((await topOf(page, last)) - lastTop)).toBeLessThanOrEqual(1);
  const numbers = (await commentTexts(page)).map((text) => Number(text.slice(-3)));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));

  await page.goto(commentLink(longChannel, 155).replace('#', '%23'));
  await expect(comment(page, 155), 'passed on with its # encoded').toBeInViewport();
  await expect(comment(page, 155)).toHaveAttribute('data-linked');

  await page.goto(commentLink(longChannel, 77));
  await expect(note(page)).toHaveCount(1);
  await expect(note(page)).toBeInViewport();
  await expect(comment(page, 76)).toBeInViewport();
  await expect(comment(page, 78)).toBeInViewport();
  await page.goto(commentLink(longChannel, 5000));
  await expect(note(page), 'beyond the newest').toBeInViewport();
  await expect(comment(page, count)).toBeInViewport();
});
