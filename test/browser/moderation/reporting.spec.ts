import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { decideRow } from '../../forum/decide-row.ts';
import { commentField, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { failOnce, loseConnection, watchRequests } from '../network.ts';
import { signOut } from '../people.ts';

test.use({ forumName: 'reporting' });

const menuOf = (page: Page, number: number) =>
  page.getByRole('button', { name: new RegExp(`^Más acciones: n\\.º ${number},`) });
const report = (page: Page) => page.getByRole('button', { name: 'Denunciar', exact: true });
const reason = (page: Page, name: string) => page.getByRole('radio', { name });
const send = (page: Page) => page.getByRole('button', { name: 'Enviar', exact: true });
const outcomeLink = (page: Page) =>
  page.getByRole('link', { name: 'Ver en qué queda mi denuncia' });

test('a guest reports a comment by keyboard, and reads later what was decided', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['Uno', 'Comprad aquí']);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(timesAgo(page).first()).toBeVisible();
  await menuOf(page, 2).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Compartir', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(report(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(reason(page, 'Publicidad')).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Lo ha puesto en tres canales');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(send(page)).toBeFocused();
  const sent = page.waitForResponse(`**${apiRoutes.reports}`);
  await page.keyboard.press('Enter');
  const { receipt } = await (await sent).json();
  await expect(page.getByText('Gracias. El equipo de moderación lo va a mirar.')).toBeVisible();

  await outcomeLink(page).click();
  await expect(page.getByText('El equipo de moderación aún no ha decidido')).toBeVisible();
  await decideRow(forum, { action: 'hide', receipt });
  await page.reload();
  await expect(page.getByText('Ya está decidido: Contenido ocultado.')).toBeVisible();
});

test.describe('what is open on a comment', () => {
  test.use({ expectedErrors: [/net::ERR_/] });

  test('a menu that is open stays closed once its comment comes back, and the panels of somebody who signs out without a connection are not shown to a guest', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await writeComments(forum, ana, channel, ['Uno', 'Dos']);
    const page = await openAs(await forum.person('Luis Paz'));
    await page.goto(pageRoutes.channel(channel._id));
    await expect(commentField(page)).toBeVisible();
    await menuOf(page, 2).click();
    await expect(report(page)).toBeVisible();
    const { token } = ana;
    await forum.json('DELETE', apiRoutes.channelComment(channel._id, 2), { token });
    await expect(page.locator('#comentario-2')).toHaveCount(0);
    await commentField(page).fill('Sigo');
    await forum.json('POST', apiRoutes.restoreComment(channel._id, 2), { token });
    await expect(page.locator('#comentario-2')).toBeVisible();
    await expect(commentField(page)).toBeFocused();
    await expect(report(page)).toHaveCount(0);

    await menuOf(page, 1).click();
    await report(page).click();
    await expect(reason(page, 'Publicidad')).toBeVisible();
    await page.context().setOffline(true);
    await signOut(page);
    await expect(reason(page, 'Publicidad')).toHaveCount(0);
  });
});

test('a report that is being typed stays while the menu of another comment opens another one', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['Uno', 'Dos']);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(timesAgo(page).first()).toBeVisible();
  const form = (number: number) => page.locator(`#comentario-${number} form`);
  await menuOf(page, 1).click();
  await report(page).click();
  await form(1).getByLabel('Explicación').fill('A medias');
  await menuOf(page, 1).click();
  await expect(menuOf(page, 1)).toHaveAttribute('aria-expanded', 'true');
  await menuOf(page, 2).click();
  await expect(menuOf(page, 1)).toHaveAttribute('aria-expanded', 'false');
  await report(page).click();
  await form(2).getByRole('button', { name: 'Cancelar' }).click();
  await expect(form(2)).toHaveCount(0);
  await expect(page.locator('#comentario-2')).toBeFocused();
  await expect(form(1).getByLabel('Explicación')).toHaveValue('A medias');
});

test.describe(() => {
  test.use({ expectedErrors: [/status of 400|Failed to load/] });

  test('a report of illegal content explains it and gives name, address and good faith, and is sent once, with all that was typed', async ({
    page,
    forum,
  }) => {
    const channel = await openChannel(forum, await forum.person('Ana Belén'));
    await page.goto(pageRoutes.channel(channel._id));
    await expect(timesAgo(page).first()).toBeVisible();
    await page.getByRole('button', { name: 'Opciones del canal' }).click();
    await report(page).click();
    await reason(page, 'Contenido ilegal').check();
    const explanation = page.getByLabel('Explica por qué es ilegal');
    await explanation.fill('Vende lo que no se puede');
    const name = page.getByLabel('Tu nombre');
    await name.fill('   ');
    await page.getByLabel('Tu correo electrónico').fill('luz@ejemplo.es');
    await reason(page, 'Otra cosa').check();
    await expect(name).toBeHidden();
    await reason(page, 'Contenido ilegal').check();
    await expect(page.getByLabel('Tu correo electrónico')).toHaveValue('luz@ejemplo.es');
    await send(page).click();
    const faith = page.getByLabel('Lo digo de buena fe');
    await expect(faith).toBeFocused();
    await faith.check();
    await send(page).click();
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(/vacío/);
    await name.fill('Luz');

    await failOnce(page, 'POST', `**${apiRoutes.reports}`, loseConnection);
    await send(page).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('No se pudo enviar la denuncia.');
    await expect(explanation).toHaveValue('Vende lo que no se puede');
    await page.getByRole('button', { name: 'Cancelar' }).click();
    await expect(page.getByText('¿Descartar')).toBeVisible();
    await page.getByRole('button', { name: 'Seguir editando' }).click();
    const sent = watchRequests(page, 'POST', apiRoutes.reports);
    await send(page).dblclick();
    await expect(outcomeLink(page)).toBeVisible();
    expect(sent).toHaveLength(1);
  });
});

test('people with an account report others in menus, and not themselves', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const luis = await forum.person('Luis Paz');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, luis, channel, ['Mío']);
  await writeComments(forum, ana, channel, ['Suyo']);
  const page = await openAs(luis);
  const option = page.getByRole('button', { name: 'Denunciar', exact: true });
  await page.goto(pageRoutes.channel(channel._id));
  await page.getByRole('button', { name: /^Más acciones: n\.º 1,/ }).click();
  const remove = page.getByRole('button', { name: 'Eliminar', exact: true });
  await expect(remove).toBeVisible();
  await expect(option).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(remove).toHaveCount(0);
  await page.getByRole('button', { name: 'Opciones del canal' }).click();
  await expect(page.getByRole('button', { name: 'Ocultar', exact: true })).toHaveCount(0);
  await option.click();
  await reason(page, 'Insultos o acoso').check();
  await send(page).click();
  await expect(outcomeLink(page)).toBeVisible();
  await page.getByRole('button', { name: 'Cerrar aviso' }).click();
  await page.goto(pageRoutes.user(luis.id));
  await expect(page.getByText('Aún no ha creado ningún canal.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Más acciones' })).toHaveCount(0);
  await page.goto(pageRoutes.user(ana.id));
  await page.getByRole('button', { name: 'Más acciones' }).click();
  await option.click();
  await reason(page, 'Otra cosa').check();
  const sent = page.waitForResponse(`**${apiRoutes.reports}`);
  await send(page).click();
  const { receipt } = await (await sent).json();
  await expect(outcomeLink(page)).toBeVisible();

  await decideRow(forum, { action: 'silence', receipt });
  await page.goto(pageRoutes.settings);
  const reports = page.getByRole('region', { name: 'Tus denuncias' }).getByRole('listitem');
  await expect(reports).toHaveText([
    /^Otra cosa.+Ya está decidido: Cuenta sin poder escribir\.$/,
    /^Insultos o acoso.+El equipo de moderación aún no ha decidido\.$/,
  ]);
});
