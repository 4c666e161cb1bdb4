import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, fillWithComments, numberedComments, sendComment } from '../comments.ts';
import { expect, test } from '../fixtures.ts';
import { afterFrames, holdRequests } from '../network.ts';
import { menu } from '../people.ts';
import {
  channelWith,
  commentShown,
  openChannelWith,
  replyButton,
  replyField,
  replyForm,
  replyLines,
  select,
  sendReplyButton,
} from '../replies.ts';
import { statusBar } from '../status-bar.ts';

const quoteButton = (page: Page) => page.getByRole('button', { name: /^Citar: / });
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage));

test('a reply is written below its original, links to it and is counted there', async ({
  forum,
  openAs,
}) => {
  const texts = ['El cine de verano abre el jueves.', 'Otra cosa'];
  const { channel } = await channelWith(forum, texts);
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  await replyButton(page, 1).click();
  const form = commentShown(page, 1).getByRole('form', { name: 'Escribe tu respuesta' });
  await expect(form.getByRole('link')).toHaveText('En respuesta a Ana Belén');
  await expect(form.getByRole('link')).toHaveAttribute('href', commentLink(channel._id, 1));
  await expect(replyField(page)).toBeFocused();
  await expect(replyField(page)).toHaveAccessibleDescription('En respuesta a Ana Belén');
  await page.keyboard.type('> abre\n¿A qué hora?');

  await page.reload();
  await expect(form.getByRole('link')).toHaveText('En respuesta a Ana Belén');
  await expect(replyField(page)).toHaveValue('> abre\n¿A qué hora?');
  await sendReplyButton(page).click();
  const link = commentShown(page, 3).getByRole('link', { name: /^En respuesta a Ana Belén/ });
  await expect(link).toHaveText('En respuesta a Ana Belén · El cine de verano abre el jueves.');
  await expect(link).toHaveAttribute('href', commentLink(channel._id, 1));
  await expect(replyForm(page)).toHaveCount(0);
  expect(await storedKeys(page)).toEqual([]);

  await page.reload();
  const replies = page.getByRole('button', { name: '1 respuesta a Ana Belén' });
  await replies.click();
  const listed = page.getByRole('list', { name: '1 respuesta a Ana Belén' }).getByRole('link');
  await expect(listed).toHaveText('Luis Paz¿A qué hora?');
  await expect(listed).toHaveAttribute('href', commentLink(channel._id, 3));
  await expect(replies).toHaveAttribute('aria-expanded', 'true');
});

test('a reply shows the beginning of its original, unless it is right below it; the page stays in place, and a line links to the reply', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, []);
  await fillWithComments(forum, ana, channel, numberedComments(90));
  const body = { id: channel._id, comment: 'Sí', replyTo: 90 };
  await forum.json('PUT', apiRoutes.comment, { token: ana.token, body });
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(commentLink(channel._id, 5));
  await replyButton(page, 5).click();
  await replyField(page).fill('Desde aquí');
  const topOf = async () => (await commentShown(page, 5).boundingBox())?.y ?? NaN;
  const top = await topOf();
  await page.keyboard.press('Control+Enter');
  await expect(statusBar(page)).toContainText('Respuesta enviada');
  await expect(commentShown(page, 5)).toBeFocused();
  // The comment may move by at most the height of "1 respuesta".
  expect(Math.abs((await topOf()) - top)).toBeLessThan(50);
  await statusBar(page).getByRole('link', { name: 'Ver la respuesta' }).press('Enter');
  await expect(commentShown(page, 92)).toBeFocused();
  await expect(commentShown(page, 92)).toContainText('Desde aquí');
  await expect(replyLines(page)).toHaveText([
    'En respuesta a Ana Belén',
    'En respuesta a Ana Belén · comentario 005',
  ]);
  await page.goBack();
  await expect(commentShown(page, 5)).toBeInViewport();
});

test('a reply that is in view is only announced as sent', async ({ forum, openAs }) => {
  const { page } = await openChannelWith({ forum, openAs }, ['Uno']);
  await replyButton(page, 1).click();
  await replyField(page).fill('Desde aquí');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('status').getByText('Respuesta enviada')).toBeAttached();
  await expect(commentShown(page, 2)).toBeInViewport();
  await expect(statusBar(page)).toHaveCount(0);
});

test('an open page shows the beginning of an original that is edited, here or elsewhere, and none once it is deleted', async ({
  forum,
  openAs,
}) => {
  const { ana, page, channel } = await openChannelWith({ forum, openAs }, ['Uno', 'Dos']);
  await forum.comment(ana, channel._id, 'Al uno', { replyTo: 1 });
  await expect(replyLines(page)).toHaveText('En respuesta a Ana Belén · Uno');
  await forum.edit(ana, channel._id, 1, 'Uno de otro modo');
  await expect(replyLines(page)).toHaveText('En respuesta a Ana Belén · Uno de otro modo');

  await commentShown(page, 1)
    .getByRole('button', { name: /^Más acciones/ })
    .click();
  await page.getByRole('button', { name: 'Editar', exact: true }).click();
  await commentShown(page, 1).getByRole('textbox').fill('Otra cosa');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(replyLines(page)).toHaveText('En respuesta a Ana Belén · Otra cosa');
  await forum.json('DELETE', apiRoutes.channelComment(channel._id, 1), { token: ana.token });
  await expect(commentShown(page, 3)).toContainText('En respuesta a un comentario eliminado');
});

test('a selected part of a comment can be quoted into the text, each line with its mark, also in a reply that was begun', async ({
  forum,
  openAs,
}) => {
  const texts = ['Uno y dos y tres', 'Cuatro y dos\n\n> cinco\nseis'];
  const { page } = await openChannelWith({ forum, openAs }, texts);
  await replyButton(page, 1).click();
  await replyField(page).fill('Según');
  await expect(quoteButton(page)).toHaveCount(0);
  await select(page, 1, 'dos');
  await expect(page.getByRole('button', { name: 'Citar: n.º 1, de Ana Belén' })).toBeVisible();
  // The words are in both comments.
  await select(page, 2, 'dos');
  await expect(page.getByRole('button', { name: 'Citar: n.º 2, de Ana Belén' })).toBeVisible();
  await select(page, 1, 'tres');
  await quoteButton(page).click();
  await expect(replyLines(page)).toHaveText('En respuesta a Ana Belén');
  await expect(replyField(page)).toBeFocused();
  await expect(quoteButton(page)).toHaveCount(0);
  await page.keyboard.type('así es');
  await expect(replyField(page)).toHaveValue('Según\n> tres\nasí es');

  // All of a text, from its first paragraph to its last.
  await commentShown(page, 2)
    .locator('[dir="auto"]')
    .first()
    .evaluate(
      ({ parentElement }) => parentElement && getSelection()?.selectAllChildren(parentElement),
    );
  await quoteButton(page).click();
  await page.keyboard.type('y ya');
  await expect(commentShown(page, 2).getByRole('textbox')).toHaveValue(
    'Según\n> tres\nasí es\n> Cuatro y dos\n> \n> cinco\n> seis\ny ya',
  );
  await sendReplyButton(page).click();
  await expect(commentShown(page, 3).locator('blockquote')).toHaveText([
    'tres',
    'Cuatro y dos\n\ncinco\nseis',
  ]);

  // Neither the author's name nor a selection across two comments can be quoted.
  const author = commentShown(page, 2).getByRole('link', { name: 'Ana Belén' });
  await author.evaluate((link) => getSelection()?.selectAllChildren(link));
  await afterFrames(page);
  await expect(quoteButton(page)).toHaveCount(0);
  await page.evaluate(() => {
    const [first, second] = ['#comentario-1', '#comentario-2'].map((id) =>
      document.querySelector(`${id} [dir="auto"]`),
    );
    if (first && second) getSelection()?.setBaseAndExtent(first, 0, second, 1);
  });
  await afterFrames(page);
  await expect(quoteButton(page)).toHaveCount(0);
});

test('on a phone the button to quote is below what is selected and moves nothing; the reply has its field above the keyboard, below its original', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, []);
  const long = `Arriba ${'y más abajo '.repeat(400)}`;
  const texts = [...numberedComments(19), long, ...numberedComments(20, 21)];
  await fillWithComments(forum, ana, channel, texts);
  const page = await openAs(ana, { viewport: { width: 375, height: 667 }, hasTouch: true });
  await page.goto(commentLink(channel._id, 20));
  await expect(commentField(page)).toBeAttached();
  await expect(replyButton(page, 20)).not.toBeInViewport();
  const heightOf = async () => (await commentShown(page, 20).boundingBox())?.height;
  const height = await heightOf();
  await select(page, 20, 'Arriba');
  await expect(quoteButton(page)).toBeInViewport({ ratio: 1 });
  const bottom = await page.evaluate(
    () => getSelection()?.getRangeAt(0).getBoundingClientRect().bottom,
  );
  const distance = ((await quoteButton(page).boundingBox())?.y ?? NaN) - (bottom ?? NaN);
  expect(distance).toBeGreaterThan(0);
  expect(distance).toBeLessThan(20);
  expect(await heightOf()).toBe(height);
  await quoteButton(page).tap();
  await expect(replyField(page)).toHaveValue('> Arriba\n');
  await expect(replyField(page)).toBeFocused();

  await replyButton(page, 22).tap();
  await expect(replyField(page)).toBeFocused();
  await expect(commentShown(page, 22).getByText('comentario 022').first()).toBeInViewport();
  // A keyboard takes about 300 px.
  const box = await replyField(page).boundingBox();
  expect((box?.y ?? NaN) + 60).toBeLessThan(667 - 300);
});

test('whoever opens a menu while a comment or a reply is being sent keeps it open where it is, and gets a link to what was sent', async ({
  forum,
  openAs,
}) => {
  const { page } = await openChannelWith({ forum, openAs }, numberedComments(20));
  const sendAndOpenMenu = async (send: () => Promise<void>, link: string) => {
    const held = await holdRequests(page, 'PUT', `**${apiRoutes.comment}`);
    await send();
    await page.getByRole('button', { name: 'Menú de usuario' }).click();
    held.release();
    await expect(statusBar(page).getByRole('link', { name: link })).toBeVisible();
    await afterFrames(page);
    await expect(menu(page)).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  };
  await sendAndOpenMenu(() => sendComment(page, 'Al final'), 'Ver el comentario');
  await replyButton(page, 1).click();
  await replyField(page).fill('Al primero');
  await sendAndOpenMenu(() => sendReplyButton(page).click(), 'Ver la respuesta');
});
