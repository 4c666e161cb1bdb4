import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { StoredFile } from '../../../src/shared/images.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentsShown, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';

test('the settings list deleted comments, with their images, and channels, and restore them', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana, { name: 'Cine de barrio' });
  const empty = await openChannel(forum, ana, { name: 'Vacío' });
  const { buffer } = await plainImage('mar.png');
  const uploaded = await forum.upload(ana, buffer, { filename: 'mar.png', use: 'comment' });
  const url = ((await uploaded.json()) as StoredFile).downloadURL;
  await writeComments(forum, ana, channel, ['Uno']);
  await forum.comment(ana, channel._id, '> Hola\n\nSe fue sin querer', {
    images: [{ url, alt: 'El mar' }],
  });
  await forum.json('DELETE', apiRoutes.channelComment(channel._id, 2), { token: ana.token });
  await forum.json('DELETE', apiRoutes.channel(empty._id), { token: ana.token });
  const page = await openAs(ana);
  await page.goto(pageRoutes.settings);
  const trash = page.getByRole('region', { name: 'Papelera' });
  await expect(trash.getByRole('listitem')).toContainText([
    /Canal.*Vacío.*Se puede recuperar hasta el \d+ \w+ \d{4}/s,
    /Comentario en Cine de barrio.*Se fue sin querer/s,
  ]);
  await expect(trash).not.toContainText('Hola');
  const image = trash.getByRole('img', { name: 'El mar' });
  await image.scrollIntoViewIfNeeded();
  const loadedWidth = () => image.evaluate((one: HTMLImageElement) => one.naturalWidth);
  await expect.poll(loadedWidth).toBeGreaterThan(0);
  expect((await page.request.get(url)).status(), 'for anybody else').toBe(404);
  await trash.getByRole('button', { name: 'Recuperar: Se fue sin querer' }).click();
  await expect(trash.getByRole('listitem')).toHaveCount(1);
  await expect(trash.getByRole('heading')).toBeFocused();
  await trash.getByRole('button', { name: 'Recuperar: Vacío' }).press('Enter');
  await expect(trash).toContainText('No has eliminado nada');
  await expect(
    page.getByRole('region', { name: 'Aviso' }).getByRole('link', { name: 'Vacío' }),
  ).toBeVisible();
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(page).filter({ hasText: 'Se fue sin querer' })).toBeVisible();
});
