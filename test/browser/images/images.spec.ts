import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import type { StoredFile } from '../../../src/shared/images.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { coverField, openCreate, uploadedMark } from '../create-form.ts';
import { type ChosenFile, patches, photo, plainImage } from '../images.ts';
import { expect, test } from '../quiet-forum.ts';
import { bytesOf, watchUploads } from '../uploads.ts';

/**
 * Errors that the browser logs for missing covers and uploads, for uploads whose broken connection the server has
 * not noticed yet, for broken connections, and for revoked previews that Playwright's trace requests again.
 */
test.use({
  expectedErrors: [
    /40[49].* at \S*\/(files\/images|api\/uploads)\/|ERR_[A-Z_]+|tus: |status of 503|'blob:|El archivo|Un PDF/,
  ],
});

async function upload(forum: Forum, owner: Person, use: 'cover' | 'avatar', file: ChosenFile) {
  const answer = await forum.upload(owner, file.buffer, { use, filename: file.name });
  return (await answer.json()) as StoredFile;
}

/** A channel whose cover has an address but no file. */
async function channelWithMissingCover(forum: Forum, author: Person): Promise<Channel> {
  const channel = await forum.channel(author);
  const cover = '/files/images/a.jpg';
  await forum.services.db
    .updateTable('channels')
    .set({ cover })
    .where('id', '=', channel._id)
    .execute();
  return { ...channel, cover };
}

function createChannel(forum: Forum, author: Person, cover: string): Promise<Channel> {
  const body = { name: 'Cine de barrio', description: 'Películas.', cover };
  return forum.json('POST', apiRoutes.channels, { token: author.token, body });
}

async function expectUploaded(page: Page): Promise<void> {
  await expect(uploadedMark(page)).toBeVisible();
}

/** A `DataTransfer` with the file, as when a user drags it from the desktop. */
function transferOf(page: Page, file: ChosenFile) {
  const { name, mimeType } = file;
  return page.evaluateHandle(
    ([fileName, type, base64]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], fileName, { type }));
      return transfer;
    },
    [name, mimeType, file.buffer.toString('base64')] as const,
  );
}

test('loads the image variant that suits the screen', async ({ forum, browser }) => {
  const author = await forum.person();
  const face = await upload(forum, author, 'avatar', await photo(400, 400));
  await forum.json('PUT', apiRoutes.updateImage, {
    token: author.token,
    body: { img: face.downloadURL },
  });
  const background = '#2255aa';
  const buffer = await sharp({ create: { width: 2000, height: 800, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const plain = { name: 'Azul.jpg', mimeType: 'image/jpeg', buffer };
  const cover = await upload(forum, author, 'cover', plain);
  const channel = await createChannel(forum, author, cover.downloadURL);
  await forum.comment(author, channel._id, '¿Quién viene?');

  const context = await browser.newContext({
    baseURL: forum.url,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
  });
  const page = await context.newPage();
  const shown = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((image: HTMLImageElement) => image.currentSrc);
  const [coverUrl, faceUrl] = [cover, face].map((file) => `${forum.url}${file.downloadURL}`);

  await page.goto(pageRoutes.home);
  const card = page.locator('article', { has: page.locator(`a[href$="${channel._id}"]`) });
  await card.scrollIntoViewIfNeeded();
  const cardCover = card.locator('img').first();
  const cardSource = () => cardCover.evaluate((image: HTMLImageElement) => image.currentSrc);
  await expect.poll(cardSource).toBe(`${coverUrl}/1000.webp`);
  await expect(cardCover).toHaveAttribute('alt', '');

  await page.goto(pageRoutes.channel(channel._id));
  await page.locator('ol li').scrollIntoViewIfNeeded();
  await expect.poll(() => shown('main header img')).toBe(`${coverUrl}/2000.webp`);
  await expect.poll(() => shown('ol li img')).toBe(`${faceUrl}/90.webp`);
  await context.close();
});

test('shows the tiles when a cover is missing, also without JavaScript, within the page', async ({
  forum,
  page,
  browser,
}) => {
  const channel = await channelWithMissingCover(forum, await forum.person());
  const coverOn = (visited: Page) =>
    visited.getByRole('img', { name: 'Portada de Cine de barrio' });
  await page.goto(pageRoutes.channel(channel._id));
  await expect(coverOn(page)).toHaveAttribute('src', `/azulejo/${channel._id}.svg`);
  await expect(coverOn(page)).not.toHaveAttribute('srcset');
  await expect(coverOn(page)).not.toHaveJSProperty('naturalWidth', 0);

  const context = await browser.newContext({
    baseURL: forum.url,
    javaScriptEnabled: false,
    viewport: { width: 375, height: 800 },
  });
  const plain = await context.newPage();
  await plain.goto(pageRoutes.channel(channel._id));
  expect((await coverOn(plain).boundingBox())?.width).toBe(375 - 2 * 20);
  // High contrast: tiles of two colours, not the grey box of a broken image.
  const { channels } = await sharp(await coverOn(plain).screenshot()).stats();
  expect(channels[0]?.stdev).toBeGreaterThan(60);
  await context.close();
});

test('a cover can be dropped, where the page shows, or pasted, and text is pasted into its field', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person(), {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await openCreate(page);
  const title = page.getByLabel('Título');
  await page.evaluate(() => navigator.clipboard.writeText('Mercado de los martes'));
  await title.press('Control+V');
  await expect(title).toHaveValue('Mercado de los martes');

  const dropped = await plainImage('soltada.png');
  const dataTransfer = await transferOf(page, dropped);
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await expect(page.getByText('Suelta la imagen para subirla')).toBeVisible();
  await page.dispatchEvent('body', 'dragleave', {});
  await expect(page.getByText('Elige una imagen')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
  await expectUploaded(page);
  await expect(page.getByText('soltada.png')).toBeVisible();

  const stored = page.waitForResponse((one) => one.url().includes(apiRoutes.storedFile('')));
  const { buffer } = await plainImage('pegada.png', '#aa2222');
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const blob = new Blob([bytes], { type: 'image/png' });
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
  }, buffer.toString('base64'));
  await title.press('Control+V');
  await stored;
  await expect(page.getByText('soltada.png')).toHaveCount(0);
  await expectUploaded(page);
  await expect(title).toHaveValue('Mercado de los martes');
});

test('an image over the limit is reduced before it is sent, upright, with its transparency and its name', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  const requests = watchUploads(page);
  await openCreate(page);
  const background = { r: 43, g: 90, b: 76 };
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  // The orientation tag turns the transparent upper half to the right.
  const buffer = await sharp({ create: { width: 1500, height: 1100, channels: 3, background } })
    .extend({ top: 1100, background: clear })
    .withMetadata({ orientation: 6 })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(buffer.length).toBeGreaterThan(10 * 1024 * 1024);
  await coverField(page).setInputFiles({ name: 'recorte.png', mimeType: 'image/png', buffer });
  await expectUploaded(page);

  expect(bytesOf(requests)).toBeLessThan(buffer.length / 2);
  const stored: StoredFile = await forum.json('GET', apiRoutes.storedFile('images/recorte.png'));
  expect(stored.customMetadata).toMatchObject({ width: '2098', height: '1430' });
  const answer = await forum.call('GET', '/files/images/recorte.png');
  const alpha = sharp(Buffer.from(await answer.arrayBuffer())).extractChannel('alpha');
  const { data, info } = await alpha.raw().toBuffer({ resolveWithObject: true });
  const columns = [500, 1500].map((x) =>
    Array.from({ length: info.height }, (_, y) => data[y * info.width + x]),
  );
  expect(columns.map((column) => new Set(column))).toEqual([new Set([255]), new Set([0])]);
});

test('in a browser that returns stripes for a canvas, a photo is sent as it is', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  await page.addInitScript(() => {
    const { convertToBlob } = OffscreenCanvas.prototype;
    OffscreenCanvas.prototype.convertToBlob = function (options) {
      const stripes = new OffscreenCanvas(this.width, this.height);
      const context = stripes.getContext('2d');
      for (let x = 0; x < this.width; x += 8) context?.fillRect(x, 0, 4, this.height);
      return convertToBlob.call(stripes, options);
    };
  });
  await openCreate(page);
  const photos = watchUploads(page);
  const buffer = await patches(3300, 1320).jpeg({ quality: 100 }).toBuffer();
  await coverField(page).setInputFiles({ name: 'grande.jpg', mimeType: 'image/jpeg', buffer });
  await expectUploaded(page);
  expect(bytesOf(photos)).toBe(buffer.length);
});
