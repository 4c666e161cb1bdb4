import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import {
  createButton,
  descriptionField,
  openCreate,
  titleField,
  uploadedMark,
} from '../create-form.ts';
import { loseConnection } from '../network.ts';
import { expect, test } from '../quiet-forum.ts';

const useTiles = (page: Page) => page.getByRole('button', { name: 'Usar un azulejo', exact: true });
const fileName = (page: Page) => page.getByText(/^azulejo-\w+\.png/);

test.use({ expectedErrors: [/ERR_CONNECTION_FAILED at \S+\/azulejo\//] });

test('a tile pattern becomes the cover, another one at each tap, unless it cannot be drawn', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  await page.route('**/azulejo/*', loseConnection);
  await openCreate(page);
  await titleField(page).fill('Con azulejo');
  await descriptionField(page).fill('Sin una imagen a mano.');
  await expect(useTiles(page)).toHaveAccessibleDescription(/Cada vez sale uno distinto/);
  await useTiles(page).click();
  await expect(page.getByText('No se pudo dibujar el azulejo.')).toBeVisible();
  await expect(uploadedMark(page)).toBeHidden();

  await page.unroute('**/azulejo/*');
  await useTiles(page).click();
  const first = await fileName(page).innerText();
  await expect(uploadedMark(page)).toBeVisible();
  await expect(useTiles(page)).toBeFocused();
  await useTiles(page).click();
  await expect(fileName(page)).not.toHaveText(first);
  await expect(uploadedMark(page)).toBeVisible();
  const preview = page.getByRole('main').locator('img[src$="/1000.webp"]');
  await expect(preview).toHaveJSProperty('naturalWidth', 1000);
  await expect(preview).toHaveJSProperty('naturalHeight', 400);

  const shown = (await fileName(page).innerText()).split(/\s/)[0];
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith(apiRoutes.channels),
  );
  await createButton(page).click();
  expect((await sent).postDataJSON().cover).toBe(`/files/images/${shown}`);
  await expect(page).toHaveURL(pageRoutes.home);
  const cover = page.getByRole('article').filter({ hasText: 'Con azulejo' }).locator('img').first();
  await expect(cover).toHaveAttribute('src', `/files/images/${shown}/1000.webp`);
  await expect(cover).not.toHaveJSProperty('naturalWidth', 0);
});
