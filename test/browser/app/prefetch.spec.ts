import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import type { Forum } from '../../forum/forum.ts';
import { commentTexts, numberedComments, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { openHome } from '../hydration.ts';
import { holdRequests, watchRequests } from '../network.ts';

/** Longer than every delay before a prefetch. */
const longEnoughMs = 5_000;

const cardLink = (page: Page, { name }: Channel) => page.getByRole('link', { name, exact: true });

/** Opens home and stops the clock: only `page.clock.runFor` advances it. */
async function openStill(page: Page): Promise<void> {
  await page.clock.install();
  await openHome(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + longEnoughMs);
}

const responseOf = (page: Page, { _id }: Channel) =>
  page.waitForResponse((response) => new URL(response.url()).pathname === apiRoutes.channel(_id));

/** Hovers the channel's card until the channel has been prefetched. */
async function prefetch(page: Page, channel: Channel): Promise<void> {
  const responded = responseOf(page, channel);
  await cardLink(page, channel).hover();
  await page.clock.runFor(longEnoughMs);
  await (await responded).finished();
  await page.clock.runFor(longEnoughMs);
}

/** A channel with three comments and a name of its own. */
async function openNamed(forum: Forum): Promise<Channel> {
  const ana = await forum.person();
  const channel = await openChannel(forum, ana, { name: `Canal ${crypto.randomUUID()}` });
  await writeComments(forum, ana, channel, numberedComments(3));
  return channel;
}

test('a channel is prefetched once, when its card is hovered for a moment; once opened it shows its comments before any further response, and newer ones then', async ({
  page,
  forum,
}) => {
  const channel = await openNamed(forum);
  await openStill(page);
  const prefetches = watchRequests(page, 'GET', apiRoutes.channel(channel._id));
  await cardLink(page, channel).hover();
  await page.mouse.move(0, 0);
  await page.clock.runFor(longEnoughMs);
  expect(prefetches, 'while the pointer only passes').toEqual([]);
  await prefetch(page, channel);
  for (let times = 0; times < 2; times += 1) {
    await page.mouse.move(0, 0);
    await cardLink(page, channel).hover();
    await page.clock.runFor(longEnoughMs);
  }
  expect(prefetches).toHaveLength(1);

  await writeComments(forum, await forum.person('Bruno Paz'), channel, ['Llego tarde']);
  const { requests, release } = await holdRequests(page, 'GET', /\/api\//);
  await cardLink(page, channel).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(channel.name);
  expect(await commentTexts(page)).toEqual(numberedComments(3));
  // The open page still fetches the current comments.
  await expect.poll(() => requests.length).toBe(1);
  release();
  const shown = async () => {
    // Comments that have arrived are added by a timer.
    await page.clock.runFor(100);
    return commentTexts(page);
  };
  await expect.poll(shown).toEqual([...numberedComments(3), 'Llego tarde']);
});
