import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { editComment } from '../../forum/edit-comment.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { commentField, fillWithComments, numberedComments, sendButton } from '../comments.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { holdRequests } from '../network.ts';
import { endSession, openWithNews, signInByForm } from '../people.ts';
import {
  channelWith,
  commentShown,
  replyButton,
  replyField,
  replyForm,
  select,
  sendReplyButton,
} from '../replies.ts';
import { statusBar } from '../status-bar.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage));

async function deleteComment(forum: Forum, { token }: Person, { _id }: Channel, number: number) {
  const { status } = await forum.call('DELETE', apiRoutes.channelComment(_id, number), { token });
  expect(status).toBe(204);
}

test('what is typed moves with the one composer, and outlives a reload', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno', 'Dos', 'Tres']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).fill('Al final');
  await replyButton(page, 1).click();
  await expect(commentShown(page, 1).getByRole('textbox')).toHaveValue('Al final');
  await replyButton(page, 3).click();
  await expect(replyForm(page)).toHaveCount(1);
  await expect(commentShown(page, 3).getByRole('textbox')).toBeFocused();
  await page.reload();
  await expect(commentShown(page, 3).getByRole('textbox')).toHaveValue('Al final');
  await button(page, 'Dejar de responder a este comentario').press('Enter');
  await expect(commentField(page)).toHaveValue('Al final');
  await expect(commentField(page)).toBeFocused();
  await sendButton(page).click();
  await expect(commentShown(page, 4)).toContainText('Al final');
  await expect(commentShown(page, 4)).not.toContainText('En respuesta');
  expect(await storedKeys(page)).toEqual([]);
});

test('an upload continues while the composer moves', async ({ forum, openAs }) => {
  const { ana, channel } = await channelWith(forum, ['Uno']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  const held = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
  await page.getByLabel('Añadir imágenes').setInputFiles(await plainImage('mar.png', '#2255aa'));
  await expect.poll(() => held.requests.length).toBe(1);
  await replyButton(page, 1).click();
  await expect(commentShown(page, 1).getByText('mar.png')).toBeVisible();
  held.release();
  await expect(commentShown(page, 1).getByLabel('Texto alternativo de la imagen 1')).toBeVisible();
  expect(held.requests).toHaveLength(1);
});

test('editing a comment, or replying to another one, asks before typed text is lost', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno', 'Dos']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).fill('A medias');
  const edit = async () => {
    await commentShown(page, 1)
      .getByRole('button', { name: /^Más acciones/ })
      .click();
    await button(page, 'Editar').click();
  };
  const question = page.getByText('¿Descartar lo que escribías?');
  const field = commentShown(page, 1).getByRole('textbox', { name: 'Edita tu comentario' });
  await edit();
  await expect(question).toBeVisible();
  await button(page, 'Seguir escribiendo').press('Enter');
  await expect(commentField(page)).toBeFocused();
  await expect(commentField(page)).toHaveValue('A medias');
  await edit();
  await button(page, 'Descartar').click();
  await expect(field).toHaveValue('Uno');
  await expect(field).toBeFocused();
  await replyButton(page, 2).click();
  await expect(replyField(page)).toHaveValue('');
  await edit();
  await field.fill('Uno cambiado');
  await replyButton(page, 2).click();
  await expect(question).toBeVisible();
  await button(page, 'Descartar').click();
  await expect(commentShown(page, 2).getByRole('textbox')).toHaveValue('');
});

test('a reply whose original is not loaded is at the end, with a link to it', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, []);
  await fillWithComments(forum, ana, channel, numberedComments(120));
  const page = await openAs(ana);
  await page.goto(commentLink(channel._id, 110));
  await replyButton(page, 110).click();
  await replyField(page).fill('Para luego');
  await page.goto(pageRoutes.channel(channel._id));
  await expect(replyField(page)).toHaveValue('Para luego');
  await page.getByRole('link', { name: 'En respuesta al comentario n.º 110' }).click();
  await expect(commentShown(page, 110).getByRole('textbox')).toHaveValue('Para luego');
  await expect(commentShown(page, 110)).toBeInViewport();
  await sendReplyButton(page).click();
  await expect(commentShown(page, 121)).toContainText('Para luego');
});

/** Opens a reply to n.º 3 and scrolls on to n.º 20. @returns the uppermost comment in view and its position */
async function readOn(page: Page): Promise<{ number: number; top: number }> {
  await replyButton(page, 3).click();
  await replyField(page).fill('Al tres');
  await commentShown(page, 20).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const saved = () => page.evaluate(() => history.state?.scrollPosition);
  await expect
    .poll(async () => {
      const position = await saved();
      return position && (await topOf(page, position.n)) === position.offset;
    })
    .toBe(true);
  const { n, offset } = await saved();
  return { number: n, top: offset };
}

const topOf = async (page: Page, number: number) =>
  Math.round((await commentShown(page, number).boundingBox())?.y ?? 0);

/** The browser scrolls by whole pixels. */
const expectTop = (page: Page, number: number, top: number) =>
  expect.poll(async () => Math.abs((await topOf(page, number)) - top)).toBeLessThanOrEqual(1);

test.describe('a session that has ended', () => {
  test.use({ expectedErrors: [/status of 401/] });

  test('moves nothing while a reply is typed, and leads back to the reply after signing in again', async ({
    forum,
    openAs,
  }) => {
    const { ana, channel } = await channelWith(forum, numberedComments(30));
    const page = await openAs(ana, { viewport: { width: 375, height: 667 } });
    const url = pageRoutes.channel(channel._id);
    await openWithNews(page, url);
    const { number, top } = await readOn(page);
    await openWithNews(page, url, () => page.reload());
    await expect(replyField(page)).toHaveValue('Al tres');
    await expectTop(page, number, top);
    await endSession(forum, ana);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(statusBar(page).getByRole('button', { name: 'Recargar' })).toBeVisible();
    await expect(replyField(page)).toHaveValue('Al tres');
    await expectTop(page, number, top);
    await statusBar(page).getByRole('button', { name: 'Recargar' }).click();
    await expect(replyField(page)).toHaveCount(0);
    await expectTop(page, number, top);
    await statusBar(page).getByRole('link', { name: 'Iniciar sesión' }).click();
    await signInByForm(page, ana.email, ana.password);
    await statusBar(page)
      .getByRole('link', { name: /^Volver a / })
      .click();
    await expect(page).toHaveURL(url);
    await expect(replyField(page)).toHaveValue('Al tres');
  });
});

test('a reply whose original is deleted says so, and can be published as a new comment or discarded', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno', 'Dos', 'Tres']);
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  await replyButton(page, 1).click();
  await replyField(page).fill('Al uno');
  await page.getByLabel('Añadir imágenes').setInputFiles(await plainImage('mar.png', '#2255aa'));
  await expect(page.getByLabel('Texto alternativo de la imagen 1')).toBeVisible();
  await replyField(page).focus();
  await deleteComment(forum, ana, channel, 1);
  await expect(commentShown(page, 1)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText(
    'El comentario al que respondías se ha eliminado.',
  );
  await expect(replyField(page)).toHaveValue('Al uno');
  await expect(replyField(page)).toBeFocused();
  await expect(page.getByLabel('Texto alternativo de la imagen 1')).toBeVisible();
  await button(page, 'Publicar como comentario nuevo').click();
  await expect(commentShown(page, 4)).toContainText('Al uno');
  await expect(commentShown(page, 4)).not.toContainText('En respuesta');
  await expect(page.getByRole('alert')).toHaveCount(0);

  // This original is deleted while the page is closed.
  await replyButton(page, 2).click();
  await replyField(page).fill('Al dos');
  await page.goto(pageRoutes.home);
  await deleteComment(forum, ana, channel, 2);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(button(page, 'Copiar')).toBeVisible();
  await button(page, 'Descartar').click();
  await expect(commentField(page)).toHaveValue('');
  expect(await storedKeys(page)).toEqual([]);
});

test('a reply that is sent while its original is deleted is not offered again', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno', 'Dos']);
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  const held = await holdRequests(page, 'PUT', `**${apiRoutes.comment}`);
  await replyButton(page, 1).click();
  await replyField(page).fill('Al uno');
  await sendReplyButton(page).click();
  await expect.poll(() => held.requests.length).toBe(1);
  await deleteComment(forum, ana, channel, 1);
  await expect(commentShown(page, 1)).toHaveCount(0);
  held.release();
  await expect(commentShown(page, 3)).toContainText('Al uno');
  await expect(commentField(page)).toHaveValue('');
  await expect.poll(() => storedKeys(page)).toEqual([]);
});

test('text typed in a channel that is then closed can be copied or discarded', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno']);
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  await replyButton(page, 1).click();
  await replyField(page).fill('Al uno');
  await forum.json('POST', apiRoutes.closeChannel(channel._id), { token: ana.token });
  const text = page.getByLabel('Lo que escribías aquí');
  await expect(text).toHaveValue('Al uno');
  await expect(replyForm(page)).toHaveCount(0);
  await forum.json('POST', apiRoutes.reopenChannel(channel._id), { token: ana.token });
  await expect(replyField(page)).toHaveValue('Al uno');
  await forum.json('POST', apiRoutes.closeChannel(channel._id), { token: ana.token });
  await button(page, 'Descartar').click();
  await expect(text).toHaveCount(0);
});

test.describe('a reply that waits for a connection', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_FAILED|status of 400/] });

  test('is sent without its quotation when the original has changed, after it was refused', async ({
    forum,
    openAs,
  }) => {
    const { ana, channel } = await channelWith(forum, ['Se cambia', 'Se queda']);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(replyButton(page, 1)).toBeVisible();
    await page.context().setOffline(true);
    await select(page, 1, 'Se cambia');
    await replyButton(page, 1).click();
    await replyField(page).fill('Según dices');
    await sendReplyButton(page).click();
    await expect(replyField(page)).toHaveAttribute('readonly');
    await editComment(forum, { channelId: channel._id, number: 1 }, 'Otro texto');
    await page.context().setOffline(false);
    await expect(page.getByRole('alert')).toContainText('La cita no está en el comentario');
    await expect(replyForm(page).getByRole('link')).toHaveText('En respuesta a Ana Belén');
    await sendReplyButton(page).click();
    await expect(commentShown(page, 3)).toContainText('En respuesta a Ana Belén');
    await expect(commentShown(page, 3)).toContainText('Según dices');
  });
});
