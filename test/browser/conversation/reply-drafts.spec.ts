import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import {
  altLabel,
  commentField,
  fillWithComments,
  numberedComments,
  sendButton,
} from '../comments.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { holdRequests } from '../network.ts';
import {
  channelWith,
  commentShown,
  openChannelWith,
  replyButton,
  replyField,
  replyForm,
  sendReplyButton,
} from '../replies.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage));

async function deleteComment(forum: Forum, { token }: Person, { _id }: Channel, number: number) {
  const { status } = await forum.call('DELETE', apiRoutes.channelComment(_id, number), { token });
  expect(status).toBe(204);
}

test('typed text and uploads move with the one composer, and outlive a reload', async ({
  forum,
  openAs,
}) => {
  const { page } = await openChannelWith({ forum, openAs }, ['Uno', 'Dos', 'Tres']);
  const held = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
  await commentField(page).fill('Al final');
  await page.getByLabel('Añadir imágenes').setInputFiles(await plainImage('mar.png', '#2255aa'));
  await expect.poll(() => held.requests.length).toBe(1);
  await replyButton(page, 1).click();
  await expect(commentShown(page, 1).getByRole('textbox')).toHaveValue('Al final');
  await expect(commentShown(page, 1).getByText('mar.png')).toBeVisible();
  held.release();
  const alt = { name: altLabel() };
  await expect(commentShown(page, 1).getByRole('button', alt)).toBeVisible();
  expect(held.requests, 'the upload continues').toHaveLength(1);
  await replyButton(page, 3).click();
  await expect(replyForm(page)).toHaveCount(1);
  await expect(replyField(page)).toBeFocused();
  await page.reload();
  await expect(commentShown(page, 3).getByRole('textbox').first()).toHaveValue('Al final');
  await expect(commentShown(page, 3).getByRole('button', alt)).toBeVisible();
  await button(page, 'Dejar de responder a este comentario').press('Enter');
  await expect(commentField(page)).toHaveValue('Al final');
  await expect(commentField(page)).toBeFocused();
  await sendButton(page).click();
  await expect(commentShown(page, 4)).toContainText('Al final');
  await expect(commentShown(page, 4)).not.toContainText('En respuesta');
  await expect.poll(() => storedKeys(page)).toEqual([]);
});

test('editing a comment, or replying to another one, asks before typed text is lost', async ({
  forum,
  openAs,
}) => {
  const { page } = await openChannelWith({ forum, openAs }, ['Uno', 'Dos']);
  await commentField(page).fill('A medias');
  const edit = async () => {
    await commentShown(page, 1)
      .getByRole('button', { name: /^Más acciones/ })
      .click();
    await button(page, 'Editar').click();
  };
  const question = page.getByText('¿Descartar lo que estabas escribiendo?');
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

test('a reply whose original is deleted keeps its text and can still be sent, become a new comment or be discarded; in a closed channel it is shown again once that is reopened', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno', 'Dos', 'Tres']);
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  await replyButton(page, 1).click();
  await replyField(page).fill('Al uno');
  await replyField(page).focus();
  await deleteComment(forum, ana, channel, 1);
  await expect(commentShown(page, 1)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'En respuesta al comentario n.º 1' })).toBeVisible();
  await expect(replyField(page)).toHaveValue('Al uno');
  await expect(replyField(page)).toBeFocused();
  await sendReplyButton(page).click();
  await expect(commentShown(page, 4)).toContainText('En respuesta a un comentario eliminado');
  await expect(commentShown(page, 4)).toContainText('Al uno');

  // This original is deleted while the page is closed.
  await replyButton(page, 2).click();
  await replyField(page).fill('Al dos');
  await page.goto(pageRoutes.home);
  await deleteComment(forum, ana, channel, 2);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(replyField(page)).toHaveValue('Al dos');
  await button(page, 'Dejar de responder a este comentario').click();
  await expect(commentField(page)).toHaveValue('Al dos');
  await commentField(page).fill('');
  expect(await storedKeys(page)).toEqual([]);

  await replyButton(page, 3).click();
  await replyField(page).fill('Al tres');
  await forum.json('POST', apiRoutes.closeChannel(channel._id), { token: ana.token });
  const text = page.getByLabel('Lo que estabas escribiendo aquí');
  await expect(text).toHaveValue('Al tres');
  await expect(replyForm(page)).toHaveCount(0);
  await forum.json('POST', apiRoutes.reopenChannel(channel._id), { token: ana.token });
  await expect(replyField(page)).toHaveValue('Al tres');
  await forum.json('POST', apiRoutes.closeChannel(channel._id), { token: ana.token });
  await button(page, 'Descartar').click();
  await expect(text).toHaveCount(0);
});
