import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { NotificationSettings } from '../../../src/shared/notification-settings.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { expect, test } from '../fixtures.ts';
import { statusBar } from '../status-bar.ts';

test.use({ forumName: 'following' });

test('the settings say what people are told of in the community, and save what a person chooses instead', async ({
  forum,
  openAs,
}) => {
  await changeSettings(forum, { follow: 'all' });
  const ana = await forum.person('Ana');
  const page = await openAs(ana);
  await page.goto(pageRoutes.notifications);
  await expect(
    page.getByText('Cuando abras un canal, verás aquí cuántos comentarios nuevos hay'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Elegir de qué te avisamos' }).click();
  const section = page.getByRole('region', { name: 'De qué te avisamos' });
  const community = section.getByRole('radio', { name: 'Lo que decida la comunidad' });
  const mine = section.getByRole('radio', { name: 'Avisarme de lo mío y lo que sigo' });
  const channels = section.getByRole('checkbox', { name: 'Avisarme de los canales nuevos' });
  await expect(section.getByRole('heading')).toBeInViewport();
  await expect(community).toBeChecked();
  await expect(community).toHaveAccessibleDescription('Ahora: avisar de todo.');
  await expect(channels).toBeChecked();

  await mine.check();
  await channels.uncheck();
  await section.getByRole('button', { name: 'Guardar' }).click();
  await expect(statusBar(page)).toContainText('Guardado');
  const { token } = ana;
  const url = apiRoutes.notificationSettings;
  expect(await forum.json<NotificationSettings>('GET', url, { token })).toMatchObject({
    follow: { chosen: 'mine', community: 'all' },
    channels: false,
  });
  await page.reload();
  await expect(mine).toBeChecked();
  await expect(channels).not.toBeChecked();
});
