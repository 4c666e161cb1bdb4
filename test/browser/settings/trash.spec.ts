import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { StoredFile } from '../../../src/shared/images.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { insertComments } from '../../forum/insert-comments.ts';
import { commentsShown, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { pdf, uploadFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import {
  failOnce,
  holdRequests,
  loseConnection,
  respondWithProblem,
  watchRequests,
} from '../network.ts';
import { statusBar } from '../status-bar.ts';

test('the settings list deleted comments, with their images and files, and channels, and restore them', async ({
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
    files: await uploadFiles(forum, ana, [pdf()]),
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
  await expect(trash.locator('bdi')).toHaveText(['Cine de barrio', 'acta.pdf']);
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

test.describe('the trash', () => {
  test.use({ expectedErrors: [/(ERR_CONNECTION_FAILED|status of 500) .*at \S+\/(trash|restore)/] });

  test('says what could not be loaded or restored, tries again when asked, and names an image without a text', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const uploaded = await forum.upload(ana, (await plainImage()).buffer, { use: 'comment' });
    const url = ((await uploaded.json()) as StoredFile).downloadURL;
    await forum.comment(ana, _id, '', { images: [{ url, alt: '' }] });
    await forum.json('DELETE', apiRoutes.channelComment(_id, 1), { token: ana.token });
    const page = await openAs(ana);
    const trash = page.getByRole('region', { name: 'Papelera' });
    await failOnce(page, 'GET', `**${apiRoutes.trash}`, respondWithProblem('internal_error'));
    await page.goto(pageRoutes.settings);
    await expect(trash.getByRole('alert')).toHaveText('No se pudo cargar la papelera');
    await trash.getByRole('button', { name: 'Reintentar' }).click();
    await expect(trash.getByRole('alert')).toHaveCount(0);
    await expect(trash.getByRole('img', { name: 'Imagen 1 del comentario' })).toBeVisible();
    await failOnce(page, 'POST', `**${apiRoutes.restoreComment(_id, 1)}`, loseConnection);
    const restore = trash.getByRole('button', { name: 'Recuperar: Imagen', exact: true });
    await restore.click();
    await expect(statusBar(page)).toContainText('No se pudo recuperar el comentario. No hay');
    await expect(restore).toBeFocused();
    await restore.click();
    await expect(trash).toContainText('No has eliminado nada');
  });

  test('loads the rest once when asked, says why it could not, and loads it when asked again', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const deleted = { deleted_at_ms: forum.services.now() };
    await insertComments(forum, _id, ana.id, 25, () => deleted);
    const page = await openAs(ana);
    await page.goto(pageRoutes.settings);
    const trash = page.getByRole('region', { name: 'Papelera' });
    const items = trash.getByRole('listitem');
    const more = trash.getByRole('link', { name: 'Ver más' });
    await expect(items).toHaveCount(20);
    const asked = watchRequests(page, 'GET', apiRoutes.trash);
    const rest = `**${apiRoutes.trash}?after=*`;
    await failOnce(page, 'GET', rest, loseConnection);
    await more.click();
    await expect(trash.getByRole('alert')).toHaveText(/^No hay conexión/);
    await expect(items).toHaveCount(20);
    const tab = page.context().waitForEvent('page');
    await more.click({ modifiers: ['Control'] });
    await (await tab).close();
    expect(asked).toHaveLength(1);
    const held = await holdRequests(page, 'GET', rest);
    await more.click();
    await expect(trash.getByRole('alert')).toHaveCount(0);
    await expect(more).toHaveAttribute('aria-busy', 'true');
    await more.dispatchEvent('click');
    held.release();
    await expect(items).toHaveCount(25);
    await expect(more).toHaveCount(0);
    expect(asked).toHaveLength(2);
  });
});
