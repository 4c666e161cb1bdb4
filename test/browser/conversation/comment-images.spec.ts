import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { problems } from '../../../src/shared/errors.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { altLabel, commentField, commentsShown, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { afterFrames, holdRequests, respondWithProblem, watchRequests } from '../network.ts';

const input = (page: Page) => page.getByLabel('Añadir imágenes');
const altOf = (page: Page, number?: number) => page.getByLabel(altLabel(number));
const askForAlt = (page: Page, number?: number) =>
  page.getByRole('button', { name: altLabel(number) });
const editor = (page: Page) => page.getByRole('form', { name: 'Edita tu comentario' });

/** Opens a channel of her own as Ana. */
async function openOwnChannel(forum: Forum, openAs: (person: Person) => Promise<Page>) {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const page = await openAs(ana);
  const sent = watchRequests(page, 'PUT', apiRoutes.comment);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(sendButton(page)).toBeEnabled();
  return { ana, page, sent };
}

async function edit(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Más acciones: n/ }).click();
  await page.getByRole('button', { name: 'Editar', exact: true }).click();
}

test('a comment takes four images at most, which outlive a reload, cannot be changed while it is sent, and are shown with their alternative texts as links to the full images', async ({
  forum,
  openAs,
}) => {
  const { page } = await openOwnChannel(forum, openAs);
  await commentField(page).fill('Dos fotos');
  const files = (colors: string[]) =>
    Promise.all(colors.map((color) => plainImage(`${color.slice(1)}.png`, color)));
  await input(page).setInputFiles(await files(['#111111', '#222222']));
  await expect(askForAlt(page, 2)).toBeVisible();
  const previews = page.getByRole('list', { name: 'Imágenes del comentario' }).locator('img');
  const sources = () =>
    previews.evaluateAll((all: HTMLImageElement[]) =>
      all.map(({ src, naturalWidth }) => naturalWidth > 0 && new URL(src).protocol),
    );
  const [stored, atHand] = [Array(2).fill('http:'), Array(2).fill('blob:')];
  await expect.poll(sources, 'as they will be published').toEqual(stored);
  const uploads = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
  await input(page).setInputFiles(await files(['#333333', '#444444', '#555555']));
  await expect.poll(() => uploads.requests.length).toBe(2);
  await expect.poll(sources, 'while they are uploaded').toEqual([...stored, ...atHand]);
  await expect(page.getByRole('alert')).toHaveText(
    'Puedes añadir hasta 4 imágenes por comentario.',
  );
  await expect(input(page)).toBeHidden();
  for (const name of ['333333.png', '444444.png']) {
    await page.getByRole('button', { name: 'Cancelar' }).first().press('Enter');
    await expect(page.getByText(name)).toHaveCount(0);
    await expect(input(page)).toBeFocused();
  }
  await askForAlt(page, 1).press('Enter');
  await expect(altOf(page, 1)).toBeFocused();
  await page.keyboard.type('El mar');
  await page.reload();
  await expect(altOf(page, 1)).toHaveValue('El mar');

  const held = await holdRequests(page, 'PUT', `**${apiRoutes.comment}`);
  await sendButton(page).click();
  await expect.poll(() => held.requests.length).toBe(1);
  await expect(altOf(page, 1)).toHaveAttribute('readonly');
  await expect(page.getByRole('button', { name: 'Quitar la imagen 1' })).toBeHidden();
  await expect(input(page)).toBeHidden();
  await sendFiles(page, page.locator('body'), 'drop', ['#222222']);
  await afterFrames(page);
  await expect(page.getByText('222222.png')).toHaveCount(0);
  held.release();

  const images = commentsShown(page).first().getByRole('link').getByRole('img');
  await expect(images).toHaveCount(2);
  await expect(images.first()).toHaveAccessibleName('El mar');
  await expect(images.nth(1)).toHaveAccessibleName('Imagen 2 de 2 del comentario');
  await expect
    .poll(() => images.first().evaluate((one: HTMLImageElement) => one.currentSrc))
    .toMatch(/\/500\.webp$/);
  const link = commentsShown(page).first().getByRole('link', { name: 'El mar' });
  await expect(link).toHaveAttribute('href', /^\/files\/images\/[^/]+\.png$/);
  await expect(altOf(page, 1)).toHaveCount(0);
});

test('a comment may be an image alone, even after an edit, which takes a pasted image and all that are dropped together; lists that show no images say so', async ({
  forum,
  openAs,
}) => {
  const { ana, page } = await openOwnChannel(forum, openAs);
  await expect(commentField(page)).toHaveAttribute('required');
  await input(page).setInputFiles(await plainImage('playa.png', '#ccaa55'));
  await expect(commentField(page)).not.toHaveAttribute('required');
  await expect(askForAlt(page)).toBeVisible();
  await sendButton(page).click();
  const comment = commentsShown(page).first();
  await expect(comment.getByRole('img', { name: 'Imagen del comentario' })).toBeVisible();
  await expect(commentField(page)).toHaveAttribute('required');

  await edit(page);
  await askForAlt(page).click();
  await altOf(page).fill('La playa');
  await editor(page).getByRole('button', { name: 'Guardar' }).click();
  await expect(comment.getByRole('img', { name: 'La playa' })).toBeVisible();
  await expect(editor(page)).toHaveCount(0);

  await edit(page);
  await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
  await sendFiles(page, editor(page).getByRole('textbox').first(), 'paste', ['#111111']);
  await expect(editor(page).getByText('111111.png')).toBeVisible();
  await sendFiles(page, page.locator('body'), 'drop', ['#222222', '#333333']);
  await expect(editor(page).getByText('333333.png')).toBeVisible();
  await expect(editor(page).getByRole('listitem')).toHaveCount(4);

  await page.goto(pageRoutes.user(ana.id));
  const section = page.getByRole('region', { name: 'Últimos comentarios' });
  await expect(section.getByRole('listitem')).toContainText('Imagen');
});

/** Drops or pastes images of these colours on an element. */
async function sendFiles(page: Page, target: Locator, type: 'drop' | 'paste', colors: string[]) {
  const files = await Promise.all(
    colors.map((color) => plainImage(`${color.slice(1)}.png`, color)),
  );
  const contents = files.map(({ name, buffer }) => ({ name, bytes: [...buffer] }));
  const transfer = await page.evaluateHandle((contents) => {
    const data = new DataTransfer();
    for (const { name, bytes } of contents) {
      data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
    }
    return data;
  }, contents);
  await target.evaluate(
    (element, { type, transfer }) => {
      const options = { bubbles: true, cancelable: true };
      const event =
        type === 'drop'
          ? new DragEvent(type, { ...options, dataTransfer: transfer })
          : new ClipboardEvent(type, { ...options, clipboardData: transfer });
      element.dispatchEvent(event);
    },
    { type, transfer },
  );
}

test('a comment whose image is being uploaded says that it has to wait, and is sent by the next press, once the upload was canceled or, also as an edit, once the image is stored', async ({
  forum,
  openAs,
}) => {
  const { page, sent } = await openOwnChannel(forum, openAs);
  const waiting = page
    .getByRole('status')
    .getByText('Espera a que termine la subida, o quítala, y vuelve a pulsar.');
  const held = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
  await commentField(page).fill('Sin foto');
  await input(page).setInputFiles(await plainImage('lenta.png', '#2255aa'));
  await expect.poll(() => held.requests.length).toBe(1);
  await commentField(page).press('Control+Enter');
  await expect(waiting).toBeVisible();
  await expect(sendButton(page)).not.toHaveAttribute('aria-busy');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await expect(page.getByText('lenta.png')).toHaveCount(0);
  await expect(waiting).toHaveCount(0);
  await expect(commentField(page)).toHaveValue('Sin foto');
  expect(sent).toHaveLength(0);
  await sendButton(page).click();
  await expect(commentsShown(page)).toHaveText([/Sin foto/]);
  const images = commentsShown(page).getByRole('img', { name: /Imagen/ });
  await expect(images).toHaveCount(0);

  await edit(page);
  await editor(page)
    .getByLabel('Añadir imágenes')
    .setInputFiles(await plainImage('lenta.png', '#2255aa'));
  await expect.poll(() => held.requests.length).toBe(2);
  const field = editor(page).getByRole('textbox').first();
  await field.press('Control+Enter');
  await expect(waiting).toBeVisible();
  await field.fill('Sin foto, o con ella');
  held.release();
  await expect(askForAlt(page)).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await expect(editor(page), 'is not sent by itself').toBeVisible();
  await field.press('Control+Enter');
  await expect(editor(page)).toHaveCount(0);
  await expect(commentsShown(page).first()).toContainText('Sin foto, o con ella');
  await expect(images).toHaveCount(1);
});

test.describe('files that are refused', () => {
  test.use({ expectedErrors: [/no es una imagen|está vacío|status of 413|tus:/] });

  test('say why, and the comment is not sent until they are removed', async ({ forum, openAs }) => {
    const { page, sent } = await openOwnChannel(forum, openAs);
    await commentField(page).fill('Con fotos');
    await input(page).setInputFiles(await plainImage('mar.png', '#2255aa'));
    await expect(askForAlt(page)).toBeVisible();
    await page.route(`**${apiRoutes.uploads}`, respondWithProblem('quota_exceeded'));
    await input(page).setInputFiles([
      { name: 'notas.txt', mimeType: 'text/plain', buffer: Buffer.from('hola') },
      { name: 'nada.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
      await plainImage('rechazada.png', '#ccaa55'),
    ]);
    await expect(page.getByRole('alert')).toHaveText([
      /^El archivo no es una imagen /,
      'El archivo está vacío. Elige otra imagen.',
      problems.quota_exceeded.detail,
    ]);
    await sendButton(page).click();
    await afterFrames(page);
    await expect(sendButton(page)).not.toHaveAttribute('aria-busy');
    await expect(commentField(page)).toHaveValue('Con fotos');
    expect(sent).toHaveLength(0);
    const remove = page.getByRole('button', { name: 'Quitar', exact: true });
    for (const name of ['notas.txt', 'nada.png', 'rechazada.png']) {
      await remove.first().click();
      await expect(page.getByText(name)).toHaveCount(0);
    }
    await expect(input(page)).toBeFocused();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await sendButton(page).click();
    await expect(commentsShown(page).getByRole('img', { name: /Imagen/ })).toHaveCount(1);
  });
});

test('an image that the browser lost is chosen again', async ({ forum, openAs }) => {
  const { page, sent } = await openOwnChannel(forum, openAs);
  await commentField(page).fill('Con fotos');
  await input(page).setInputFiles(await plainImage('mar.png', '#2255aa'));
  await expect(askForAlt(page)).toBeVisible();
  const second = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
  await input(page).setInputFiles(await plainImage('perdida.png', '#aa5522'));
  await expect.poll(() => second.requests.length).toBe(1);
  await page.evaluate(() => {
    indexedDB.deleteDatabase('tertulia');
  });
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('el navegador no la ha conservado');
  await sendButton(page).click();
  await afterFrames(page);
  expect(sent).toHaveLength(0);
  await page.getByRole('button', { name: 'Quitar', exact: true }).click();
  await expect(page.getByText('perdida.png')).toHaveCount(0);
  await page.reload();
  await expect(askForAlt(page)).toBeVisible();
  await expect(page.getByText('perdida.png')).toHaveCount(0);
  second.release();
});
