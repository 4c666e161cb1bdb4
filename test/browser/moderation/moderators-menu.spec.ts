import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { commentsShown, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { loseConnection } from '../network.ts';
import { openWithNews, signInByForm } from '../people.ts';
import { statusBar } from '../status-bar.ts';

test.use({ forumName: 'moderators-menu' });

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });

async function choose(page: Page, menu: string | RegExp, action: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  await button(page, action).click();
}

const ofComment = (number: number) => new RegExp(`^Más acciones: n\\.º ${number},`);

/** Fills in the reason for the decision and submits it. */
async function decide(page: Page, action: string): Promise<void> {
  await page.getByLabel('Motivo').fill('Va contra las normas');
  await button(page, action).click();
}

test('a moderator hides a comment in its menu, by keyboard, and undoes it', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['Uno', 'Comprad', 'Tres']);
  const page = await openAs(await makeStaff(forum));
  await openWithNews(page, pageRoutes.channel(channel._id));
  await page.getByRole('button', { name: ofComment(2) }).focus();
  await page.keyboard.press('Enter');
  await button(page, 'Ocultar').focus();
  await expect(button(page, 'Versiones anteriores')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Categoría')).toBeFocused();
  await page.getByLabel('Motivo').focus();
  await page.keyboard.type('Publicidad repetida');
  await page.keyboard.press('Control+Enter');
  await expect(commentsShown(page)).toHaveCount(2);
  await expect(page.locator('#comentario-3')).toBeFocused();
  await button(page, 'Deshacer').click();
  await expect(commentsShown(page)).toHaveCount(3);
  await expect(page.getByText('Decisión deshecha')).toBeVisible();
});

test.describe('in the menu of a channel', () => {
  test.use({ expectedErrors: [/status of 404 .* at \S+\/api\/channels\//] });

  test('a moderator who silences the author of a channel stays in it, and one who hides it no longer sees it until that is undone', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const { _id, name } = await openChannel(forum, ana);
    const page = await openAs(await makeStaff(forum));
    await openWithNews(page, pageRoutes.channel(_id));
    const heading = page.getByRole('heading', { level: 1 });
    const silence = 'No dejar escribir a Ana Belén';
    await choose(page, 'Opciones del canal', silence);
    await expect(page.getByLabel('Motivo')).toHaveAccessibleDescription('Lo leerá Ana Belén.');
    await decide(page, silence);
    await expect(statusBar(page)).toBeVisible();
    await expect(heading).toHaveText(name);
    await choose(page, 'Opciones del canal', 'Ocultar');
    await decide(page, 'Ocultar');
    await expect(heading).toHaveText('Página no encontrada');
    await button(page, 'Deshacer').click();
    await expect(page.getByText('Decisión deshecha')).toBeVisible();
    await page.goto(pageRoutes.home);
    await page.goBack();
    await expect(heading).toHaveText(name);
  });
});

test('every action of a menu can be reached in a low window', async ({ forum, openAs }) => {
  const ana = await forum.person('Ana Belén');
  const page = await openAs(await makeStaff(forum, 'admin'));
  await openWithNews(page, pageRoutes.user(ana.id));
  for (const [width, height] of [
    [320, 480],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await button(page, 'Más acciones').click();
    const actions = page.getByRole('list', { name: 'Más acciones' }).getByRole('button');
    await expect(actions.first()).toBeFocused();
    await expect(actions.first()).toBeInViewport({ ratio: 1 });
    for (const action of await actions.all()) await action.click({ trial: true });
    await page.keyboard.press('Escape');
    await expect(button(page, 'Más acciones')).toBeFocused();
  }
});

/** A channel by Ana with these comments by her, and a function with which another moderator hides one of them. */
async function channelWith(forum: Forum, texts: string[]) {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, texts);
  const { token } = await makeStaff(forum);
  const hide = (number: number) => {
    const subject = { kind: 'comment', id: `${channel._id}-${number}` };
    const body = { subject, action: 'hide', reason: 'Fuera de lugar' };
    return forum.json('POST', apiRoutes.decisions, { token, body });
  };
  return { channel, hide };
}

test.describe('a decision', () => {
  test.use({ expectedErrors: [/net::ERR_|status of 40[14]/] });

  test('is undone by a second press when the connection was lost at the first, and refused in the form once the role was lost', async ({
    forum,
    openAs,
  }) => {
    const { channel } = await channelWith(forum, ['Uno', 'Dos']);
    const staff = await makeStaff(forum);
    const page = await openAs(staff);
    await openWithNews(page, pageRoutes.channel(channel._id));
    await choose(page, ofComment(2), 'Ocultar');
    await decide(page, 'Ocultar');
    await page.route('**/api/moderation/**', loseConnection);
    await button(page, 'Deshacer').click();
    await expect(statusBar(page)).toContainText('No se pudo deshacer');
    await page.unrouteAll();
    await button(page, 'Deshacer').click();
    await expect(statusBar(page)).toContainText('Decisión deshecha');
    await expect(commentsShown(page)).toHaveCount(2);

    await choose(page, 'Opciones del canal', 'Ocultar');
    const { db } = forum.services;
    await db.updateTable('accounts').set({ role: 'member' }).where('id', '=', staff.id).execute();
    await decide(page, 'Ocultar');
    await expect(page.getByRole('alert')).toContainText(
      'Ya no formas parte del equipo de moderación.',
    );
  });
});

test.describe('on the page of hidden content', () => {
  // The page fetches a channel or person again after a change.
  test.use({ expectedErrors: [/status of 404 .* at \S+\/api\/(channels|users)\//] });

  test('a channel is hidden, and shown again', async ({ forum, openAs }) => {
    const ana = await forum.person('Ana Belén');
    const { _id, name } = await openChannel(forum, ana, { name: 'Ofertas' });
    const page = await openAs(await makeStaff(forum));
    await openWithNews(page, pageRoutes.channel(_id));
    await choose(page, 'Opciones del canal', 'Ocultar');
    await decide(page, 'Ocultar');
    const missing = page.getByRole('heading', { level: 1, name: 'Página no encontrada' });
    await expect(missing).toBeFocused();
    await button(page, 'Deshacer').click();
    await expect(page.getByText('Decisión deshecha')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  });

  test('everything that a spammer wrote is hidden from the page of the person with one decision, after which moderators decide there and undo it', async ({
    forum,
    openAs,
    page: guest,
  }) => {
    const ana = await forum.person('Ana Belén');
    const spammer = await forum.person('Gana Ya');
    const channel = await openChannel(forum, ana);
    await writeComments(forum, spammer, channel, ['Uno', 'Dos']);
    await guest.goto(pageRoutes.channel(channel._id));
    await expect(commentsShown(guest)).toHaveCount(2);
    const page = await openAs(await makeStaff(forum));
    await openWithNews(page, pageRoutes.user(spammer.id));
    await choose(page, 'Más acciones', 'Ocultar todo lo de Gana Ya');
    await decide(page, 'Ocultar todo lo de Gana Ya');
    await expect(statusBar(page)).toContainText('Cuenta ocultada por completo');
    const hidden = page.getByText('Todo lo de Gana Ya está oculto');
    await expect(hidden.locator('bdi'), 'isolated').toHaveText('Gana Ya');
    await expect(guest.getByText('Aún no hay comentarios')).toBeVisible();
    await choose(page, /^Más acciones/, 'Suspender a Gana Ya');
    await decide(page, 'Suspender a Gana Ya');
    await expect(statusBar(page)).toContainText('Cuenta suspendida');
    await page.getByRole('main').getByRole('button', { name: 'Deshacer' }).click();
    await page.getByLabel('Motivo').fill('No era publicidad');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('heading', { name: 'Gana Ya' })).toBeVisible();
    await expect(commentsShown(guest)).toHaveCount(2);
  });
});

test('an admin makes a password link, of which its owner is told, and changes a role, whose badge is separate from the name', async ({
  forum,
  openAs,
  page: guest,
}) => {
  const ana = await forum.person('Ana Belén');
  const admin = await makeStaff(forum, 'admin');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['Hola']);
  const page = await openAs(admin);
  await openWithNews(page, pageRoutes.user(ana.id));
  await choose(page, 'Más acciones', 'Copiar enlace para contraseña nueva');
  const link = page.getByRole('region', { name: 'Aviso' }).getByRole('link');
  await expect(link).toHaveText(/\/password#./);
  await guest.goto(pageRoutes.login);
  await signInByForm(guest, ana.email, ana.password);
  await expect(statusBar(guest)).toContainText('dio un enlace para poner una contraseña nueva');
  await expect(statusBar(guest).getByRole('link', { name: 'Ver' })).toBeVisible();

  await choose(page, 'Más acciones', 'Añadir al equipo de moderación');
  await expect(statusBar(page)).toContainText('Ahora forma parte del equipo de moderación');
  await expect(page.getByText('Moderación', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Más acciones' }).click();
  await expect(button(page, 'Quitar del equipo de moderación')).toBeVisible();
  await expect(button(page, 'Copiar enlace para contraseña nueva')).toHaveCount(0);
  await page.goto(pageRoutes.channel(channel._id));
  const comment = commentsShown(page).first();
  await expect(comment.getByRole('link', { name: 'Ana Belén', exact: true })).toBeVisible();
  await expect(comment.getByText('Moderación', { exact: true })).toBeVisible();
});

test('an admin who gives somebody the administration is asked first, and can undo it', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const page = await openAs(await makeStaff(forum, 'admin'));
  await openWithNews(page, pageRoutes.user(ana.id));
  const badge = (name: string) => page.getByRole('main').getByText(name, { exact: true });
  const question = page.getByText('¿Dar la administración a Ana Belén?');
  await choose(page, 'Más acciones', 'Añadir al equipo de administración');
  await expect(question).toBeVisible();
  await expect(button(page, 'Cancelar')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await choose(page, 'Más acciones', 'Añadir al equipo de administración');
  await button(page, 'Dar la administración').click();
  await expect(statusBar(page)).toContainText('Ahora forma parte del equipo de administración');
  await expect(badge('Administración')).toBeVisible();
  await button(page, 'Deshacer').click();
  await expect(statusBar(page)).toContainText('Ya no forma parte del equipo');
  await expect(badge('Administración')).toHaveCount(0);

  await choose(page, 'Más acciones', 'Añadir al equipo de administración');
  await button(page, 'Dar la administración').click();
  await expect(badge('Administración')).toBeVisible();
  await choose(page, 'Más acciones', 'Dejar solo en moderación');
  await expect(badge('Moderación')).toBeVisible();
});
