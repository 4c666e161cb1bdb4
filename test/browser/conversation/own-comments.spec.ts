import type { BrowserContextOptions, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Comment } from '../../../src/shared/comments.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { commentField, commentsShown, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import {
  afterFrames,
  failOnce,
  holdRequests,
  loseAnswer,
  loseConnection,
  watchRequests,
} from '../network.ts';
import { statusBar } from '../status-bar.ts';

const editField = (page: Page) => page.getByRole('textbox', { name: 'Edita tu comentario' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const detach = 'Dejar de cambiar este comentario';
const refused = 'No se pudieron guardar los cambios. Ese comentario no existe o ya no está.';
const shown = (page: Page, index: number) => commentsShown(page).nth(index);

async function choose(page: Page, number: number, action: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Más acciones: n\\.º ${number},`) }).click();
  await button(page, action).click();
}

type OpenAs = (person: Person, options?: BrowserContextOptions) => Promise<Page>;

/** Opens, as Ana, a channel in which she has written these comments. */
async function openAsAna(
  forum: Forum,
  openAs: OpenAs,
  texts = ['Uno'],
  options?: BrowserContextOptions,
) {
  const ana = await forum.person('Ana Belén');
  const [first] = await writeComments(forum, ana, await openChannel(forum, ana), texts);
  if (!first) throw new Error('no comment');
  const page = await openAs(ana, options);
  await page.goto(pageRoutes.channel(first.channelId));
  return { ana, first, channelId: first.channelId, page };
}

function edit(forum: Forum, { token }: Person, comment: Comment, text: string): Promise<Comment> {
  const path = apiRoutes.channelComment(comment.channelId, comment.number);
  const headers = { 'if-match': `"${comment.revision}"` };
  return forum.json('PATCH', path, { token, headers, body: { comment: text } });
}

test('people edit their comment in its place, by keyboard; the edit is read-only and cannot be canceled while it is saved', async ({
  forum,
  openAs,
}) => {
  const texts = ['Uno con herrores', 'Dos'];
  const { ana, first, channelId, page } = await openAsAna(forum, openAs, texts);
  const more = page.getByRole('button', { name: 'Más acciones: n.º 1, de Ana Belén' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Compartir')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
  await choose(page, 1, 'Editar');
  await expect(editField(page)).toBeFocused();
  await expect(editField(page)).toHaveValue('Uno con herrores');
  await expect(shown(page, 0).getByRole('paragraph').getByText('herrores')).toHaveCount(0);
  await expect(commentField(page)).toHaveCount(0);
  const path = apiRoutes.channelComment(channelId, 1);
  const { requests, release } = await holdRequests(page, 'PATCH', `**${path}`);
  await editField(page).fill('Uno sin errores');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => requests.length).toBe(1);
  await expect(editField(page)).toHaveAttribute('readonly');
  await page.keyboard.press('Escape');
  await expect(button(page, 'Descartar')).toHaveCount(0);
  release();
  await expect(shown(page, 0)).toContainText('Uno sin errores');
  await expect(editField(page)).toHaveCount(0);
  await expect(shown(page, 0)).toBeFocused();
  await expect(commentField(page)).toHaveValue('');
  await expect(page.getByRole('status').getByText('Cambios guardados')).toBeVisible();
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);

  await expect(shown(page, 0).getByText('editado')).toHaveCount(0);
  const luis = await forum.person('Luis Paz');
  await forum.comment(luis, channelId, 'Así es', { replyTo: 1 });
  await edit(forum, ana, { ...first, revision: 2 }, 'Uno, por fin');
  await expect(shown(page, 0)).toContainText('Uno, por fin');
  await expect(shown(page, 0).getByText('editado')).toHaveText(/editado ahora mismo$/);
});

test.describe('an edit whose page is left while it is saved', () => {
  test.use({ expectedErrors: [/net::ERR_/] });

  test('is reported as unsaved when it fails, with the text to copy; text typed after coming back stays, for the next save', async ({
    forum,
    openAs,
  }) => {
    const { channelId, page } = await openAsAna(forum, openAs);
    const leave = async () => {
      await page.getByRole('link', { name: 'tertulia', exact: true }).click();
      await expect(page).toHaveURL(pageRoutes.home);
    };
    const path = `**${apiRoutes.channelComment(channelId, 1)}`;
    await failOnce(page, 'PATCH', path, async (route) => {
      await leave();
      await loseConnection(route);
    });
    await choose(page, 1, 'Editar');
    await editField(page).fill('Uno, mejor');
    await button(page, 'Guardar').click();
    await expect(statusBar(page)).toContainText('No se pudieron guardar los cambios. No hay');
    await expect(button(page, 'Copiar lo que escribiste')).toBeVisible();

    await page.goBack();
    await expect(editField(page)).toHaveValue('Uno, mejor');
    const { requests, release } = await holdRequests(page, 'PATCH', path);
    await button(page, 'Guardar').click();
    await expect.poll(() => requests.length).toBe(1);
    await leave();
    await page.goBack();
    await editField(page).fill('Uno, mejor y más');
    const answered = page.waitForResponse((response) => response.request() === requests[0]);
    release();
    await answered;
    await afterFrames(page);
    await expect(editField(page)).toHaveValue('Uno, mejor y más');
    await button(page, 'Guardar').click();
    await expect(editField(page)).toHaveCount(0);
    await expect(shown(page, 0)).toContainText('Uno, mejor y más');
  });
});

test('Escape asks before it discards an edit, and a reload keeps it in its comment, even when the clock of the device is days ahead', async ({
  forum,
  openAs,
}) => {
  const { page } = await openAsAna(forum, openAs);
  await choose(page, 1, 'Editar');
  await page.keyboard.press('Escape');
  await expect(editField(page)).toHaveCount(0);

  await choose(page, 1, 'Editar');
  await editField(page).fill('Uno y medio');
  await page.keyboard.press('Escape');
  const question = '¿Descartar los cambios?';
  await expect(button(page, 'Seguir editando')).toBeFocused();
  await expect(button(page, 'Seguir editando')).toHaveAccessibleDescription(question);
  await expect(page.getByRole('alert'), 'which would be heard again').toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByText(question)).toHaveCount(0);
  await expect(editField(page)).toBeFocused();
  await page.reload();
  await expect(shown(page, 0).getByRole('textbox')).toHaveValue('Uno y medio');
  await page.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() + 3 * 86_400_000;
  });
  await page.reload();
  await expect(shown(page, 0).getByRole('textbox')).toHaveValue('Uno y medio');
  await editField(page).press('Escape');
  await button(page, 'Descartar').click();
  await expect(editField(page)).toHaveCount(0);
  await choose(page, 1, 'Editar');
  await expect(editField(page)).toHaveValue('Uno');
});

test.describe('a comment that was changed elsewhere', () => {
  test.use({ expectedErrors: [/status of 412|net::ERR_/] });

  test('keeps the typed text, shows the current version, and is saved at the second attempt', async ({
    forum,
    openAs,
  }) => {
    const { ana, first, page } = await openAsAna(forum, openAs);
    await choose(page, 1, 'Editar');
    await editField(page).fill('Desde aquí');
    await edit(forum, ana, first, 'Desde el móvil');
    await button(page, 'Guardar').click();
    await expect(page.getByRole('alert')).toContainText('Ha cambiado desde que lo abriste');
    await expect(page.getByText('Así está ahora:')).toBeVisible();
    await expect(page.getByText('Desde el móvil')).toBeVisible();
    await expect(editField(page)).toHaveValue('Desde aquí');
    await page.reload();
    await expect(editField(page)).toHaveValue('Desde aquí');
    await button(page, 'Guardar').click();
    // The version from elsewhere is shown again before it is replaced.
    await expect(page.getByText('Así está ahora:')).toBeVisible();
    await button(page, 'Guardar').click();
    await expect(editField(page)).toHaveCount(0);
    await expect(shown(page, 0)).toContainText('Desde aquí');
  });

  test('only by the same edit, whose response was lost, is saved at the second attempt too', async ({
    forum,
    openAs,
  }) => {
    const { page } = await openAsAna(forum, openAs);
    await choose(page, 1, 'Editar');
    await editField(page).fill('Uno y medio');
    await failOnce(page, 'PATCH', '**/comments/1', loseAnswer);
    await button(page, 'Guardar').click();
    await expect(page.getByRole('alert')).toContainText('No hay conexión');
    await button(page, 'Guardar').click();
    await expect(statusBar(page)).toContainText('Cambios guardados');
    await expect(editField(page)).toHaveCount(0);
    await expect(page.getByText('Así está ahora:')).toHaveCount(0);
    await expect(shown(page, 0)).toContainText('Uno y medio');
  });
});

test.describe('a comment that is deleted elsewhere while it is edited', () => {
  test.use({ expectedErrors: [/status of 404|net::ERR_/] });

  test('leaves the typed text, refuses the change, and lets it become a new comment, or be copied or discarded in a closed channel', async ({
    forum,
    openAs,
  }) => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const texts = ['Uno', 'Dos', 'Tres'];
    const { ana, channelId, page } = await openAsAna(forum, openAs, texts, { permissions });
    const remove = (number: number) =>
      forum.call('DELETE', apiRoutes.channelComment(channelId, number), { token: ana.token });
    const gone = page.getByRole('alert').filter({ hasText: refused });
    const edited = (number: number) =>
      page.getByRole('link', { name: `Estás editando el comentario n.º ${number}` });
    await choose(page, 1, 'Editar');
    await editField(page).fill('Uno y medio');
    await remove(1);
    await expect(commentsShown(page)).toHaveCount(2);
    await expect(edited(1)).toBeVisible();
    await expect(editField(page)).toHaveValue('Uno y medio');
    await expect(editField(page)).toBeFocused();
    await button(page, 'Guardar').click();
    await expect(gone).toBeVisible();
    await expect(editField(page)).toHaveAccessibleDescription(new RegExp(refused));
    await button(page, detach).click();
    await expect(gone).toHaveCount(0);
    await expect(commentField(page)).toBeFocused();
    await button(page, 'Comentar').click();
    await expect(shown(page, 2)).toContainText('Uno y medio');
    await expect(commentField(page)).toHaveValue('');

    // Without a live stream, the deletion is discovered on saving.
    await page.route(`**${apiRoutes.channelLive(channelId)}*`, loseConnection);
    await page.reload();
    await choose(page, 2, 'Editar');
    await editField(page).fill('Dos y medio');
    await remove(2);
    await button(page, 'Guardar').click();
    await expect(gone).toBeVisible();
    await expect(commentsShown(page)).toHaveCount(2);
    await expect(editField(page)).toHaveValue('Dos y medio');
    await button(page, 'Cancelar').click();
    await button(page, 'Descartar').click();
    await expect(commentField(page)).toHaveValue('');

    // The deletion is discovered when the page is opened again. In a closed channel nothing new can be published.
    await choose(page, 3, 'Editar');
    await editField(page).fill('Tres y medio');
    await page.goto(pageRoutes.home);
    await remove(3);
    await forum.json('POST', apiRoutes.closeChannel(channelId), { token: ana.token });
    await page.goto(pageRoutes.channel(channelId));
    await expect(edited(3)).toBeVisible();
    await expect(editField(page)).toHaveValue('Tres y medio');
    await button(page, detach).click();
    await button(page, 'Copiar').click();
    await expect(statusBar(page)).toContainText('Copiado');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Tres y medio');
    await button(page, 'Descartar').click();
    await expect(page.locator('textarea')).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });
});

test('people delete their comment, and undoing brings it back', async ({ forum, openAs }) => {
  const { ana, channelId, page } = await openAsAna(forum, openAs, ['Uno', 'Dos']);
  await forum.comment(ana, channelId, 'Respuesta', { replyTo: 1 });
  await expect(commentsShown(page)).toHaveCount(3);
  await choose(page, 1, 'Eliminar');
  await expect(commentsShown(page)).toHaveCount(2);
  await expect(shown(page, 0)).toBeFocused();
  await expect(shown(page, 1)).toContainText('En respuesta a un comentario eliminado');
  const bar = page.getByRole('region', { name: 'Aviso' });
  await expect(bar).toContainText('Comentario eliminado');
  await bar.getByRole('button', { name: 'Deshacer' }).press('Enter');
  await expect(commentsShown(page)).toHaveCount(3);
  await expect(shown(page, 0)).toBeFocused();
  await expect(shown(page, 0)).toContainText('Uno');
  await expect(shown(page, 2)).toContainText('En respuesta a Ana Belén');

  for (const number of [2, 3]) {
    await forum.call('DELETE', apiRoutes.channelComment(channelId, number), { token: ana.token });
  }
  await expect(commentsShown(page)).toHaveCount(1);
  await choose(page, 1, 'Eliminar');
  await expect(page.getByRole('heading', { name: 'Comentarios' })).toBeFocused();
  await bar.getByRole('button', { name: 'Deshacer' }).press('Enter');
  await expect(shown(page, 0)).toBeFocused();
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/net::ERR_/] });

  test('editing, deleting, thanking and closing report the failure, keep the typed text, and work when retried', async ({
    forum,
    openAs,
  }) => {
    const { channelId, page } = await openAsAna(forum, openAs, ['Uno', 'Dos']);
    await forum.comment(await forum.person('Luis Paz'), channelId, 'Tres');
    await expect(commentsShown(page)).toHaveCount(3);
    await expect(commentField(page)).toBeVisible();
    const bar = page.getByRole('region', { name: 'Aviso' });
    const offline = 'No hay conexión con el servidor. Comprueba la conexión y vuelve a intentarlo.';
    const thanks = page.getByRole('button', { name: 'Gracias: n.º 3, de Luis Paz' });
    const chooseForChannel = async (action: string) => {
      await button(page, 'Opciones del canal').click();
      await button(page, action).click();
    };
    const calls = `**${apiRoutes.channel(channelId)}**`;
    await choose(page, 1, 'Editar');
    await editField(page).fill('Uno y medio');

    await page.route(calls, loseConnection);
    await button(page, 'Guardar').click();
    await expect(page.getByRole('alert')).toHaveText(
      `No se pudieron guardar los cambios. ${offline}`,
    );
    await expect(editField(page)).toHaveValue('Uno y medio');
    await choose(page, 2, 'Eliminar');
    await expect(bar).toContainText(`No se pudo eliminar el comentario. ${offline}`);
    await expect(shown(page, 1)).toContainText('Dos');
    await thanks.click();
    await expect(bar).toContainText(`No se pudieron dar las gracias. ${offline}`);
    await expect(thanks).toHaveAttribute('aria-pressed', 'false');
    await chooseForChannel('Cerrar canal');
    await expect(bar).toContainText(`No se pudo cerrar el canal. ${offline}`);

    await page.unroute(calls);
    // A failed save is not repeated automatically.
    const saved = watchRequests(page, 'PATCH', apiRoutes.channelComment(channelId, 1));
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.reload();
    await expect(editField(page)).toHaveValue('Uno y medio');
    await expect(button(page, 'Guardar')).toBeEnabled();
    expect(saved).toHaveLength(0);
    await button(page, 'Guardar').click();
    await expect(shown(page, 0)).toContainText('Uno y medio');
    await thanks.click();
    await expect(thanks).toHaveAttribute('aria-pressed', 'true');
    await choose(page, 2, 'Eliminar');
    await expect(bar).toContainText('Comentario eliminado');
    await chooseForChannel('Cerrar canal');
    await expect(commentField(page)).toHaveCount(0);
    await expect(commentsShown(page)).toHaveCount(2);
  });
});
