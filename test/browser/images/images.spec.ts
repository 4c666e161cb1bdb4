import { randomBytes } from 'node:crypto';
import type { Page, Request } from '@playwright/test';
import sharp from 'sharp';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import type { StoredFile } from '../../../src/shared/images.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { coverField, createButton, openCreate, uploadedMark } from '../create-form.ts';
import { plainImage } from '../images.ts';
import { holdRequests, loseConnection } from '../network.ts';
import { signOut, stayIn } from '../people.ts';
import { expect, test } from '../quiet-forum.ts';
import { resumeUrl, unauthorized } from '../remembered.ts';

/**
 * Errors that the browser logs for missing covers and uploads, for uploads whose broken connection the server has
 * not noticed yet, for broken connections, and for revoked previews that Playwright's trace requests again.
 */
test.use({
  expectedErrors: [
    /40[49].* at \S*\/(files\/images|api\/uploads)\/|ERR_[A-Z_]+|tus: |status of 503|'blob:|El archivo|Un PDF/,
  ],
});

/** Submits the form and opens the new channel by its address, since the list may not show it. */
async function createAndVisit(page: Page): Promise<void> {
  const responded = page.waitForResponse((response) => response.url().endsWith(apiRoutes.channels));
  await createButton(page).click();
  const { _id } = (await (await responded).json()) as Channel;
  // The page leads home once it has deleted the stored cover.
  await expect(page).toHaveURL(pageRoutes.home);
  await page.goto(pageRoutes.channel(_id));
}

interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Random colours in patches of 8 x 8 pixels, so that the image differs from all earlier uploads. */
function patches(width: number, height: number) {
  const small = {
    width: Math.ceil(width / 8),
    height: Math.ceil(height / 8),
    channels: 3,
  } as const;
  return sharp(randomBytes(small.width * small.height * 3), { raw: small }).resize(width, height);
}

async function photo(width = 1000, height = 400): Promise<Chosen> {
  const buffer = await patches(width, height).jpeg({ quality: 100 }).toBuffer();
  return { name: 'Fiesta del barrio.jpg', mimeType: 'image/jpeg', buffer };
}

async function upload(forum: Forum, owner: Person, use: 'cover' | 'avatar', file: Chosen) {
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

/** Collects the requests that upload an image from now on. */
function watchUploads(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    const isUpload = new URL(request.url()).pathname.startsWith(apiRoutes.uploads);
    if (isUpload && ['POST', 'PATCH'].includes(request.method())) requests.push(request);
  });
  return requests;
}

function bytesOf(requests: Request[]): number {
  return Number(requests.find((one) => one.method() === 'POST')?.headers()['upload-length']);
}

/** Emulates a slow network and an offline browser. */
async function networkOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  const emulate = (offline: boolean, uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  // A photo takes about fifteen seconds. At a higher speed, the upload could end before a busy machine acts.
  const slow = 20_000;
  return {
    slowDown: () => emulate(false, slow),
    cut: () => emulate(true, slow),
    restore: () => emulate(false, -1),
  };
}

type Network = Awaited<ReturnType<typeof networkOf>>;

/** Chooses a photo and waits until part of it has reached the server. */
async function uploadPart(page: Page, network: Network): Promise<void> {
  await network.slowDown();
  await coverField(page).setInputFiles(await photo());
  await expect(page.getByText(/ de .*\s·\s[1-9][0-9]\s%/)).toBeVisible();
}

/** A `DataTransfer` with the file, as when a user drags it from the desktop. */
function transferOf(page: Page, file: Chosen) {
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

  const screens = [
    { width: 375, density: 1, card: '500', page: '1000' },
    { width: 1280, density: 2, card: '1000', page: '2000' },
  ];
  for (const screen of screens) {
    const context = await browser.newContext({
      baseURL: forum.url,
      viewport: { width: screen.width, height: 800 },
      deviceScaleFactor: screen.density,
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
    await expect.poll(cardSource).toBe(`${coverUrl}/${screen.card}.webp`);
    await expect(cardCover).toHaveAttribute('alt', '');

    await page.goto(pageRoutes.channel(channel._id));
    await page.locator('ol li').scrollIntoViewIfNeeded();
    await expect.poll(() => shown('main header img')).toBe(`${coverUrl}/${screen.page}.webp`);
    await expect.poll(() => shown('ol li img')).toBe(`${faceUrl}/90.webp`);
    await context.close();
  }
});

test('shows the tiles when a cover is missing', async ({ forum, page }) => {
  const author = await forum.person();
  const channel = await channelWithMissingCover(forum, author);
  await page.goto(pageRoutes.channel(channel._id));
  const cover = page.getByRole('img', { name: 'Portada de Cine de barrio' });
  await expect(cover).toHaveAttribute('src', `/azulejo/${channel._id}.svg`);
  await expect(cover).not.toHaveAttribute('srcset');
  await expect
    .poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
});

test('shows the tiles of a missing cover without JavaScript, within the page', async ({
  forum,
  browser,
}) => {
  const author = await forum.person();
  const channel = await channelWithMissingCover(forum, author);
  const context = await browser.newContext({
    baseURL: forum.url,
    javaScriptEnabled: false,
    viewport: { width: 375, height: 800 },
  });
  const page = await context.newPage();
  await page.goto(pageRoutes.channel(channel._id));
  const cover = page.getByRole('img', { name: 'Portada de Cine de barrio' });
  expect((await cover.boundingBox())?.width).toBe(375 - 2 * 20);
  // High contrast: tiles of two colours, not the grey box of a broken image.
  const { channels } = await sharp(await cover.screenshot()).stats();
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

test('rejects an unsuitable cover with a reason, here and on the console, before anything is sent, and sends one that is small enough unchanged', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  const requests = watchUploads(page);
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('blob:'))
      logged.push(message.text());
  });
  await openCreate(page);
  const files = {
    'acta.pdf': ['%PDF-1.7', /PDF no es una imagen.*JPEG o PNG/],
    'página.jpg': ['<!doctype html><script>alert(1)</script>', /no es una imagen JPEG, PNG/],
  } as const;
  for (const [name, [content, reason]] of Object.entries(files)) {
    // The bytes decide, not the declared type.
    const file = { name, mimeType: 'image/jpeg', buffer: Buffer.from(content) };
    await coverField(page).setInputFiles(file);
    await expect(page.getByText(name)).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText(reason);
    await expect.poll(() => logged.at(-1)).toMatch(reason);
  }
  expect(logged).toHaveLength(2);
  expect(requests).toEqual([]);
  const file = await photo();
  await coverField(page).setInputFiles(file);
  await expectUploaded(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(bytesOf(requests)).toBe(file.buffer.length);
});

test('an image over the limit is reduced before it is sent, upright and with its transparency', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  const requests = watchUploads(page);
  await openCreate(page);
  const background = { r: 43, g: 90, b: 76 };
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  // The orientation tag turns the transparent upper half to the right.
  const buffer = await sharp({ create: { width: 1500, height: 1500, channels: 3, background } })
    .extend({ top: 1500, background: clear })
    .withMetadata({ orientation: 6 })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(buffer.length).toBeGreaterThan(10 * 1024 * 1024);
  await coverField(page).setInputFiles({ name: 'recorte.png', mimeType: 'image/png', buffer });
  await expectUploaded(page);

  expect(bytesOf(requests)).toBeLessThan(buffer.length / 2);
  const stored: StoredFile = await forum.json('GET', apiRoutes.storedFile('images/recorte.png'));
  expect(stored.customMetadata).toMatchObject({ width: '2449', height: '1225' });
  const answer = await forum.call('GET', '/files/images/recorte.png');
  const alpha = sharp(Buffer.from(await answer.arrayBuffer())).extractChannel('alpha');
  const { data, info } = await alpha.raw().toBuffer({ resolveWithObject: true });
  const columns = [500, 1500].map((x) =>
    Array.from({ length: info.height }, (_, y) => data[y * info.width + x]),
  );
  expect(columns.map((column) => new Set(column))).toEqual([new Set([255]), new Set([0])]);
});

test('a photo that is made smaller keeps its type and name', async ({ forum, openAs }) => {
  const page = await openAs(await forum.person());
  await openCreate(page);
  const name = `foto ${crypto.randomUUID()}.JPG`;
  const buffer = await patches(3300, 1320).jpeg({ quality: 100 }).toBuffer();
  await coverField(page).setInputFiles({ name, mimeType: 'image/jpeg', buffer });
  await expectUploaded(page);
  const stored: StoredFile = await forum.json('GET', apiRoutes.storedFile(`images/${name}`));
  expect(stored).toMatchObject({ contentType: 'image/jpeg', fullPath: `images/${name}` });
  expect(stored.customMetadata).toMatchObject({ width: '2739' });
});

test('in a browser that gives back stripes of a canvas, a photo is sent as it is, and tiles as the site draws them', async ({
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

  const tiles = watchUploads(page);
  const asked = page.waitForRequest('**/azulejo/*.png');
  await page.getByRole('button', { name: 'Usar un azulejo' }).click();
  await expect(page.getByText(/^azulejo-/)).toBeVisible();
  await expectUploaded(page);
  const drawn = await fetch((await asked).url());
  expect(bytesOf(tiles)).toBe((await drawn.arrayBuffer()).byteLength);
});

test('an interrupted upload resumes by itself where it stopped', async ({ forum, openAs }) => {
  const page = await openAs(await forum.person());
  const requests = watchUploads(page);
  await openCreate(page);
  const network = await networkOf(page);
  await uploadPart(page, network);
  // The browser still considers itself online.
  await page.route(`**${apiRoutes.uploads}/*`, loseConnection);
  forum.loseConnections();
  // At the slow speed, the browser would not notice the loss before the time to send the whole photo had passed.
  await network.restore();
  await expect(page.getByText('Sin conexión: la subida seguirá sola cuando vuelva.')).toBeVisible();
  await page.unroute(`**${apiRoutes.uploads}/*`);
  await expectUploaded(page);
  expect(requests.map((one) => one.method())).toEqual(['POST', 'PATCH', 'PATCH']);
  expect(Number(requests.at(-1)?.headers()['upload-offset'])).toBeGreaterThan(0);
});

test.describe('an upload whose session ends', () => {
  test.use({
    expectedErrors: [new RegExp(`${unauthorized.source}|ERR_[A-Z_]+|tus: |No se pudo subir`)],
  });

  test('is sent once when the network is lost while the session is renewed', async ({
    forum,
    page,
  }) => {
    const person = await forum.person();
    await stayIn(page, person);
    await openCreate(page);
    const { db } = forum.services;
    await db.deleteFrom('sessions').where('account_id', '=', person.id).execute();
    const requests = watchUploads(page);
    const network = await networkOf(page);
    const held = await holdRequests(page, 'POST', resumeUrl);
    await coverField(page).setInputFiles(await photo());
    // Another request may have renewed the session earlier, while the upload's scripts were loading.
    await expect.poll(() => requests.length).toBeGreaterThan(0);
    await expect.poll(() => held.requests.length).toBe(1);
    await network.cut();
    held.release();
    await expect(page.getByText('No se pudo subir la imagen.')).toBeVisible();
    await network.restore();
    await expectUploaded(page);
    // The request is rejected, rejected again with the same token, then sent with the new one.
    expect(requests.map((one) => one.method())).toEqual(['POST', 'POST', 'POST', 'PATCH']);
  });
});

test('an upload begins anew where another machine gets its bytes', async ({ forum, openAs }) => {
  const page = await openAs(await forum.person());
  const requests = watchUploads(page);
  let firstUpload: string | undefined;
  await page.route(`**${apiRoutes.uploads}/*`, (route) => {
    const url = route.request().url();
    firstUpload ??= url;
    if (url !== firstUpload) return route.fallback();
    return route.fulfill({
      status: 404,
      contentType: 'application/problem+json',
      json: { type: '', title: '', status: 404, code: 'upload_not_found', detail: 'No existe' },
    });
  });
  await openCreate(page);
  await coverField(page).setInputFiles(await photo());
  await expectUploaded(page);
  expect(requests.map((one) => one.method())).toEqual(['POST', 'PATCH', 'POST', 'PATCH']);
  expect(requests.at(-1)?.headers()['upload-offset']).toBe('0');
});

test('an upload whose last response is lost is sent again and gives the same image', async ({
  forum,
  openAs,
}) => {
  const person = await forum.person();
  const page = await openAs(person);
  const requests = watchUploads(page);
  let isLost = false;
  await page.route(`**${apiRoutes.uploads}/*`, async (route) => {
    if (isLost || route.request().method() !== 'PATCH') return route.fallback();
    isLost = true;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await openCreate(page);
  await coverField(page).setInputFiles(await photo());
  await expectUploaded(page);
  expect(requests.map((one) => one.method())).toEqual(['POST', 'PATCH', 'POST', 'PATCH']);
  const images = forum.services.db.selectFrom('images').select('url');
  expect(await images.where('account_id', '=', person.id).execute()).toHaveLength(1);
});

test('a reload during an upload loses neither texts nor uploaded bytes', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  await openCreate(page);
  await page.getByLabel('Título').fill('Huerto en la azotea');
  await page.getByLabel('Descripción', { exact: true }).fill('Tomates, y quien los riegue.');
  await page.getByLabel('Texto alternativo de la portada').fill('Una azotea con macetas');
  const network = await networkOf(page);
  await uploadPart(page, network);

  const requests = watchUploads(page);
  await page.reload();
  await network.restore();
  await expect(page.getByLabel('Título')).toHaveValue('Huerto en la azotea');
  await expectUploaded(page);
  expect(requests.map((one) => one.method())).toEqual(['PATCH']);
  expect(Number(requests[0]?.headers()['upload-offset'])).toBeGreaterThan(0);

  // After the upload has finished, another reload sends nothing.
  await page.reload();
  await expectUploaded(page);
  expect(requests).toHaveLength(1);
  await createAndVisit(page);
  await expect(page.getByRole('img', { name: 'Una azotea con macetas' })).toBeVisible();
});

test('signing out deletes the stored files', async ({ forum, openAs }) => {
  const page = await openAs(await forum.person());
  await openCreate(page);
  await page.getByLabel('Título').fill('Cosas mías');
  await coverField(page).setInputFiles(await photo());
  await expectUploaded(page);
  await expect.poll(() => countStoredFiles(page)).toBe(1);
  await signOut(page);
  await expect.poll(() => countStoredFiles(page)).toBe(0);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

function countStoredFiles(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open('tertulia'));
    const count = await done(database.transaction('files').objectStore('files').count());
    database.close();
    return count;
  });
}
