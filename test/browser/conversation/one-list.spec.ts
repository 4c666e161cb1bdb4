import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum } from '../../forum/forum.ts';
import {
  commentField,
  commentsShown,
  commentTexts,
  fillWithComments,
  moreComments,
  numberedComments,
  sendComment,
  writeComments,
} from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';

const comment = (page: Page, number: number) => page.locator(`#comentario-${number}`);

/** Distance from the top of the window, in CSS pixels. */
const topOf = (page: Page, number: number) =>
  comment(page, number).evaluate((element) => Math.round(element.getBoundingClientRect().top));

/** Scrolls to a comment. @returns its top, once the position is saved, which is when scrolling pauses */
async function scrollTo(page: Page, number: number): Promise<number> {
  await comment(page, number).evaluate((element) =>
    scrollBy(0, element.getBoundingClientRect().top + 10),
  );
  const offset = await topOf(page, number);
  await expect
    .poll(() => page.evaluate(() => history.state?.scrollPosition))
    .toEqual({ n: number, offset });
  return offset;
}

async function channelWith(forum: Forum, count: number) {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await fillWithComments(forum, ana, channel, numberedComments(count));
  return { ana, channel };
}

/** Opens the channel, loads more comments, and scrolls so that this one is at the top. */
async function readUpTo(
  page: Page,
  { _id }: Channel,
  number: number,
  shown = 100,
): Promise<number> {
  await page.goto(pageRoutes.channel(_id));
  await moreComments(page).click();
  await expect(commentsShown(page)).toHaveCount(shown);
  return scrollTo(page, number);
}

/** Follows a link without scrolling to it. */
const follow = (page: Page, name: string) =>
  page.getByRole('link', { name }).first().dispatchEvent('click');

/** Allows a difference of one line of text. */
const expectTop = (page: Page, number: number, top: number) =>
  expect.poll(async () => Math.abs((await topOf(page, number)) - top)).toBeLessThanOrEqual(20);

test.describe('Back to a place among later comments', () => {
  test('shows the comments around it, where it was: after a jump to the newest, after another page, after Forward, and after a reload', async ({
    page,
    forum,
  }) => {
    const { channel } = await channelWith(forum, 400);
    const top = await readUpTo(page, channel, 80);
    await follow(page, 'Ir a lo último');
    await expect(comment(page, 400)).toBeInViewport();
    await expect(page).toHaveURL(`${pageRoutes.channel(channel._id)}?n=400#ultimo`);
    await expect(moreComments(page)).toHaveCount(0);
    await expect(comment(page, 80)).toHaveCount(0);
    await follow(page, 'Tertulia');
    await expect(page).toHaveURL('/');
    await page.goBack();
    await expect(comment(page, 400)).toBeInViewport();
    await page.goBack();
    await expectTop(page, 80, top);
    await expect(page).toHaveURL(pageRoutes.channel(channel._id));
    expect(await commentTexts(page)).toEqual(numberedComments(50, 55));
    await page.goForward();
    await expect(comment(page, 400)).toBeInViewport();
    await expect(comment(page, 80)).toHaveCount(0);
    await page.goBack();
    await expectTop(page, 80, top);
    await page.reload();
    await expectTop(page, 80, top);
    expect(await commentTexts(page)).toEqual(numberedComments(50, 55));
  });

  test('also shows them from a page of another site, with comments written and removed in between', async ({
    page,
    forum,
  }) => {
    const { ana, channel } = await channelWith(forum, 81);
    const top = await readUpTo(page, channel, 60, 81);
    await page.goto('about:blank');
    for (const number of [58, 60]) {
      const path = apiRoutes.channelComment(channel._id, number);
      await forum.call('DELETE', path, { token: ana.token });
    }
    await writeComments(forum, ana, channel, numberedComments(1, 82));
    await page.goBack();
    await expectTop(page, 61, top);
    await expect(comment(page, 82)).toBeAttached();
    await expect(comment(page, 58)).toHaveCount(0);
    await expect(comment(page, 60)).toHaveCount(0);
  });
});

test("the user's own comment beyond the list shows the newest comments, with a link back to the place before", async ({
  forum,
  openAs,
}) => {
  const { channel } = await channelWith(forum, 400);
  const page = await openAs(await forum.person('Bruno Paz'));
  await readUpTo(page, channel, 80);
  await commentField(page).fill('desde aquí');
  const top = await topOf(page, 100);
  await sendComment(page, 'desde aquí');
  await expect(comment(page, 401)).toBeInViewport();
  await expect(comment(page, 401)).toBeFocused();
  await expect(comment(page, 100)).toHaveCount(0);
  await expect(moreComments(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Volver a donde estabas' }).click();
  await expect.poll(async () => Math.abs((await topOf(page, 100)) - top)).toBeLessThan(400);
  await expect(comment(page, 100)).toBeInViewport();
  await expect(comment(page, 401)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Volver a donde estabas' })).toHaveCount(0);
});
