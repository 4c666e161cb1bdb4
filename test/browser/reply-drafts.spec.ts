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
  sendButton,
} from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import { plainImage } from './images.ts';
import { holdRequests } from './network.ts';
import { endSession, openWithNews, signInByForm } from './people.ts';
import {
  channelWith,
  commentShown,
  replyButton,
  replyField,
  replyForm,
  replyLines,
  select,
  sendReplyButton,
} from './replies.ts';
import { statusBar } from './status-bar.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage));

async function deleteComment(forum: Forum, { token }: Person, { _id }: Channel, number: number) {
  const { status } = await forum.call('DELETE', apiRoutes.channelComment(_id, number), { token });
  expect(status).toBe(204);
}

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
    await commentShown(page, number).getByRole('textbox').fill(text);
  }
  await page.reload();
  await expect(commentShown(page, 1).getByRole('textbox')).toHaveValue('Al uno');
  await expect(commentShown(page, 3).getByRole('textbox')).toHaveValue('Al tres');
  await expect(commentField(page)).toHaveValue('Nuevo');
  await commentShown(page, 3).getByRole('button', { name: 'Enviar', exact: true }).click();
  await expect(commentShown(page, 4)).toContainText('Al tres');
  await expect(replyForm(page)).toHaveCount(1);
  await expect(commentShown(page, 1).getByRole('textbox')).toHaveValue('Al uno');
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
  await page
    .getByRole('link', { name: 'Tu respuesta al comentario n.º 110 está sin enviar' })
    .click();
  await expect(commentShown(page, 110).getByRole('textbox')).toHaveValue('Para luego');
  await expect(commentShown(page, 110)).toBeInViewport();
  await expect(page.getByRole('link', { name: /está sin enviar$/ })).toHaveCount(0);
});

test('a reply to a number that no comment has had moves there when its link is followed', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await channelWith(forum, ['Uno']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await replyButton(page, 1).click();
  await replyField(page).fill('¿A quién?');
  // As after an older backup of the forum is restored.
  await page.evaluate(() => {
    for (const [key, value] of Object.entries(localStorage)) {
      if (!key.startsWith('comment-reply ')) continue;
      localStorage.removeItem(key);
      localStorage.setItem(key.replace(/1$/, '77'), value);
    }
  });
  await page.reload();
  await page
    .getByRole('link', { name: 'Tu respuesta al comentario n.º 77 está sin enviar' })
    .click();
  await expect(commentField(page)).toHaveValue('¿A quién?');
  await expect(
    page.getByText(/El comentario que estabas editando o al que respondías/),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: /está sin enviar/ })).toHaveCount(0);
});

/** Opens a reply to n.º 3 and reads on to n.º 20. @returns the uppermost comment in view and where it is */
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

  test('moves nothing, and who signs in again is led back to what was read and to the reply, as by a reload', async ({
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
    await expect(replyField(page)).toHaveCount(0);
    await expectTop(page, number, top);
    await statusBar(page).getByRole('link', { name: 'Iniciar sesión' }).click();
    await signInByForm(page, ana.email, ana.password);
    await statusBar(page)
      .getByRole('link', { name: /^Volver a / })
      .click();
    await expect(page).toHaveURL(url);
    await expect(replyField(page)).toHaveValue('Al tres');
    await expectTop(page, number, top);
  });
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
  await commentShown(page, 1)
    .getByLabel('Añadir imágenes')
    .setInputFiles(await plainImage('mar.png', '#2255aa'));
  await expect(page.getByLabel('Texto alternativo de la imagen 1')).toBeVisible();
  await replyField(page).focus();
  await deleteComment(forum, ana, channel, 1);
  await expect(commentShown(page, 1)).toHaveCount(0);
  const note = 'El comentario que estabas editando o al que respondías se ha eliminado';
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
  await expect(commentShown(page, 5)).toContainText('Al dos');
  await expect(commentShown(page, 5)).not.toContainText('En respuesta');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await storedKeys(page)).toEqual([]);
});

for (const hasLocks of [true, false]) {
  test(`a reply that is sent while its original is deleted is not offered again, ${hasLocks ? 'with' : 'without'} locks`, async ({
    forum,
    openAs,
  }) => {
    const { ana, channel } = await channelWith(forum, ['Uno', 'Dos']);
    const page = await openAs(await forum.person('Luis Paz'));
    // As on a site without TLS.
    if (!hasLocks)
      await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'));
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
}

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

test.describe('a reply in the outbox', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_FAILED|status of 400/] });

  test('is sent without its quotation when the original is deleted, or has changed and the reply is sent again', async ({
    forum,
    openAs,
  }) => {
    const texts = ['Se cambia', 'Se borra', 'Se queda'];
    const { ana, channel } = await channelWith(forum, texts);
    const page = await openAs(ana);
    // The status bar's script is loaded ahead.
    const statusScript = page.waitForResponse(/\/status-view-[^/]*\.js$/);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(replyButton(page, 1)).toBeVisible();
    await (await statusScript).finished();
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
      await expect(commentShown(page, index + 1)).toBeFocused();
    }
    await select(page, 1, 'Se cambia');
    await replyButton(page, 1).click();
    await expect(replyLines(page)).toHaveText('En respuesta a Ana Belén · Se cambia');
    await editComment(forum, { channelId: channel._id, number: 1 }, 'Otro texto');
    await deleteComment(forum, ana, channel, 2);
    await page.context().setOffline(false);
    await expect(queuedComments(page)).toHaveCount(1);
    await expect(queuedComments(page)).toContainText('La cita no está en el comentario');
    await expect(replyForm(page).getByRole('link')).toHaveText('En respuesta a Ana Belén');
    await queuedComments(page).getByRole('button', { name: 'Editar' }).click();
    await expect(replyField(page)).toHaveValue('Respuesta a: Se cambia');
    await sendReplyButton(page).click();
    await expect(queuedComments(page)).toHaveCount(0);
    const reply = (text: string) =>
      commentsShown(page)
        .filter({ hasText: `Respuesta a: ${text}` })
        .locator('p:not([id])')
        .filter({ hasText: 'En respuesta a' });
    await expect(reply('Se cambia')).toHaveText('En respuesta a Ana Belén');
    await expect(reply('Se borra')).toHaveText('En respuesta a un comentario eliminado');
  });
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
  await expect(commentShown(page, 61)).toContainText('En respuesta a Luis Paz');
});
