import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { problems } from '../../../src/shared/errors.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { commentField, commentsShown, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { afterFrames, holdRequests, respondWithProblem, watchRequests } from '../network.ts';

const input = (page: Page) => page.getByLabel('Añadir imágenes');
const altOf = (page: Page, number: number) =>
  page.getByLabel(`Texto alternativo de la imagen ${number}`);

test('a comment takes four images at most and shows those that were not removed with their alternative texts, as links to the full images', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).fill('Tres fotos');
  const colors = ['#111111', '#222222', '#333333', '#444444', '#555555'];
  await input(page).setInputFiles(
    await Promise.all(colors.map((color, index) => plainImage(`foto${index}.png`, color))),
  );
  await expect(altOf(page, 4)).toBeVisible();
  const previews = page.getByRole('list', { name: 'Imágenes del comentario' }).locator('img');
  const areFiles = () =>
    previews.evaluateAll((all: HTMLImageElement[]) =>
      all.map(({ src, naturalWidth }) => src.startsWith('blob:') && naturalWidth === 1000),
    );
  await expect.poll(areFiles, 'from the files at hand').toEqual([true, true, true, true]);
  await expect(page.getByRole('alert')).toHaveText(
    'Puedes añadir hasta 4 imágenes por comentario.',
  );
  await expect(input(page)).toBeHidden();
  await page.getByRole('button', { name: 'Quitar la imagen 2' }).press('Enter');
  await expect(altOf(page, 4)).toHaveCount(0);
  await expect(input(page)).toBeFocused();
  await altOf(page, 1).fill('El mar');
  await page.reload();
  await expect(altOf(page, 1)).toHaveValue('El mar');
  expect(await areFiles(), 'from the server').toEqual([false, false, false]);
  await sendButton(page).click();
  const images = commentsShown(page).first().getByRole('link').getByRole('img');
  await expect(images).toHaveCount(3);
  await expect(images.first()).toHaveAccessibleName('El mar');
  await expect(images.nth(1)).toHaveAccessibleName('Imagen 2 de 3 del comentario');
  await expect
    .poll(() => images.first().evaluate((one: HTMLImageElement) => one.currentSrc))
    .toMatch(/\/500\.webp$/);
  const link = commentsShown(page).first().getByRole('link', { name: 'El mar' });
  await expect(link).toHaveAttribute('href', /^\/files\/images\/[^/]+\.png$/);
  await expect(altOf(page, 1)).toHaveCount(0);
});

test('a comment may be an image alone, even after an edit, and lists that show no images say so', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(sendButton(page)).toBeEnabled();
  await expect(commentField(page)).toHaveAttribute('required');
  await input(page).setInputFiles(await plainImage('mar.png', '#2255aa'));
  await expect(commentField(page)).not.toHaveAttribute('required');
  await expect(altOf(page, 1)).toBeVisible();
  await page.getByRole('button', { name: 'Quitar la imagen 1' }).click();
  await expect(commentField(page)).toHaveAttribute('required');
  await input(page).setInputFiles(await plainImage('playa.png', '#ccaa55'));
  await expect(altOf(page, 1)).toBeVisible();
  await sendButton(page).click();
  const comment = commentsShown(page).first();
  await expect(comment.getByRole('img', { name: 'Imagen del comentario' })).toBeVisible();
  await expect(commentField(page)).toHaveAttribute('required');

  await page.getByRole('button', { name: /^Más acciones: n/ }).click();
  await page.getByRole('button', { name: 'Editar', exact: true }).click();
  const editor = page.getByRole('form', { name: 'Edita tu comentario' });
  await editor.getByLabel('Texto alternativo de la imagen 1').fill('La playa');
  await editor.getByRole('button', { name: 'Guardar' }).click();
  await expect(comment.getByRole('img', { name: 'La playa' })).toBeVisible();
  await expect(editor).toHaveCount(0);
  await page.goto(pageRoutes.user(ana.id));
  const section = page.getByRole('region', { name: 'Últimos comentarios' });
  await expect(section.getByRole('listitem')).toContainText('Imagen');
});

test('all images dropped together, and a pasted one, are taken, also while a comment is edited', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await forum.comment(ana, channel._id, 'Uno');
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await page.getByRole('button', { name: /^Más acciones: n/ }).click();
  await page.getByRole('button', { name: 'Editar', exact: true }).click();
  const editor = page.getByRole('form', { name: 'Edita tu comentario' });
  await sendFiles(page, editor.getByRole('textbox'), 'paste', ['#111111']);
  await expect(altOf(page, 1)).toBeVisible();
  await expect(editor.getByRole('listitem')).toHaveCount(1);
  await sendFiles(page, page.locator('body'), 'drop', ['#222222', '#333333', '#444444']);
  await expect(altOf(page, 4)).toBeVisible();
  await expect(editor.getByRole('listitem')).toHaveCount(4);
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

const waiting = (page: Page) =>
  page
    .getByRole('status')
    .getByText('Espera a que termine la imagen, o quítala, y vuelve a pulsar.');

test.describe('a comment with an image that is being uploaded', () => {
  /** Opens a channel page with text in its form and an upload that waits until it is released. */
  async function openUploading(forum: Forum, openAs: (person: Person) => Promise<Page>) {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    const page = await openAs(ana);
    const held = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
    const sent = watchRequests(page, 'PUT', apiRoutes.comment);
    await page.goto(pageRoutes.channel(channel._id));
    await commentField(page).fill('Con foto');
    await input(page).setInputFiles(await plainImage('lenta.png', '#2255aa'));
    await expect.poll(() => held.requests.length).toBe(1);
    return { page, held, sent };
  }

  test('says that it has to wait, and is sent by the next press once the image is stored, also by keyboard', async ({
    forum,
    openAs,
  }) => {
    const { page, held, sent } = await openUploading(forum, openAs);
    await commentField(page).press('Control+Enter');
    await expect(waiting(page)).toBeVisible();
    await expect(sendButton(page)).not.toHaveAttribute('aria-busy');
    await commentField(page).pressSequentially(' del mar');
    await page.getByRole('button', { name: 'Pausar' }).click();
    await sendButton(page).click();
    await page.getByRole('button', { name: 'Reanudar' }).click();
    await expect(waiting(page)).toBeVisible();
    held.release();
    await expect(altOf(page, 1)).toBeVisible();
    await expect(waiting(page)).toHaveCount(0);
    await expect(commentField(page)).toHaveValue('Con foto del mar');
    expect(sent).toHaveLength(0);
    await commentField(page).press('Control+Enter');
    await expect(commentsShown(page).first()).toContainText('Con foto del mar');
    await expect(commentsShown(page).getByRole('img', { name: /Imagen/ })).toHaveCount(1);
    await expect(commentField(page)).toHaveValue('');
    expect(sent).toHaveLength(1);
  });

  test('is sent without it once the upload was canceled', async ({ forum, openAs }) => {
    const { page, sent } = await openUploading(forum, openAs);
    await sendButton(page).click();
    await expect(waiting(page)).toBeVisible();
    await page.getByRole('button', { name: 'Cancelar' }).click();
    await expect(page.getByText('lenta.png')).toHaveCount(0);
    await expect(waiting(page)).toHaveCount(0);
    await expect(commentField(page)).toHaveValue('Con foto');
    expect(sent).toHaveLength(0);
    await sendButton(page).click();
    await expect(commentsShown(page)).toHaveCount(1);
    await expect(commentsShown(page).getByRole('img', { name: /Imagen/ })).toHaveCount(0);
  });

  test('is saved, as a change of a comment, by a press once the image has arrived', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await forum.comment(ana, channel._id, 'Uno');
    const page = await openAs(ana);
    const held = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
    await page.goto(pageRoutes.channel(channel._id));
    await page.getByRole('button', { name: /^Más acciones: n/ }).click();
    await page.getByRole('button', { name: 'Editar', exact: true }).click();
    const editor = page.getByRole('form', { name: 'Edita tu comentario' });
    await editor
      .getByLabel('Añadir imágenes')
      .setInputFiles(await plainImage('lenta.png', '#2255aa'));
    await expect.poll(() => held.requests.length).toBe(1);
    await editor.getByRole('button', { name: 'Guardar' }).click();
    await expect(waiting(page)).toBeVisible();
    held.release();
    await expect(altOf(page, 1)).toBeVisible();
    await editor.getByRole('button', { name: 'Guardar' }).click();
    await expect(editor).toHaveCount(0);
    await expect(commentsShown(page).getByRole('img', { name: /Imagen/ })).toHaveCount(1);
  });

  test('has the image once when two tabs upload it, and is sent once by either', async ({
    forum,
    openAs,
  }) => {
    const { page, held, sent } = await openUploading(forum, openAs);
    const second = await page.context().newPage();
    const heldBySecond = await holdRequests(second, 'POST', `**${apiRoutes.uploads}`);
    const sentBySecond = watchRequests(second, 'PUT', apiRoutes.comment);
    await second.goto(page.url());
    await expect(commentField(second)).toHaveValue('Con foto');
    await expect.poll(() => heldBySecond.requests.length).toBe(1);
    held.release();
    heldBySecond.release();
    for (const tab of [page, second]) {
      await expect(tab.getByText('lenta.png')).toHaveCount(0);
      await expect(altOf(tab, 1)).toBeVisible();
      await expect(altOf(tab, 2)).toHaveCount(0);
    }
    await sendButton(second).click();
    for (const tab of [page, second]) {
      await expect(commentField(tab)).toHaveValue('');
      await expect(commentsShown(tab).getByText('Con foto')).toHaveCount(1);
      await expect(commentsShown(tab).getByRole('img', { name: /Imagen/ })).toHaveCount(1);
    }
    expect(sent.length + sentBySecond.length).toBe(1);
  });

  test.describe('that is rejected', () => {
    test.use({ expectedErrors: [/status of 413|tus:/] });

    test('is not sent until the refused image is removed, which says why', async ({
      forum,
      openAs,
    }) => {
      const ana = await forum.person('Ana Belén');
      const channel = await openChannel(forum, ana);
      const page = await openAs(ana);
      const sent = watchRequests(page, 'PUT', apiRoutes.comment);
      await page.goto(pageRoutes.channel(channel._id));
      await commentField(page).fill('Con fotos');
      await input(page).setInputFiles(await plainImage('mar.png', '#2255aa'));
      await expect(altOf(page, 1)).toBeVisible();
      await page.route(`**${apiRoutes.uploads}`, respondWithProblem('quota_exceeded'));
      await input(page).setInputFiles(await plainImage('rechazada.png', '#ccaa55'));
      await expect(page.getByRole('alert')).toContainText(problems.quota_exceeded.detail);
      await sendButton(page).click();
      await afterFrames(page);
      await expect(sendButton(page)).not.toHaveAttribute('aria-busy');
      await expect(commentField(page)).toHaveValue('Con fotos');
      expect(sent).toHaveLength(0);
      await page.getByRole('button', { name: 'Quitar', exact: true }).click();
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expect(waiting(page)).toHaveCount(0);
      await sendButton(page).click();
      await expect(commentsShown(page).getByRole('img', { name: /Imagen/ })).toHaveCount(1);
    });
  });
});

test('the images of a comment that was sent cannot be changed until it is answered', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  await input(page).setInputFiles(await plainImage('mar.png', '#2255aa'));
  await altOf(page, 1).fill('El mar');
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
  await expect(commentsShown(page).getByRole('img', { name: 'El mar' })).toHaveCount(1);
  await expect(altOf(page, 1)).toHaveCount(0);
});

test('an upload that a reload interrupts continues, and an image that the browser lost is chosen again', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const page = await openAs(ana);
  const sent = watchRequests(page, 'PUT', apiRoutes.comment);
  const first = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).fill('Con fotos');
  await input(page).setInputFiles(await plainImage('lenta.png', '#2255aa'));
  await expect.poll(() => first.requests.length).toBe(1);
  await page.reload();
  await expect.poll(() => first.requests.length).toBe(2);
  await expect(page.getByText('lenta.png')).toBeVisible();
  await expect(commentField(page)).toHaveValue('Con fotos');
  first.release();
  await expect(altOf(page, 1)).toBeVisible();

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
  await expect(altOf(page, 1)).toBeVisible();
  await expect(page.getByText('perdida.png')).toHaveCount(0);
  second.release();
});

test.describe('a file that is not an image', () => {
  test.use({ expectedErrors: [/no es una imagen|está vacío/] });

  test('and one that is empty are refused, each with its reason, and can be removed', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(channel._id));
    await input(page).setInputFiles([
      { name: 'notas.txt', mimeType: 'text/plain', buffer: Buffer.from('hola') },
      { name: 'nada.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
    ]);
    await expect(page.getByRole('alert')).toHaveText([
      /^El archivo no es una imagen /,
      'El archivo está vacío. Elige otra imagen.',
    ]);
    const remove = page.getByRole('button', { name: 'Quitar', exact: true });
    await remove.first().click();
    await expect(page.getByText('notas.txt')).toHaveCount(0);
    await remove.click();
    await expect(page.getByText('nada.png')).toHaveCount(0);
    await expect(input(page)).toBeFocused();
  });
});
