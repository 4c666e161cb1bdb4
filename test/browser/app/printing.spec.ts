import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';

test('a printed channel has its comments with authors, full times and addresses, and no controls', async ({
  forum,
  openAs,
}) => {
  const [ana, luis] = [await forum.person('Ana Belén'), await forum.person('Luis')];
  const { _id } = await openChannel(forum, ana, { name: 'Cine de barrio' });
  const address = `https://ejemplo.es/${'cartelera/'.repeat(20)}`;
  const first = await forum.comment(luis, _id, `La cartelera: ${address}`);
  await forum.json('PUT', apiRoutes.thanks(_id, first.number), { token: ana.token });
  const page = await openAs(ana, { colorScheme: 'dark' });
  await page.goto(pageRoutes.channel(_id));
  await expect(timesAgo(page).first()).toBeVisible();
  await commentField(page).fill('A medio escribir');

  // Chromium notifies the page that it is printed, which media emulation alone does not do.
  await page.pdf();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('heading', { name: 'Cine de barrio' })).toBeVisible();
  await expect(commentsShown(page).getByText('Luis', { exact: true })).toBeVisible();
  const link = commentsShown(page).getByRole('link', { name: address });
  await expect(link).toBeVisible();
  const shownTime = await commentsShown(page)
    .locator('time')
    .evaluate((time) => getComputedStyle(time, '::after').content);
  expect(shownTime).toMatch(/^"\p{L}{3} \d+ \p{L}+ \d{4}, \d+:\d+"$/u);
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(34, 28, 22)');
  for (const role of ['banner', 'contentinfo', 'textbox', 'form', 'button'] as const) {
    await expect(page.getByRole(role)).toHaveCount(0);
  }
  await expect(page.getByText('A medio escribir')).toBeHidden();
});
