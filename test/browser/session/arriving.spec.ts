import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { expect, test } from '../fixtures.ts';

test.use({ forumName: 'arriving' });

test('a person without a code is told whom to ask, even when a link leads there', async ({
  page,
  forum,
}) => {
  const contact = `${'larguisima'.repeat(8)}@foro.example`;
  await changeSettings(forum, { contact });
  await page.goto(pageRoutes.login);
  await page.getByRole('link', { name: 'Recuperar el acceso' }).click();
  const advice = page.getByRole('listitem').filter({ hasText: 'Si no tienes códigos' });
  const link = advice.getByRole('link', { name: contact });
  await expect(link).toHaveAttribute('href', `mailto:${contact}`);
});
