import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { commentField } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { failOnce, holdRequests, watchRequests } from '../network.ts';
import { openWithNews } from '../people.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const description = (page: Page) =>
  page.getByRole('form', { name: 'Editar canal' }).getByLabel('Descripción', { exact: true });

async function choose(page: Page, action: string): Promise<void> {
  await button(page, 'Opciones del canal').click();
  await button(page, action).click();
}

const uploadUrl = /\/api\/uploads\/[^/]+$/;

// A channel that a test pins is the first on the home page.
test.use({
  forumName: 'own-channel',
  expectedErrors: [/status of 4(00|09|12)|ERR_FAILED|tus: .*400/],
});

test('people edit name, description and cover of their channel, which outlive a reload, are read-only while they are saved, and are kept when the channel was changed elsewhere', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await choose(page, 'Editar canal');
  await expect(description(page)).toBeFocused();
  await page.getByLabel('Nombre').fill('Cine de verano');
  await description(page).fill('Al aire libre.');
  await page
    .getByLabel('Imagen de portada', { exact: true })
    .setInputFiles(await plainImage('otra.png', '#117733'));
  await expect(page.getByRole('img', { name: 'Portada subida' })).toBeVisible();
  await page.reload();
  await choose(page, 'Editar canal');
  await expect(page.getByRole('img', { name: 'Portada subida' })).toBeVisible();
  await expect(page.getByLabel('Nombre')).toHaveValue('Cine de verano');
  const { requests, release } = await holdRequests(page, 'PATCH', `**${apiRoutes.channel(_id)}`);
  await button(page, 'Guardar').click();
  await expect.poll(() => requests.length).toBe(1);
  await expect(description(page)).not.toBeEditable();
  await page.getByLabel('Imagen de portada').setInputFiles(await plainImage('tarde.png'));
  await expect(page.getByText('tarde.png')).toHaveCount(0);
  await expect(page.locator('[inert]').getByLabel('Imagen de portada')).toBeAttached();
  release();
  await expect(page.getByRole('status').getByText('Cambios guardados')).toBeVisible();
  await expect(heading(page)).toHaveText('Cine de verano');
  await expect(heading(page)).toBeFocused();
  await expect(page.getByText('Al aire libre.')).toBeVisible();
  const channel = await forum.json<Channel>('GET', apiRoutes.channel(_id));
  expect(channel).toMatchObject({ name: 'Cine de verano', revision: 2 });
  expect(channel.cover).toMatch(/otra/);

  await choose(page, 'Editar canal');
  await description(page).fill('Desde aquí');
  await forum.json('PATCH', apiRoutes.channel(_id), {
    token: ana.token,
    headers: { 'if-match': '"2"' },
    body: { description: 'Desde el móvil' },
  });
  await button(page, 'Guardar').click();
  await expect(page.getByRole('alert')).toContainText('Ha cambiado desde que lo abriste');
  await expect(page.getByText('Desde el móvil')).toBeVisible();
  await expect(description(page)).toHaveValue('Desde aquí');
  await button(page, 'Guardar').click();
  await expect(description(page)).toHaveCount(0);
  await expect(page.getByText('Desde aquí')).toBeVisible();
});

test('a closed channel says so in place of the form, also to guests, and is reopened', async ({
  forum,
  openAs,
  page: guest,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, 'Hola');
  const page = await openAs(ana);
  await guest.goto(pageRoutes.channel(_id));
  await page.goto(pageRoutes.channel(_id));
  const reply = page.getByRole('button', { name: /^Responder/ });
  await expect(reply).toHaveCount(1);
  await commentField(page).fill('A medias');
  await choose(page, 'Cerrar canal');
  const note = 'Este canal está cerrado: se puede leer, pero no comentar.';
  await expect(page.getByText(note)).toBeVisible();
  await expect(commentField(page)).toHaveCount(0);
  await expect(reply).toHaveCount(0);
  await expect(page.getByLabel('Lo que estabas escribiendo aquí')).toHaveValue('A medias');
  await expect(guest.getByText(note)).toBeVisible();
  await expect(guest.getByRole('region', { name: 'Comentarios' })).toContainText('· cerrado');
  await choose(page, 'Reabrir canal');
  await expect(commentField(page)).toHaveValue('A medias');
  await expect(guest.getByText('Si deseas comentar')).toBeVisible();
});

test('people delete their channel without comments by others, and undoing brings it back', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana, { name: 'De prueba' });
  await forum.comment(ana, _id, 'Solo yo');
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await choose(page, 'Eliminar canal');
  await expect(page).toHaveURL(pageRoutes.home);
  const bar = page.getByRole('region', { name: 'Aviso' });
  await expect(bar).toContainText('Canal eliminado');
  await bar.getByRole('button', { name: 'Deshacer' }).click();
  await bar.getByRole('link', { name: 'De prueba' }).click();
  await expect(heading(page)).toHaveText('De prueba');
  await expect(page.getByText('Solo yo')).toBeVisible();
});

test('an old channel in which others wrote keeps its name and cannot be deleted, even where the page does not know of them', async ({
  forum,
  openAs,
}) => {
  const [ana, luis] = [await forum.person('Ana Belén'), await forum.person('Luis Paz')];
  const { _id } = await openChannel(forum, ana);
  const { db } = forum.services;
  const old = { created_at_ms: 1_700_000_000_000 };
  await db.updateTable('channels').set(old).where('id', '=', _id).execute();
  const page = await openAs(ana);
  for (const url of [apiRoutes.channelLive(_id), `${apiRoutes.channel(_id)}?`])
    await page.route(
      (asked) => asked.href.includes(url),
      () => {},
    );
  await page.goto(pageRoutes.channel(_id));
  await choose(page, 'Editar canal');
  await expect(page.getByLabel('Nombre')).toHaveAttribute('readonly');
  await expect(page.getByLabel('Nombre')).toHaveAccessibleDescription(
    /solo se podía cambiar durante las primeras 24 horas/,
  );
  await description(page).fill('Nueva');
  await button(page, 'Guardar').click();
  await expect(page.getByText('Nueva')).toBeVisible();
  await forum.comment(luis, _id, 'Hola');
  await choose(page, 'Eliminar canal');
  await expect(page.getByRole('region', { name: 'Aviso' })).toContainText('pero sí cerrar');
  await expect(heading(page)).toBeVisible();

  await page.goto(pageRoutes.channel(_id));
  await button(page, 'Opciones del canal').click();
  await expect(button(page, 'Cerrar canal')).toBeVisible();
  await expect(button(page, 'Eliminar canal')).toHaveCount(0);
});

test('an edit without changes just ends, one whose cover failed asks for another, and one of a channel that changed can be sent again although it was not loaded', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  const edits = watchRequests(page, 'PATCH', apiRoutes.channel(_id));
  await choose(page, 'Editar canal');
  await button(page, 'Guardar').click();
  await expect(description(page)).toHaveCount(0);
  expect(edits).toHaveLength(0);

  await choose(page, 'Editar canal');
  await failOnce(page, 'PATCH', uploadUrl, (route) => route.fulfill({ status: 400, body: '' }));
  const cover = page.getByLabel('Imagen de portada', { exact: true });
  await cover.setInputFiles(await plainImage());
  await expect(page.getByRole('alert')).toHaveText('No se pudo subir el archivo.');
  await button(page, 'Guardar').click();
  await expect(page.getByRole('alert').last()).toContainText('Súbela otra vez o elige otra.');
  const held = await holdRequests(page, 'PATCH', uploadUrl);
  await cover.setInputFiles(await plainImage('otra.png'));
  await expect.poll(() => held.requests.length).toBe(1);
  await button(page, 'Guardar').click();
  await button(page, 'No enviar todavía').click();
  await expect(description(page)).toBeEditable();
  await button(page, 'Cancelar').first().click();
  held.release();
  expect(edits).toHaveLength(0);

  await description(page).fill('Desde aquí');
  await forum.json('PATCH', apiRoutes.channel(_id), {
    token: ana.token,
    headers: { 'if-match': '"1"' },
    body: { description: 'Desde el móvil' },
  });
  const current = new RegExp(`${apiRoutes.channel(_id)}\\?`);
  await failOnce(page, 'GET', current, (route) => route.abort());
  const conflict = page.getByText('Ha cambiado desde que lo abriste');
  await button(page, 'Guardar').click();
  await expect(conflict).toBeVisible();
  await button(page, 'Guardar').click();
  await expect(page.getByText('Desde el móvil')).toBeVisible();
  await button(page, 'Guardar').click();
  await expect(page.getByRole('status').getByText('Cambios guardados')).toBeVisible();
  await expect(page.getByText('Desde aquí')).toBeVisible();
});

test('what the menu of a channel could not do without a connection is said, and the channel stays as it was', async ({
  forum,
  openAs,
}) => {
  const ada = await makeStaff(forum, 'admin', 'Ada');
  const { _id } = await openChannel(forum, ada);
  const page = await openAs(ada);
  await page.route(`**${apiRoutes.channel(_id)}{,/*}`, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort(),
  );
  const bar = page.getByRole('region', { name: 'Aviso' });
  const fails = async (action: string, said: string) => {
    await choose(page, action);
    await expect(bar).toContainText(`${said} No hay conexión`);
  };
  await openWithNews(page, pageRoutes.channel(_id));
  await fails('Fijar en el inicio', 'No se pudo fijar el canal.');
  await fails('Cerrar canal', 'No se pudo cerrar el canal.');
  await fails('Seguir', 'No se pudo cambiar qué avisos recibes.');
  await expect(commentField(page)).toBeVisible();
  const { token } = ada;
  await forum.json('PATCH', apiRoutes.channel(_id), { token, body: { pinned: true } });
  await forum.json('POST', apiRoutes.closeChannel(_id), { token });
  await openWithNews(page, pageRoutes.channel(_id));
  await fails('Dejar de fijar', 'No se pudo dejar de fijar.');
  await fails('Reabrir canal', 'No se pudo reabrir el canal.');
  await expect(page.getByText('Este canal está cerrado')).toBeVisible();
});
