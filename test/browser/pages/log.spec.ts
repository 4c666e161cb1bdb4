import { pageRoutes } from '../../../src/shared/routes.ts';
import { decideRow } from '../../forum/decide-row.ts';
import { expect, test } from '../fixtures.ts';

test.use({ forumName: 'log' });

test('the log lists decisions without names, and continues by a link', async ({ page, forum }) => {
  const ana = await forum.person('Ana Belén');
  for (let index = 0; index < 60; index += 1) {
    await decideRow(forum, { action: index === 59 ? 'hide' : 'silence', accountId: ana.id });
  }
  await page.goto(pageRoutes.log);
  const entries = page.getByRole('main').getByRole('listitem');
  await expect(entries).toHaveCount(50);
  await expect(entries.first()).toContainText('Contenido ocultado');
  await expect(entries.first()).toContainText('Otra cosa');
  await expect(page.getByText('menos lo que aprueban o dejan como está')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Ana Belén');
  await page.getByRole('link', { name: 'Siguientes' }).click();
  await expect(entries).toHaveCount(10);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Siguientes' })).toHaveCount(0);
  await page.goBack();
  await expect(entries).toHaveCount(50);
});
