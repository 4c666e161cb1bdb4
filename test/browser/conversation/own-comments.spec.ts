import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Comment } from '../../../src/shared/comments.ts';
import type { Decision } from '../../../src/shared/moderation.ts';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { commentField, commentsShown, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { afterFrames, failOnce, holdRequests, loseConnection, watchRequests } from '../network.ts';
import { openWithNews, staffMember } from '../people.ts';
import { statusBar } from '../status-bar.ts';

const editField = (page: Page) => page.getByRole('textbox', { name: 'Edita tu comentario' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const publish = 'Publicar como comentario nuevo';
const editGone = 'El comentario que cambiabas se ha eliminado, o ya no se puede editar.';
const shown = (page: Page, index: number) => commentsShown(page).nth(index);

async function choose(page: Page, number: number, action: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Más acciones: n\\.º ${number},`) }).click();
  await button(page, action).click();
}

async function openComments(forum: Forum, ana: Person, texts: string[]): Promise<Comment[]> {
  return writeComments(forum, ana, await openChannel(forum, ana), texts);
}

function edit(forum: Forum, { token }: Person, comment: Comment, text: string): Promise<Comment> {
  const path = apiRoutes.channelComment(comment.channelId, comment.number);
  const headers = { 'if-match': `"${comment.revision}"` };
  return forum.json('PATCH', path, { token, headers, body: { comment: text } });
}

test('an own comment is edited in its place, by keyboard', async ({ forum, openAs }) => {
  const ana = await forum.person('Ana Belén');
  const luis = await forum.person('Luis Paz');
  const [first] = await openComments(forum, ana, ['Uno con herrores', 'Dos']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(first?.channelId ?? ''));
  const more = page.getByRole('button', { name: 'Más acciones: n.º 1, de Ana Belén' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Copiar enlace')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
  await choose(page, 1, 'Editar');
  await expect(editField(page)).toBeFocused();
  await expect(editField(page)).toHaveValue('Uno con herrores');
  await expect(shown(page, 0).getByRole('paragraph').getByText('herrores')).toHaveCount(0);
  await expect(commentField(page)).toHaveCount(0);
  await editField(page).fill('Uno sin errores');
  await page.keyboard.press('Control+Enter');
  await expect(shown(page, 0)).toContainText('Uno sin errores');
  await expect(editField(page)).toHaveCount(0);
  await expect(shown(page, 0)).toBeFocused();
  await expect(commentField(page)).toHaveValue('');
  await expect(page.getByRole('status').getByText('Cambios guardados')).toBeVisible();
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);

  await expect(shown(page, 0).getByText('editado')).toHaveCount(0);
  if (!first) throw new Error('no comment');
  await forum.comment(luis, first.channelId, 'Así es', { replyTo: 1 });
  await edit(forum, ana, { ...first, revision: 2 }, 'Uno, por fin');
  await expect(shown(page, 0)).toContainText('Uno, por fin');
  await expect(shown(page, 0).getByText('editado')).toHaveText(/editado ahora mismo$/);
});

test('a change is read-only while it is saved, and cannot be canceled', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const [first] = await openComments(forum, ana, ['Uno']);
  const channelId = first?.channelId ?? '';
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channelId));
  await choose(page, 1, 'Editar');
  const path = apiRoutes.channelComment(channelId, 1);
  const { requests, release } = await holdRequests(page, 'PATCH', `**${path}`);
  const alt = page.getByLabel('Texto alternativo de la imagen 1');
  await page.getByLabel('Añadir imágenes').setInputFiles(await plainImage());
  await expect(alt).toBeVisible();
  await editField(page).fill('Uno y medio');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => requests.length).toBe(1);
  await expect(editField(page)).toHaveAttribute('readonly');
  await expect(alt).toHaveAttribute('readonly');
  await expect(page.getByRole('button', { name: 'Quitar la imagen 1' })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Descartar')).toHaveCount(0);
  release();
  await expect(page.getByRole('status').getByText('Cambios guardados')).toBeVisible();
  await expect(editField(page)).toHaveCount(0);
  await expect(shown(page, 0)).toContainText('Uno y medio');
});

test('what is typed on the page that was left and opened again while a change is saved stays, to be saved next', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const [first] = await openComments(forum, ana, ['Uno']);
  const channelId = first?.channelId ?? '';
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channelId));
  await choose(page, 1, 'Editar');
  const path = apiRoutes.channelComment(channelId, 1);
  const { requests, release } = await holdRequests(page, 'PATCH', `**${path}`);
  await editField(page).fill('Uno y medio');
  await button(page, 'Guardar').click();
  await expect.poll(() => requests.length).toBe(1);
  await page.getByRole('link', { name: 'tertulia', exact: true }).click();
  await expect(page).toHaveURL(pageRoutes.home);
  await page.goBack();
  await editField(page).fill('Uno y medio y más');
  const answered = page.waitForResponse((response) => response.request() === requests[0]);
  release();
  await answered;
  await afterFrames(page);
  await expect(editField(page)).toHaveValue('Uno y medio y más');
  await button(page, 'Guardar').click();
  await expect(editField(page)).toHaveCount(0);
  await expect(shown(page, 0)).toContainText('Uno y medio y más');
});

test.describe('a change that fails after the page was left', () => {
  test.use({ expectedErrors: [/net::ERR_/] });

  test('is said to be unsaved, with the text to copy', async ({ forum, openAs }) => {
    const ana = await forum.person('Ana Belén');
    const [first] = await openComments(forum, ana, ['Uno']);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(first?.channelId ?? ''));
    await failOnce(page, 'PATCH', '**/comments/1', async (route) => {
      await page.getByRole('link', { name: 'tertulia', exact: true }).click();
      await expect(page).toHaveURL(pageRoutes.home);
      await loseConnection(route);
    });
    await choose(page, 1, 'Editar');
    await editField(page).fill('Uno, mejor');
    await button(page, 'Guardar').click();
    await expect(statusBar(page)).toContainText('No se pudieron guardar los cambios. No hay');
    await expect(button(page, 'Copiar lo que escribiste')).toBeVisible();
  });
});

test('Escape asks before it discards changes, and a reload keeps them in their comment, also when the clock of the device is days ahead', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const [first] = await openComments(forum, ana, ['Uno']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(first?.channelId ?? ''));
  await choose(page, 1, 'Editar');
  await page.keyboard.press('Escape');
  await expect(editField(page)).toHaveCount(0);

  await choose(page, 1, 'Editar');
  await editField(page).fill('Uno y medio');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toContainText('¿Descartar los cambios?');
  await expect(button(page, 'Seguir editando')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toHaveCount(0);
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
  test.use({ expectedErrors: [/status of 412/] });

  test('keeps what is typed, shows how it is now, and is saved at the second attempt', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const [first] = await openComments(forum, ana, ['Uno']);
    if (!first) throw new Error('no comment');
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(first.channelId));
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
});

test.describe('a comment that is deleted elsewhere while it is edited', () => {
  test.use({ expectedErrors: [/status of 404|net::ERR_/] });

  test('leaves what is typed, to be published as a new comment, copied or discarded', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const [first] = await openComments(forum, ana, ['Uno', 'Dos', 'Tres']);
    const channelId = first?.channelId ?? '';
    const remove = (number: number) =>
      forum.call('DELETE', apiRoutes.channelComment(channelId, number), { token: ana.token });
    const page = await openAs(ana, { permissions: ['clipboard-read', 'clipboard-write'] });
    const gone = page.getByText(editGone);
    await page.goto(pageRoutes.channel(channelId));
    await choose(page, 1, 'Editar');
    await editField(page).fill('Uno y medio');
    await remove(1);
    await expect(commentsShown(page)).toHaveCount(2);
    await expect(gone).toBeVisible();
    await expect(editField(page)).toHaveValue('Uno y medio');
    await expect(editField(page)).toBeFocused();
    await expect(editField(page)).toHaveAccessibleDescription(editGone);
    await button(page, publish).click();
    await expect(shown(page, 2)).toContainText('Uno y medio');
    await expect(gone).toHaveCount(0);
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
    await button(page, 'Copiar').click();
    await expect(statusBar(page)).toContainText('Copiado');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Dos y medio');
    await button(page, 'Descartar').click();
    await expect(commentField(page)).toHaveValue('');

    // The deletion is discovered when the page is opened again.
    await choose(page, 3, 'Editar');
    await editField(page).fill('Tres y medio');
    await page.goto(pageRoutes.home);
    await remove(3);
    await page.goto(pageRoutes.channel(channelId));
    await expect(gone).toBeVisible();
    await expect(editField(page)).toHaveValue('Tres y medio');
    await button(page, 'Descartar').click();
    await expect(commentField(page)).toHaveValue('');
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });
});

test.describe('a comment past the time for editing', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('offers no editing; text typed until then stays, to be published as a new comment', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const [first] = await openComments(forum, ana, ['Uno']);
    if (!first) throw new Error('no comment');
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(first.channelId));
    await choose(page, 1, 'Editar');
    await editField(page).fill('Tarde');
    const yesterdayMs = Date.parse(first.createdAt) - 25 * 3_600_000;
    await forum.services.db
      .updateTable('comments')
      .set({ created_at_ms: yesterdayMs })
      .where('channel_id', '=', first.channelId)
      .execute();
    await button(page, 'Guardar').click();
    await expect(page.getByRole('alert')).toHaveText(editGone);
    await expect(button(page, publish)).toBeVisible();
    await expect(editField(page)).toHaveValue('Tarde');
    // A new comment invalidates the cached page, which contains the earlier time.
    await forum.comment(ana, first.channelId, 'Dos');
    await page.reload();
    await expect(page.getByRole('alert')).toHaveText(editGone);
    await expect(editField(page)).toHaveValue('Tarde');
    await button(page, publish).click();
    await expect(shown(page, 2)).toContainText('Tarde');
    await expect(shown(page, 0)).toContainText('Uno');
    await page.getByRole('button', { name: /^Más acciones: n\.º 1,/ }).click();
    await expect(button(page, 'Eliminar')).toBeVisible();
    await expect(button(page, 'Editar')).toHaveCount(0);
  });
});

test('in a closed channel, what is typed can be copied or discarded when the comment is deleted meanwhile', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const [first] = await openComments(forum, ana, ['Uno']);
  const channelId = first?.channelId ?? '';
  await forum.json('POST', apiRoutes.closeChannel(channelId), { token: ana.token });
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channelId));
  await choose(page, 1, 'Editar');
  await editField(page).fill('Uno y medio');
  await forum.call('DELETE', apiRoutes.channelComment(channelId, 1), { token: ana.token });
  await expect(commentsShown(page)).toHaveCount(0);
  await expect(page.locator('textarea')).toHaveValue('Uno y medio');
  await expect(page.locator('textarea')).toBeFocused();
  await expect(button(page, 'Copiar')).toBeVisible();
  await expect(button(page, publish)).toHaveCount(0);
  await button(page, 'Descartar').click();
  await expect(page.locator('textarea')).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test('an own comment is deleted and comes back by undoing it', async ({ forum, openAs }) => {
  const ana = await forum.person('Ana Belén');
  const [first] = await openComments(forum, ana, ['Uno', 'Dos']);
  const channelId = first?.channelId ?? '';
  await forum.comment(ana, channelId, 'Respuesta', { replyTo: 1 });
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channelId));
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

test("others' comments can be thanked and copied as a link or without the buttons, not edited or deleted", async ({
  forum,
  openAs,
}) => {
  const [ana, luis] = [await forum.person('Ana Belén'), await forum.person('Luis Paz')];
  const [first] = await openComments(forum, ana, ['Uno', 'Dos']);
  const channelId = first?.channelId ?? '';
  const page = await openAs(luis, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(pageRoutes.channel(channelId));
  const thanks = page.getByRole('button', { name: 'Gracias: n.º 1, de Ana Belén' });
  await thanks.click();
  await expect(thanks).toHaveAttribute('aria-pressed', 'true');
  await expect(shown(page, 0)).toContainText('Gracias: tú');
  await page.reload();
  await expect(thanks).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('button', { name: /^Responder/ })).toHaveCount(2);
  await expect(shown(page, 0)).toContainText('Gracias: tú');
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => {
    const list = document.querySelector('#comentario-1')?.parentElement;
    if (list) getSelection()?.selectAllChildren(list);
  });
  await page.keyboard.press('Control+c');
  await expect.poll(clipboard).toMatch(/Ana Belén.*Uno.*Ana Belén.*Dos/s);
  expect(await clipboard()).not.toMatch(/Responder|Gracias/);

  await thanks.press('Enter');
  await expect(thanks).toHaveAttribute('aria-pressed', 'false');
  await expect(shown(page, 0)).not.toContainText(/Gracias(:| de)/);

  await choose(page, 2, 'Copiar enlace');
  await expect(page.getByRole('status').getByText('Enlace copiado')).toBeVisible();
  expect(await clipboard()).toBe(new URL(commentLink(channelId, 2), forum.url).href);
  const more = page.getByRole('button', { name: /^Más acciones: n\.º 1,/ });
  for (const isOpen of [true, false, true]) {
    await more.click();
    await expect(button(page, 'Copiar enlace')).toBeVisible({ visible: isOpen });
    await expect(more).toHaveAttribute('aria-expanded', String(isOpen));
  }
  for (const name of ['Editar', 'Eliminar']) await expect(button(page, name)).toHaveCount(0);
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/net::ERR_/] });

  test('which comments were thanked is asked again when the page gets the focus', async ({
    forum,
    openAs,
  }) => {
    const [ana, luis] = [await forum.person('Ana Belén'), await forum.person('Luis Paz')];
    const [first] = await openComments(forum, ana, ['Uno']);
    const channelId = first?.channelId ?? '';
    await forum.call('PUT', apiRoutes.thanks(channelId, 1), { token: luis.token });
    const page = await openAs(luis);
    const list = `**${apiRoutes.thanked(channelId)}?*`;
    await failOnce(page, 'GET', list, loseConnection);
    const failed = page.waitForEvent('requestfailed');
    // The part of the page that listens for the focus requests this.
    const listening = page.waitForResponse(`**${apiRoutes.news}*`);
    await page.goto(pageRoutes.channel(channelId));
    await Promise.all([failed, listening]);
    const thanks = page.getByRole('button', { name: 'Gracias: n.º 1, de Ana Belén' });
    await expect(thanks).toHaveAttribute('aria-pressed', 'false');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(thanks).toHaveAttribute('aria-pressed', 'true');
  });

  test('editing, deleting, thanking and closing say so, keep what is typed, and work when tried again', async ({
    forum,
    openAs,
  }) => {
    const [ana, luis] = [await forum.person('Ana Belén'), await forum.person('Luis Paz')];
    const [first] = await openComments(forum, ana, ['Uno', 'Dos']);
    const channelId = first?.channelId ?? '';
    await forum.comment(luis, channelId, 'Tres');
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(channelId));
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
    await expect(editField(page)).toBeVisible();

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

test('a comment that moderators hid and showed again leaves no note of that when its author deletes it', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { token } = await staffMember(forum);
  const [first] = await openComments(forum, ana, ['Uno', 'Dos']);
  const page = await openAs(ana);
  await openWithNews(page, pageRoutes.channel(first?.channelId ?? ''));
  await expect(commentsShown(page)).toHaveCount(2);
  const subject = { kind: 'comment', id: first?.id };
  const body = { subject, action: 'hide', reason: 'Insulta' };
  const { id } = await forum.json<Decision>('POST', apiRoutes.decisions, { token, body });
  const note = page.getByText('Quienes moderan han ocultado tu comentario');
  await expect(note).toBeVisible();
  await forum.json('POST', apiRoutes.undoDecision(id), { token, body: { reason: 'Un error' } });
  await expect(shown(page, 0)).toContainText('Uno');
  await choose(page, 1, 'Eliminar');
  await expect(page.getByText('Comentario eliminado').first()).toBeVisible();
  await expect(note).toHaveCount(0);
});
