import type { Page } from '@playwright/test';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { Forum } from '../../forum/forum.ts';
import { expect, test } from '../fixtures.ts';
import { channelWith, commentShown } from '../replies.ts';
import { statusBar } from '../status-bar.ts';

const minuteMs = 60_000;

const aheadMs = -180 * minuteMs;

test("a time since is by the server's clock when that of the browser is three hours behind, and after a sleep", async ({
  page,
}) => {
  let agoMs = 30.5 * minuteMs;
  const forum = await Forum.start('sqlite', {}, { now: () => Date.now() - agoMs });
  try {
    const author = await forum.person();
    const channel = await forum.channel(author);
    agoMs = 0;
    await forum.comment(author, channel._id, 'Recién escrito');
    await page.clock.install({ time: Date.now() + aheadMs });
    await page.goto(forum.url + pageRoutes.channel(channel._id));
    const header = page.locator('header time');
    const comment = page.getByRole('listitem').filter({ hasText: 'Recién' }).locator('time');
    await expect(header).toHaveText(/^hace 3\d minutos$/);
    await expect(comment).toHaveText('ahora mismo');
    await forum.comment(author, channel._id, 'Llegado en vivo');
    const live = page.getByRole('listitem').filter({ hasText: 'en vivo' }).locator('time');
    await expect(live).toHaveText('ahora mismo');

    // `performance.now()` may stop while a device sleeps, so this changes only `Date.now()`.
    await page.clock.setSystemTime(Date.now() + aheadMs + 21 * minuteMs);
    const date = new Date(Date.now() + 21 * minuteMs).toUTCString();
    await page.route('**/healthz', (route) => route.fulfill({ json: {}, headers: { date } }));
    await page.clock.runFor(minuteMs);
    await expect(header).toHaveText(/^hace 5\d minutos$/);
    await expect(comment).toHaveText(/^hace 2\d minutos$/);
  } finally {
    await page.goto('about:blank');
    await forum.stop();
  }
});

const fullTime = /^\p{L}+, \d+ de \p{L}+ de \d{4}, \d+:\d\d$/u;
const message = (page: Page) => statusBar(page).getByRole('status');

test('a tap or a key shows the full time, also on a card, and on a comment also follows its link', async ({
  forum,
  openAs,
}) => {
  const { channel } = await channelWith(forum, ['Uno', 'Dos']);
  const page = await openAs(null, { viewport: { width: 375, height: 800 }, hasTouch: true });
  await page.goto(pageRoutes.channel(channel._id));
  await page.locator('header').getByRole('button', { name: 'ahora mismo' }).tap();
  await expect(message(page)).toHaveText(fullTime);
  await page.getByRole('button', { name: 'Cerrar aviso' }).tap();
  await expect(message(page)).toHaveCount(0);
  await commentShown(page, 2).getByRole('link', { name: 'ahora mismo' }).press('Enter');
  await expect(message(page)).toHaveText(fullTime);
  await expect(page).toHaveURL(commentLink(channel._id, 2));

  await page.goto(`${pageRoutes.home}?sort=new`);
  const time = page.getByRole('article').first().getByRole('button', { name: 'ahora mismo' });
  await time.press('Enter');
  await expect(message(page)).toHaveText(fullTime);
});
