import type { Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { commentLink, pageRoutes } from '../../src/shared/routes.ts';
import { editComment } from '../forum/edit-comment.ts';
import {
  commentField,
  commentsShown,
  fillWithComments,
  numberedComments,
  queuedComments,
  sendButton,
  writeComments,
} from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';

const replyButton = (page: Page, number: number) =>
  page.getByRole('button', { name: new RegExp(`^Responder: n\\.º ${number}, `) });
const chip = (page: Page) => page.getByText(/^En respuesta a /).last();

/** Selects the first occurrence of a text in a comment. */
async function select(page: Page, number: number, text: string): Promise<void> {
  await commentsShown(page)
    .nth(number - 1)
    .locator('[dir="auto"]')
    .evaluate((element, part) => {
      const node = element.firstChild;
      const start = node?.textContent?.indexOf(part) ?? -1;
      if (!node || start < 0) throw new Error('the text is not there');
      getSelection()?.setBaseAndExtent(node, start, node, start + part.length);
    }, text);
}

test('a reply quotes the selected text, links to the original and is counted there', async ({
  forum,
  openAs,
}) => {
  const [ana, luis] = [await forum.person('Ana Belén'), await forum.person('Luis Paz')];
  const channel = await openChannel(forum, ana);
  const texts = ['El cine de verano abre el jueves.', 'Otra cosa'];
  await writeComments(forum, ana, channel, texts);
  const page = await openAs(luis);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(replyButton(page, 1)).toBeVisible();
  await select(page, 1, 'abre el jueves');
  await replyButton(page, 1).click();
  await expect(chip(page)).toHaveText('En respuesta a Ana Belén · abre el jueves');
  await expect(commentField(page)).toBeFocused();
  await expect(commentField(page)).toHaveAccessibleDescription(/En respuesta a Ana Belén/);
  await page.keyboard.type('¿A qué hora?');

  await page.reload();
  await expect(chip(page)).toHaveText('En respuesta a Ana Belén · abre el jueves');
  await sendButton(page).click();
  const reply = commentsShown(page).nth(2);
  const link = reply.getByRole('link', { name: /^En respuesta a Ana Belén/ });
  await expect(link).toHaveText('En respuesta a Ana Belén · abre el jueves');
  await expect(link).toHaveAttribute('href', commentLink(channel._id, 1));
  await expect(page.getByRole('button', { name: 'Quitar la respuesta' })).toHaveCount(0);

  await page.reload();
  const replies = page.getByRole('button', { name: '1 respuesta a Ana Belén' });
  await replies.click();
  const listed = page.getByRole('list', { name: '1 respuesta a Ana Belén' }).getByRole('link');
  await expect(listed).toContainText(['¿A qué hora?']);
  await expect(listed).toHaveAttribute('href', commentLink(channel._id, 3));
  await expect(replies).toHaveAttribute('aria-expanded', 'true');
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

test('the reply can be taken back by keyboard, and the text stays', async ({ forum, openAs }) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['Uno']);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).fill('A medias');
  await replyButton(page, 1).press('Enter');
  await page.getByRole('button', { name: 'Quitar la respuesta' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Quitar la respuesta' })).toHaveCount(0);
  await expect(commentField(page)).toBeFocused();
  await expect(commentField(page)).toHaveValue('A medias');
});

test.describe('a reply in the outbox', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|status of 400/] });

  test('is sent without its quotation when the original has changed or is deleted, and the chip says so too', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    const texts = ['Se cambia', 'Se borra', 'Se queda'];
    await writeComments(forum, ana, channel, texts);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(replyButton(page, 1)).toBeVisible();
    await page.context().setOffline(true);
    for (const [index, text] of texts.slice(0, 2).entries()) {
      await select(page, index + 1, text);
      await replyButton(page, index + 1).click();
      await commentField(page).fill(`Respuesta a: ${text}`);
      await sendButton(page).click();
      await expect(queuedComments(page)).toHaveCount(index + 1);
      await expect(queuedComments(page).nth(index)).toContainText('Es una respuesta');
      await expect(page.getByRole('button', { name: 'Quitar la respuesta' })).toHaveCount(0);
    }
    await select(page, 2, 'Se borra');
    await replyButton(page, 2).click();
    await editComment(forum, { channelId: channel._id, number: 1 }, 'Otro texto');
    const path = apiRoutes.channelComment(channel._id, 2);
    expect((await forum.call('DELETE', path, { token: ana.token })).status).toBe(204);
    await page.context().setOffline(false);
    await expect(queuedComments(page)).toHaveCount(0);
    const reply = (text: string) =>
      commentsShown(page)
        .filter({ hasText: `Respuesta a: ${text}` })
        .getByText('En respuesta a');
    await expect(reply('Se cambia')).toHaveText('En respuesta a Ana Belén');
    await expect(reply('Se borra')).toHaveText('En respuesta a un comentario eliminado');
    await expect(chip(page)).toHaveText('En respuesta a un comentario eliminado');
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
  const replying = page.getByText('En respuesta al comentario n.º 60 · comentario');
  await expect(replying).toBeVisible();
  await sendButton(page).click();
  await expect(page).toHaveURL(commentLink(channel._id, 61));
  await expect(page.locator('#comentario-61')).toContainText('En respuesta a Luis Paz');
});
