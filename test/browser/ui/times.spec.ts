import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { Forum } from '../../forum/forum.ts';
import { expect, test } from '../fixtures.ts';
import { channelWith, commentShown } from '../replies.ts';

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

test("a time has the full one as its title, by the server in UTC, then in the reader's zone; Tab stops only at that of a comment, which is its link", async ({
  forum,
  openAs,
}) => {
  const { channel } = await channelWith(forum, ['Uno', 'Dos']);
  const path = pageRoutes.channel(channel._id);
  const served = await (await fetch(forum.url + path)).text();
  expect(served.match(/<time [^>]*title="[^"]*"/g)?.join()).toMatch(/, \d\d:\d\d UTC"/);
  const page = await openAs(null, { timezoneId: 'America/Mexico_City' });
  await page.goto(path);
  const times = page.locator('main time');
  await expect(times).toHaveText(['ahora mismo', 'ahora mismo', 'ahora mismo']);
  const shown = await times.evaluateAll((all) =>
    all.map((time) => {
      if (!(time instanceof HTMLTimeElement)) throw new Error('no time');
      const { title, dateTime } = time;
      const date = new Date(dateTime);
      const hour = [date.getHours(), date.getMinutes()].map((one) => `${one}`.padStart(2, '0'));
      return [title, `${date.getDate()}`, `${date.getFullYear()}, ${hour.join(':')}`];
    }),
  );
  for (const [title = '', day = '', rest = ''] of shown) {
    expect(title).toMatch(new RegExp(`^\\p{L}{3} ${day} \\p{L}+ ${rest}$`, 'u'));
  }
  expect(
    await times.evaluateAll((all) => all.map((time) => time.closest('a, button')?.localName)),
  ).toEqual([undefined, 'a', 'a']);
  const link = commentShown(page, 2).getByRole('link', { name: 'ahora mismo' });
  await link.press('Enter');
  await expect(page).toHaveURL(commentLink(channel._id, 2));
});
