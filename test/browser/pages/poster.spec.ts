import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { staff } from '../../forum/moderators.ts';
import { newPoll } from '../../forum/polls.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';

const dayMs = 86_400_000;

// Announcements would stand on the home page of other tests.
test.use({ forumName: 'poster' });

test('the sheet to be printed fits on two pages, whatever the texts, is whole on a phone with large print, and opens for members from the calendar', async ({
  forum,
  openAs,
}) => {
  const eva = await staff(forum);
  const face = '😀'.repeat(80);
  const { _id } = await openChannel(forum, eva, { name: 'W'.repeat(40) });
  const dates = Array.from({ length: 20 }, (_, index) => ({
    start: `${new Date(Date.now() + (index + 1) * dayMs).toISOString().slice(0, 10)}T20:30`,
  }));
  const event = { title: face, location: 'ñ'.repeat(120), allDay: false, dates };
  await changeSettings(forum, { zone: 'Europe/Madrid', name: 'W'.repeat(40) });
  await forum.comment(eva, _id, '', { event });
  for (const text of [face, 'W'.repeat(400)])
    await forum.comment(eva, _id, text, { poll: newPoll(forum) });
  for (const name of ['Dos', 'Tres']) {
    const other = await openChannel(forum, eva, { name });
    await forum.comment(eva, other._id, face);
  }
  for (const text of ['a\n'.repeat(400), face.repeat(5)])
    await forum.comment(eva, _id, text, { announcement: {} });
  const page = await openAs(eva);
  await page.goto(pageRoutes.calendar);
  await page.getByRole('link', { name: 'Cartel para imprimir' }).click();
  await expect(page.getByRole('button', { name: 'Imprimir' })).toBeVisible();
  expect(await page.getByRole('listitem').count()).toBe(11);
  await page.setViewportSize({ width: 360, height: 740 });
  for (const size of ['16pt', '32pt']) {
    const cut = await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
      const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element) =>
        scrollWidth > clientWidth || scrollHeight > clientHeight;
      return [...document.querySelectorAll('header, li, footer')].filter(isCut).length;
    }, size);
    expect(cut).toBe(0);
  }
  await page.evaluate(() => document.documentElement.removeAttribute('style'));
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2);
});
