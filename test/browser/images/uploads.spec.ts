import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { coverField, createButton, openCreate, uploadedMark } from '../create-form.ts';
import { photo } from '../images.ts';
import { failOnce, loseAnswer } from '../network.ts';
import { signOut } from '../people.ts';
import { expect, test } from '../quiet-forum.ts';
import { networkOf, uploadPart, watchUploads } from '../uploads.ts';

/** Errors that the browser logs for lost connections and for uploads whose loss the server has not noticed yet. */
test.use({
  expectedErrors: [
    /40[49].* at \S*\/(files\/images|api\/uploads)\/|ERR_[A-Z_]+|tus: |status of 503|'blob:/,
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

const expectUploaded = (page: Page) => expect(uploadedMark(page)).toBeVisible();

test('an upload can be paused, and resumes where it stopped, as does by itself one that was interrupted', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  const requests = watchUploads(page);
  await openCreate(page);
  const network = await networkOf(page);
  await uploadPart(page, network);
  await page.getByRole('button', { name: 'Pausar' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Subida en pausa' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pausar' })).toBeHidden();
  await expect(uploadedMark(page)).toBeHidden();
  const progress = page.getByRole('progressbar');
  const position = () => progress.evaluate((bar: HTMLProgressElement) => bar.position);
  const pausedAt = await position();
  await page.getByRole('button', { name: 'Reanudar' }).click();
  // Only then is there a connection to lose.
  await expect.poll(position).toBeGreaterThan(pausedAt + 0.05);

  // The browser still considers itself online.
  const reconnect = forum.cutConnections();
  // At the slow speed, the browser would not notice the loss before the time to send the whole photo had passed.
  await network.restore();
  await expect(page.getByText('Sin conexión: la subida seguirá sola cuando vuelva.')).toBeVisible();
  reconnect();
  await expectUploaded(page);
  expect(requests.map((one) => one.method())).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH']);
  const offsets = requests.slice(1).map((one) => Number(one.headers()['upload-offset']));
  expect(offsets[0]).toBe(0);
  expect(offsets[1]).toBeGreaterThan(0);
  expect(offsets[2]).toBeGreaterThanOrEqual(offsets[1] ?? 0);
});

test('an upload whose last response is lost is sent again and gives the same image', async ({
  forum,
  openAs,
}) => {
  const person = await forum.person();
  const page = await openAs(person);
  const requests = watchUploads(page);
  await openCreate(page);
  await failOnce(page, 'PATCH', `**${apiRoutes.uploads}/*`, loseAnswer);
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
  await page.getByLabel('¿Qué se ve en la portada?').fill('Una azotea con macetas');
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
