import type { Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { commentLink, pageRoutes } from '../../src/shared/routes.ts';
import { editComment } from '../forum/edit-comment.ts';
import type { Forum, Person } from '../forum/forum.ts';
import {
  commentField,
  commentsShown,
  fillWithComments,
  numberedComments,
  queuedComments,
  replyButton,
  replyField,
  replyForm,
  sendButton,
  sendReplyButton,
  writeComments,
} from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import { plainImage } from './images.ts';
import { afterFrames, holdRequests } from './network.ts';
import { statusBar } from './status-bar.ts';
import { expectNoOverflow, findingsInThemes } from './view-checks.ts';

const comment = (page: Page, number: number) => page.locator(`#comentario-${number}`);
const quoteButton = (page: Page) => page.getByRole('button', { name: /^Citar: / });
/** The lines that link to originals: those of published replies and those of forms. */
const replyLines = (page: Page) => page.getByRole('link', { name: /^En respuesta a / });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage));

/** Selects the first occurrence of a text in a comment. */
async function select(page: Page, number: number, text: string): Promise<void> {
  await comment(page, number)
    .locator('[dir="auto"]')
    .first()
    .evaluate((element, part) => {
      const node = element.firstChild;
      const start = node?.textContent?.indexOf(part) ?? -1;
      if (!node || start < 0) throw new Error('the text is not there');
      getSelection()?.setBaseAndExtent(node, start, node, start + part.length);
    }, text);
}

/** A channel with comments by its author. */
async function channelWith(
  forum: Forum,
  texts: string[],
): Promise<{ ana: Person; channel: Channel }> {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, texts);
  return { ana, channel };
}

async function deleteComment(forum: Forum, { token }: Person, { _id }: Channel, number: number) {
  const { status } = await forum.call('DELETE', apiRoutes.channelComment(_id, number), { token });
  expect(status).toBe(204);
}

test('a reply is written below its original, quotes the selected text, links to the original and is counted there', async ({
  forum,
  openAs,
}) => {
  const texts = ['El cine de verano abre el jueves.', 'Otra cosa'];
  const { channel } = await channelWith(forum, texts);
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  await expect(replyButton(page, 1)).toBeVisible();
  await select(page, 1, 'abre el jueves');
  await replyButton(page, 1).click();
  const form = comment(page, 1).getByRole('form', { name: 'Escribe tu respuesta' });
  await expect(form.getByRole('link')).toHaveText('En respuesta a Ana Belén · abre el jueves');
  await expect(form.getByRole('link')).toHaveAttribute('href', commentLink(channel._id, 1));
  await expect(replyField(page)).toBeFocused();
  await expect(replyField(page)).toHaveAccessibleDescription(
    /^En respuesta a Ana Belén · .?abre el jueves/,
  );
  await page.keyboard.type('¿A qué hora?');
  await expect(commentField(page)).toHaveValue('');

  await page.reload();
  await expect(form.getByRole('link')).toHaveText('En respuesta a Ana Belén · abre el jueves');
  await expect(replyField(page)).toHaveValue('¿A qué hora?');
  await sendReplyButton(page).click();
  const link = comment(page, 3).getByRole('link', { name: /^En respuesta a Ana Belén/ });
  await expect(link).toHaveText('En respuesta a Ana Belén · abre el jueves');
  await expect(link).toHaveAttribute('href', commentLink(channel._id, 1));
  await expect(replyForm(page)).toHaveCount(0);
  expect(await storedKeys(page)).toEqual([]);

  await page.reload();
  const replies = page.getByRole('button', { name: '1 respuesta a Ana Belén' });
  await replies.click();
  const listed = page.getByRole('list', { name: '1 respuesta a Ana Belén' }).getByRole('link');
  await expect(listed).toContainText(['¿A qué hora?']);
  await expect(listed).toHaveAttribute('href', commentLink(channel._id, 3));
  await expect(replies).toHaveAttribute('aria-expanded', 'true');
});

test('without a selection, a reply quotes the beginning of its original', async ({
  forum,
  openAs,
}) => {
  const opening = `${'Los tomates cherry aguantan hasta octubre. '.repeat(2)}Y después`;
  const { channel } = await channelWith(forum, [`${opening} la albahaca.`, 'Otra cosa']);
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  await replyButton(page, 1).click();
  await expect(replyLines(page)).toHaveText(`En respuesta a Ana Belén · ${opening}`);
  await replyField(page).fill('Y las acelgas');
  await sendReplyButton(page).click();
  await expect(comment(page, 3)).toContainText('Y las acelgas');
  await expect(replyLines(page)).toHaveText(`En respuesta a Ana Belén · ${opening}`);
});

test('a reply right below its original has no quotation', async ({ forum, openAs }) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['Uno solo']);
  const body = { id: channel._id, comment: 'Sí', replyTo: 1, replyExcerpt: 'Uno' };
  await forum.json('PUT', apiRoutes.comment, { token: ana.token, body });
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  const link = commentsShown(page)
    .nth(1)
    .getByRole('link', { name: /^En respuesta a/ });
  await expect(link).toHaveText('En respuesta a Ana Belén');
});

test('Escape closes a reply and leads back to the original, and asks before it discards a text', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno', 'Dos']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).fill('A medias');
  await replyButton(page, 1).press('Enter');
  await expect(replyField(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(replyForm(page)).toHaveCount(0);
  await expect(comment(page, 1)).toBeFocused();

  await replyButton(page, 1).press('Enter');
  await page.keyboard.type('Pensado');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toContainText('¿Descartar la respuesta?');
  await expect(button(page, 'Seguir editando')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(replyField(page)).toBeFocused();
  await expect(replyField(page)).toHaveValue('Pensado');
  await button(page, 'Cancelar').press('Enter');
  await button(page, 'Descartar').press('Enter');
  await expect(replyForm(page)).toHaveCount(0);
  await expect(comment(page, 1)).toBeFocused();
  await expect(commentField(page)).toHaveValue('A medias');
  await replyButton(page, 1).press('Enter');
  await expect(replyField(page)).toHaveValue('');
});

test('after a reply the page stays in place, and a line links to the reply', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, []);
  await fillWithComments(forum, ana, channel, numberedComments(90));
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(commentLink(channel._id, 5));
  await replyButton(page, 5).click();
  await replyField(page).fill('Desde aquí');
  const topOf = async () => (await comment(page, 5).boundingBox())?.y ?? NaN;
  const top = await topOf();
  await page.keyboard.press('Control+Enter');
  const line = comment(page, 5).getByText('Respuesta enviada.');
  await expect(line).toBeFocused();
  expect(Math.abs((await topOf()) - top)).toBeLessThan(2);
  await expect(line).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Ver la respuesta' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(comment(page, 91)).toBeFocused();
  await expect(comment(page, 91)).toContainText('Desde aquí');
  await page.goBack();
  await expect(comment(page, 5)).toBeInViewport();
});

test('what is typed while a reply is sent stays a reply', async ({ forum, openAs }) => {
  const { ana, channel } = await channelWith(forum, ['Uno', 'Dos']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  const held = await holdRequests(page, 'PUT', `**${apiRoutes.comment}`);
  await replyButton(page, 1).click();
  await replyField(page).fill('primero');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => held.requests.length).toBe(1);
  await replyField(page).fill('segundo');
  held.release();
  await expect(comment(page, 3)).toContainText('primero');
  await expect(replyField(page)).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(comment(page, 4)).toContainText(/En respuesta a Ana Belén · Uno.*segundo/);
});

test('a part of a comment that is selected can be quoted, also in a reply that was begun', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno y dos y tres', 'Cuatro']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await replyButton(page, 1).click();
  await replyField(page).fill('Según');
  await expect(quoteButton(page)).toHaveCount(0);
  await select(page, 1, 'dos');
  await expect(page.getByRole('button', { name: 'Citar: n.º 1, de Ana Belén' })).toBeVisible();
  await select(page, 1, 'tres');
  await quoteButton(page).click();
  await expect(replyLines(page)).toHaveText('En respuesta a Ana Belén · tres');
  await expect(replyField(page)).toHaveValue('Según');
  await expect(replyField(page)).toBeFocused();
  await expect(quoteButton(page)).toHaveCount(0);

  // Not the name of its author, nor a part of two comments.
  const author = comment(page, 2).getByRole('link', { name: 'Ana Belén' });
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

test('the button to quote is in the window however long the comment is', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, [`Arriba ${'y más abajo '.repeat(400)}`]);
  const page = await openAs(ana, { viewport: { width: 375, height: 667 }, hasTouch: true });
  await page.goto(commentLink(channel._id, 1));
  await expect(replyButton(page, 1)).not.toBeInViewport();
  await select(page, 1, 'Arriba');
  await expect(quoteButton(page)).toBeInViewport({ ratio: 1 });
  await quoteButton(page).tap();
  await expect(replyLines(page)).toHaveText('En respuesta a Ana Belén · Arriba');
  await expect(replyField(page)).toBeFocused();
});

test('each reply has a draft of its own, of its account', async ({ forum, openAs }) => {
  const { ana, channel } = await channelWith(forum, ['Uno', 'Dos', 'Tres']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).fill('Nuevo');
  for (const [number, text] of [
    [1, 'Al uno'],
    [3, 'Al tres'],
  ] as const) {
    await replyButton(page, number).click();
    await comment(page, number).getByRole('textbox').fill(text);
  }
  await page.reload();
  await expect(comment(page, 1).getByRole('textbox')).toHaveValue('Al uno');
  await expect(comment(page, 3).getByRole('textbox')).toHaveValue('Al tres');
  await expect(commentField(page)).toHaveValue('Nuevo');
  await comment(page, 3).getByRole('button', { name: 'Enviar respuesta' }).click();
  await expect(comment(page, 4)).toContainText('Al tres');
  await expect(replyForm(page)).toHaveCount(1);
  await expect(comment(page, 1).getByRole('textbox')).toHaveValue('Al uno');
  await expect(commentField(page)).toHaveValue('Nuevo');

  const luis = await openAs(await forum.person('Luis Paz'));
  const drafts = await page.evaluate(() => ({ ...localStorage }));
  await luis.goto(pageRoutes.home);
  await luis.evaluate((stored) => Object.assign(localStorage, stored), drafts);
  await luis.goto(pageRoutes.channel(channel._id));
  await expect(replyButton(luis, 1)).toBeVisible();
  await expect(replyForm(luis)).toHaveCount(0);
});

test('a reply whose original is not loaded is linked above the form', async ({ forum, openAs }) => {
  const { ana, channel } = await channelWith(forum, []);
  await fillWithComments(forum, ana, channel, numberedComments(120));
  const page = await openAs(ana);
  await page.goto(commentLink(channel._id, 110));
  await replyButton(page, 110).click();
  await replyField(page).fill('Para luego');
  await page.goto(pageRoutes.channel(channel._id));
  await page.getByRole('link', { name: 'Tu respuesta al comentario n.º 110 está sin enviar' }).click();
  await expect(comment(page, 110).getByRole('textbox')).toHaveValue('Para luego');
  await expect(comment(page, 110)).toBeInViewport();
  await expect(page.getByRole('link', { name: /está sin enviar$/ })).toHaveCount(0);
});

test('a reply whose original is deleted meanwhile moves to the form of new comments, which says so', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno', 'Dos', 'Tres', 'Cuatro']);
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  await replyButton(page, 1).click();
  await replyField(page).fill('Al uno');
  await comment(page, 1)
    .getByLabel('Añadir imágenes')
    .setInputFiles(await plainImage('mar.png', '#2255aa'));
  await expect(page.getByLabel('Texto alternativo de la imagen 1')).toBeVisible();
  await replyField(page).focus();
  await deleteComment(forum, ana, channel, 1);
  await expect(comment(page, 1)).toHaveCount(0);
  const note = 'El comentario al que respondías se ha eliminado. Lo que escribías está ahora aquí';
  await expect(page.getByRole('alert')).toContainText(note);
  await expect(commentField(page)).toHaveValue('Al uno');
  await expect(commentField(page)).toBeFocused();
  await expect(page.getByLabel('Texto alternativo de la imagen 1')).toBeVisible();

  // Deleted while the page is closed; and a form in which nothing was typed.
  await replyButton(page, 2).click();
  await replyField(page).fill('Al dos');
  await replyButton(page, 3).click();
  await page.goto(pageRoutes.home);
  for (const number of [2, 3]) await deleteComment(forum, ana, channel, number);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentField(page)).toHaveValue('Al uno\n\nAl dos');
  await sendButton(page).click();
  await expect(comment(page, 5)).toContainText('Al dos');
  await expect(comment(page, 5)).not.toContainText('En respuesta');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await storedKeys(page)).toEqual([]);
});

test('a reply in a channel that is closed meanwhile can be copied or discarded', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno']);
  const page = await openAs(await forum.person('Luis Paz'));
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).fill('Nuevo');
  await replyButton(page, 1).click();
  await replyField(page).fill('Al uno');
  await forum.json('POST', apiRoutes.closeChannel(channel._id), { token: ana.token });
  const texts = page.getByLabel('Lo que escribías aquí');
  await expect(texts).toHaveCount(2);
  await expect(texts.nth(1)).toHaveValue('Al uno');
  await expect(replyForm(page)).toHaveCount(0);
  await forum.json('POST', apiRoutes.reopenChannel(channel._id), { token: ana.token });
  await expect(replyField(page)).toHaveValue('Al uno');
  await forum.json('POST', apiRoutes.closeChannel(channel._id), { token: ana.token });
  await button(page, 'Descartar').nth(1).click();
  await expect(texts).toHaveCount(1);
  await expect(texts).toHaveValue('Nuevo');
});

test('guests are offered no reply', async ({ forum, page }) => {
  const { channel } = await channelWith(forum, ['Uno dos']);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(page.getByText('Si deseas comentar debes')).toBeVisible();
  await select(page, 1, 'dos');
  await afterFrames(page);
  await expect(quoteButton(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Responder/ })).toHaveCount(0);
});

test('a reply on a phone has its field above the keyboard, below its original', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, []);
  await fillWithComments(forum, ana, channel, numberedComments(40));
  const page = await openAs(ana, { viewport: { width: 375, height: 667 }, hasTouch: true });
  await page.goto(commentLink(channel._id, 20));
  await replyButton(page, 22).tap();
  await expect(replyField(page)).toBeFocused();
  await expect(comment(page, 22).getByText('comentario 022').first()).toBeInViewport();
  // The keyboard takes some 300 px.
  const box = await replyField(page).boundingBox();
  expect((box?.y ?? 0) + 60).toBeLessThan(667 - 300);
});

test('the form of a reply fits narrow windows and large text, and axe finds nothing', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, [`Uno ${'electroencefalografista'.repeat(9)}`]);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await replyButton(page, 1).click();
  await replyField(page).fill('Dos');
  await page.keyboard.press('Escape');
  await expect(button(page, 'Descartar')).toBeVisible();
  await expectNoOverflow(page);
  await button(page, 'Seguir editando').click();
  await select(page, 1, 'Uno');
  await expect(quoteButton(page)).toBeVisible();
  await expectNoOverflow(page);
  expect(await findingsInThemes(page)).toEqual({ light: [], dark: [] });
});

test('in a long list, the people to mention in a reply are shown over the next comment', async ({
  forum,
  openAs,
}) => {
  const { channel, ana } = await channelWith(forum, []);
  await fillWithComments(forum, ana, channel, numberedComments(160));
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await page.getByRole('link', { name: /^Ver \d+ comentarios más$/ }).click();
  await expect(comment(page, 20)).toHaveAttribute('data-skippable');
  await replyButton(page, 20).click();
  await page.keyboard.type('a\nb\nc\n@Ana');
  const option = page.getByRole('option', { name: 'Ana Belén' }).first();
  await expect(option).toBeVisible();
  await option.click();
  await expect(replyField(page)).toHaveValue('a\nb\nc\n@Ana Belén ');
});

test.describe('a reply in the outbox', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of 400/] });

  test('is sent without its quotation when the original has changed or is deleted, and the form says so too', async ({
    forum,
    openAs,
  }) => {
    const texts = ['Se cambia', 'Se borra', 'Se queda'];
    const { ana, channel } = await channelWith(forum, texts);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(replyButton(page, 1)).toBeVisible();
    await page.context().setOffline(true);
    for (const [index, text] of texts.slice(0, 2).entries()) {
      await select(page, index + 1, text);
      await replyButton(page, index + 1).click();
      await replyField(page).fill(`Respuesta a: ${text}`);
      await sendReplyButton(page).click();
      await expect(queuedComments(page)).toHaveCount(index + 1);
      await expect(queuedComments(page).nth(index)).toContainText('Es una respuesta');
      await expect(statusBar(page)).toContainText('Pendiente de envío');
      await expect(replyForm(page)).toHaveCount(0);
      await expect(comment(page, index + 1)).toBeFocused();
    }
    await select(page, 1, 'Se cambia');
    await replyButton(page, 1).click();
    await expect(replyLines(page)).toHaveText('En respuesta a Ana Belén · Se cambia');
    await editComment(forum, { channelId: channel._id, number: 1 }, 'Otro texto');
    await deleteComment(forum, ana, channel, 2);
    await page.context().setOffline(false);
    await expect(queuedComments(page)).toHaveCount(0);
    const reply = (text: string) =>
      commentsShown(page)
        .filter({ hasText: `Respuesta a: ${text}` })
        .getByText('En respuesta a');
    await expect(reply('Se cambia')).toHaveText('En respuesta a Ana Belén');
    await expect(reply('Se borra')).toHaveText('En respuesta a un comentario eliminado');
    await expect(replyForm(page).getByRole('link')).toHaveText('En respuesta a Ana Belén');
  });
});

test('drafts and queued comments stored by an earlier version are read', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.home);
  await page.evaluate(
    ([userId, id]) => {
      const body = { id, comment: 'De la cola', autor: 'Ana', autorId: userId, autorImg: '' };
      const key = 'a'.repeat(32);
      const queued = { key, body, place: 1, sentAtMs: null, refusal: 'No cabe' };
      localStorage.setItem(`outbox ${userId} ${key}`, JSON.stringify(queued));
      const draft = { text: 'A medias', request: { key, body } };
      localStorage.setItem(`comment-draft ${userId} ${id}`, JSON.stringify(draft));
    },
    [ana.id, channel._id] as const,
  );
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentField(page)).toHaveValue('A medias');
  await expect(queuedComments(page)).toContainText(['De la cola']);
});

test('a refused reply that is changed stays a reply, also when its original is not loaded', async ({
  forum,
  openAs,
}) => {
  const luis = await forum.person('Luis Paz');
  const channel = await openChannel(forum, luis);
  await fillWithComments(forum, luis, channel, numberedComments(60));
  const page = await openAs(luis);
  await page.goto(pageRoutes.channel(channel._id));
  const key = crypto.randomUUID();
  const body = { id: channel._id, comment: 'Largo', replyTo: 60, replyExcerpt: 'comentario' };
  await page.evaluate(([storeKey, queued]) => localStorage.setItem(storeKey, queued), [
    `outbox ${luis.id} ${key}`,
    JSON.stringify({ key, body, refusal: 'Demasiado largo.' }),
  ] as const);
  await page.reload();
  await queuedComments(page).getByRole('button', { name: 'Editar' }).click();
  await expect(page).toHaveURL(commentLink(channel._id, 60));
  await expect(replyLines(page)).toHaveText('En respuesta a Luis Paz · comentario');
  await expect(replyField(page)).toHaveValue('Largo');
  await sendReplyButton(page).click();
  await expect(comment(page, 61)).toContainText('En respuesta a Luis Paz');
});
