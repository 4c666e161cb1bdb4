import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import { commentsShown, writeComments } from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';

test('the settings list deleted comments and channels, and restore them', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana, { name: 'Cine de barrio' });
  const empty = await openChannel(forum, ana, { name: 'Vacío' });
  await writeComments(forum, ana, channel, ['Uno', 'Se fue sin querer']);
  await forum.json('DELETE', apiRoutes.channelComment(channel._id, 2), { token: ana.token });
  await forum.json('DELETE', apiRoutes.channel(empty._id), { token: ana.token });
  const page = await openAs(ana);
  await page.goto(pageRoutes.settings);
  const bin = page.getByRole('region', { name: 'Papelera' });
  await expect(bin.getByRole('listitem')).toContainText([
    /Canal.*Vacío.*Se puede recuperar hasta el \d+ \w+ \d{4}/s,
    /Comentario en Cine de barrio.*Se fue sin querer/s,
  ]);
  await bin.getByRole('button', { name: 'Recuperar: Se fue sin querer' }).click();
  await expect(bin.getByRole('listitem')).toHaveCount(1);
  await expect(bin.getByRole('heading')).toBeFocused();
  await bin.getByRole('button', { name: 'Recuperar: Vacío' }).press('Enter');
  await expect(bin).toContainText('No has eliminado nada');
  await page.getByRole('region', { name: 'Aviso' }).getByRole('link', { name: 'Vacío' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vacío');
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(page)).toHaveCount(2);
});
