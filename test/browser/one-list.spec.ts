import type { Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import type { Comment, CommentPage } from '../../src/shared/comments.ts';
import { pageRoutes, withQuery } from '../../src/shared/routes.ts';
import type { Forum } from '../forum/forum.ts';
import { operate } from '../forum/operator.ts';
import {
  commentField,
  commentsShown,
  commentTexts,
  fillWithComments,
  moreComments,
  numberedComments,
  sendComment,
  writeComments,
} from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import { holdRequests } from './network.ts';

const comment = (page: Page, number: number) => page.locator(`#comentario-${number}`);

/** Distance from the top of the window, in CSS pixels. */
const topOf = (page: Page, number: number) =>
  comment(page, number).evaluate((element) => Math.round(element.getBoundingClientRect().top));

async function channelWith(forum: Forum, count: number) {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await fillWithComments(forum, ana, channel, numberedComments(count));
  return { ana, channel };
}

/** Opens the channel with its first hundred comments, and scrolls so that this one is at the top. */
async function readUpTo(page: Page, { _id }: Channel, number: number): Promise<number> {
  await page.goto(pageRoutes.channel(_id));
  await moreComments(page).click();
  await expect(commentsShown(page)).toHaveCount(100);
  await comment(page, number).evaluate((element) =>
    scrollBy(0, element.getBoundingClientRect().top + 10),
  );
  return topOf(page, number);
}

/** Follows a link without scrolling to it. */
const follow = (page: Page, name: string) =>
  page.getByRole('link', { name }).first().dispatchEvent('click');

test('a link to the newest comments leaves the page where it is until they are loaded', async ({
  page,
  forum,
}) => {
  const { channel } = await channelWith(forum, 400);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(page)).toHaveCount(50);
  const { requests, release } = await holdRequests(
    page,
    'GET',
    `**${apiRoutes.channel(channel._id)}*`,
  );
  await follow(page, 'Ir a lo último');
  await expect.poll(() => requests.length).toBe(1);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  release();
  await expect(comment(page, 400)).toBeInViewport();
  await expect(page.locator('#ultimo')).toBeFocused();
});

test.describe('a link to the newest comments that cannot be loaded', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test('says so where the reader is, and shows them when it is tried again', async ({
    page,
    forum,
  }) => {
    const { channel } = await channelWith(forum, 400);
    await readUpTo(page, channel, 80);
    await page.route('**/comments?*', (route) => route.abort());
    await follow(page, 'Ir a lo último');
    const retry = page.getByRole('button', { name: 'Reintentar' });
    await expect(retry).toBeInViewport();
    await expect(comment(page, 80)).toBeInViewport();
    await expect(page.locator('#ultimo')).not.toBeFocused();
    await page.unroute('**/comments?*');
    await retry.click();
    await expect(comment(page, 400)).toBeInViewport();
    await expect(page.locator('#ultimo')).toBeFocused();
  });
});

test.describe('Back after a jump to the newest comments', () => {
  test('shows the comments that were loaded, where the reader was, also after a visit to another page and a reload', async ({
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
    await expect(commentsShown(page)).toHaveCount(100);
    await expect.poll(() => topOf(page, 80)).toBe(top);
    expect(await commentTexts(page)).toEqual(numberedComments(100));
    await page.goForward();
    await expect(comment(page, 400)).toBeInViewport();
    await expect(comment(page, 100)).toHaveCount(0);
    await page.goBack();
    await expect.poll(() => topOf(page, 80)).toBe(top);
    await page.reload();
    await expect(commentsShown(page)).toHaveCount(100);
    await expect.poll(() => topOf(page, 80)).toBe(top);
  });

  test('shows the next comment at the same place when others were removed meanwhile', async ({
    page,
    forum,
  }) => {
    const { channel } = await channelWith(forum, 400);
    const top = await readUpTo(page, channel, 80);
    await follow(page, 'Ir a lo último');
    await expect(comment(page, 400)).toBeInViewport();
    for (const number of [1, 5, 80, 100])
      await operate(forum, 'hide', commentId(channel._id, number));
    await page.goBack();
    await expect(commentsShown(page).last()).toHaveId('comentario-99');
    await expect(comment(page, 80)).toHaveCount(0);
    await expect.poll(() => topOf(page, 81)).toBe(top);
  });

  test('shows the range that was loaded and no more, so that its end is where it was', async ({
    page,
    forum,
  }) => {
    const { channel } = await channelWith(forum, 130);
    await page.goto(pageRoutes.channel(channel._id));
    const more = page.getByRole('link', { name: 'Ver 80 comentarios más' });
    await more.scrollIntoViewIfNeeded();
    const top = await topOf(page, 50);
    await follow(page, 'Ir a lo último');
    await expect(comment(page, 130)).toBeInViewport();
    await page.goBack();
    await expect(comment(page, 130)).toHaveCount(0);
    await expect(more).toBeInViewport();
    await expect(commentsShown(page)).toHaveCount(50);
    await expect.poll(() => topOf(page, 50)).toBe(top);
  });

  test('and Forward show each place, also when both ranges were joined meanwhile', async ({
    page,
    forum,
  }) => {
    const { channel } = await channelWith(forum, 140);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(commentsShown(page)).toHaveCount(50);
    const scrollTo = (number: number) =>
      comment(page, number).evaluate((element) =>
        scrollBy(0, element.getBoundingClientRect().top + 10),
      );
    await scrollTo(20);
    const top = await topOf(page, 20);
    await follow(page, 'Ir a lo último');
    await expect(comment(page, 140)).toBeInViewport();
    await scrollTo(130);
    const laterTop = await topOf(page, 130);
    // Saved when the scrolling has paused.
    const saved = () => page.evaluate(() => history.state.scrollPosition);
    await expect.poll(saved).toMatchObject({ number: 130 });
    await page.goBack();
    await expect(comment(page, 140)).toHaveCount(0);
    await expect.poll(() => topOf(page, 20)).toBe(top);
    // Until the range touches the later one.
    for (const shown of [100, 140]) {
      await moreComments(page).dispatchEvent('click');
      await expect(commentsShown(page)).toHaveCount(shown);
    }
    const moved = async () => Math.abs((await topOf(page, 130)) - laterTop);
    await page.goForward();
    await expect.poll(moved).toBeLessThanOrEqual(1);
    await expect.poll(saved).toMatchObject({ first: 1, number: 130 });
    await page.reload();
    await expect(comment(page, 130)).toBeInViewport();
    await expect.poll(moved).toBeLessThanOrEqual(1);
  });
});

test('an own comment beyond the list shows the newest comments, with a link back to the place before', async ({
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
  await expect(commentsShown(page)).toHaveCount(100);
  await expect.poll(async () => Math.abs((await topOf(page, 100)) - top)).toBeLessThan(400);
  await expect(comment(page, 100)).toBeInViewport();
  await expect(page.getByRole('link', { name: 'Volver a donde estabas' })).toHaveCount(0);
});

test.describe('without a live stream', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  for (const [written, name] of [
    [4, 'are shown above an own one'],
    [60, 'leave an own one on the page of the newest, with a link back'],
  ] as const) {
    test(`comments written meanwhile ${name}`, async ({ forum, openAs }) => {
      const { ana, channel } = await channelWith(forum, 5);
      const page = await openAs(await forum.person('Bruno Paz'));
      await page.route('**/live?*', (route) => route.abort());
      await page.goto(pageRoutes.channel(channel._id));
      await expect(commentField(page)).toBeEditable();
      await fillWithComments(forum, ana, channel, numberedComments(written, 6));
      await sendComment(page, 'desde aquí');
      const own = 6 + written;
      await expect(comment(page, own)).toBeInViewport();
      const texts = await commentTexts(page);
      expect(texts).toEqual([...numberedComments(own - 1), 'desde aquí'].slice(-texts.length));
      await expect(page.getByRole('link', { name: 'Volver a donde estabas' })).toHaveCount(
        written > 50 ? 1 : 0,
      );
    });
  }
});

test('of more live comments than are held, none is held and the link loads them', async ({
  forum,
  openAs,
}) => {
  test.slow();
  const { ana, channel } = await channelWith(forum, 60);
  const page = await openAs(await forum.person('Bruno Paz'));
  await page.goto(withQuery(pageRoutes.channel(channel._id), { n: 55 }));
  await commentField(page).click();
  const held = page.getByRole('button', { name: /comentarios? nuevos?/ });
  await writeComments(forum, ana, channel, numberedComments(20, 61));
  await expect(held).toHaveText('20 comentarios nuevos');
  await writeComments(forum, ana, channel, numberedComments(135, 81));
  await expect(page.getByText('215', { exact: true })).toBeVisible();
  await expect(held).toHaveCount(0);
  await expect(commentField(page)).toBeFocused();
  await moreComments(page).click();
  await expect(comment(page, 61)).toBeFocused();
});

test('a page of 5,000 comments keeps them all, and counts those that arrive after them', async ({
  page,
  forum,
}) => {
  test.slow();
  const { ana, channel } = await channelWith(forum, 4990);
  // All that follow at once, to be done sooner.
  await page.route('**/comments?*', async (route) => {
    const data: Comment[] = [];
    let after = new URL(route.request().url()).searchParams.get('after');
    while (after !== null) {
      const url = withQuery(apiRoutes.channelComments(channel._id), { after, limit: 100 });
      const page = await forum.json<CommentPage>('GET', url);
      data.push(...page.data);
      after = page.next;
    }
    await route.fulfill({ json: { data, next: null, previous: null } });
  });
  await page.goto(pageRoutes.channel(channel._id));
  // By id: roles of so many elements take seconds to compute.
  const items = page.locator('li[id^="comentario-"]');
  const more = page.locator('#ultimo a');
  // Not by `expect`: while it waits, it describes all elements of the page, which takes minutes here.
  await more.click();
  await comment(page, 4990).waitFor({ state: 'attached' });
  await more.waitFor({ state: 'detached' });
  await writeComments(forum, ana, channel, numberedComments(20, 4991));
  await more.waitFor({ state: 'attached' });
  expect(await more.innerText()).toMatch(/^Ver \d+ comentarios? más$/);
  const left = async () => Number((await more.innerText()).match(/\d+/)?.[0]);
  await expect.poll(async () => (await items.count()) + (await left())).toBe(5010);
  const count = await items.count();
  expect(count).toBeGreaterThanOrEqual(4990);
  expect(count).toBeLessThanOrEqual(5000);
  // The browser skips what is out of view, at the height that it has when it is rendered.
  await expect(comment(page, 1)).toHaveCSS('content-visibility', 'auto');
  await more.evaluate((link: HTMLElement) => link.click());
  await expect.poll(() => items.count()).toBe(5010);
});
