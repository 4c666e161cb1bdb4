import { pageRoutes } from '../../src/shared/routes.ts';
import { Forum } from '../forum/forum.ts';
import { expect, test } from './fixtures.ts';

const dayMs = 86_400_000;

test('a comment shows how long ago it was written, and the full date on hover', async ({
  page,
}) => {
  let agoMs = 3 * dayMs;
  const forum = await Forum.start('sqlite', {}, { now: () => Date.now() - agoMs });
  try {
    const author = await forum.person();
    const channel = await forum.channel(author);
    await forum.comment(author, channel._id, 'de hace días');
    agoMs = 0;
    await forum.comment(author, channel._id, 'de ahora');
    await page.goto(forum.url + pageRoutes.channel(channel._id));
    const timeOf = (text: string) =>
      page.getByRole('listitem').filter({ hasText: text }).locator('time');
    await expect(timeOf('de hace días')).toHaveText('hace 3 días');
    await timeOf('de hace días').hover();
    await expect(timeOf('de hace días')).toHaveAttribute(
      'title',
      /^\p{L}+, \d+ de \p{L}+ de \d{4}/u,
    );
    await expect(timeOf('de ahora')).toHaveText('ahora mismo');
  } finally {
    await page.goto('about:blank');
    await forum.stop();
  }
});

test.describe('far from the server', () => {
  test.use({ timezoneId: 'America/Bogota' });

  test("dates are those of the reader's time zone once the page lives", async ({ page }) => {
    const forum = await Forum.start('sqlite', {}, { now: () => Date.UTC(2026, 10, 20, 2) });
    try {
      const person = await forum.person();
      const url = forum.url + pageRoutes.user(person.id);
      expect(await (await page.request.get(url)).text()).toContain('20 nov 2026');
      await page.goto(url);
      await expect(page.locator('header time')).toHaveText('19 nov 2026');
    } finally {
      await page.goto('about:blank');
      await forum.stop();
    }
  });
});
