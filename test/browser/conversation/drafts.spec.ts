import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, sendComment } from '../comments.ts';
import { openChannel } from '../community.ts';
import {
  coverField,
  createButton,
  descriptionField,
  openCreate,
  titleField,
  uploadedMark,
} from '../create-form.ts';
import { expect, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';

test.describe('the draft of a deleted channel', () => {
  test.use({
    expectedErrors: [
      /status of 404|ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module|Unable to preload CSS/,
    ],
  });

  test('is shown to its author until it is discarded', async ({ forum, openAs }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    await expect(commentField(page)).toBeVisible();
    await page.context().setOffline(true);
    await sendComment(page, 'Enviado sin red');

    await forum.json('DELETE', apiRoutes.channel(_id), { token: ana.token });
    await page.getByRole('link', { name: 'tertulia' }).first().click();
    await page.context().setOffline(false);
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Página no encontrada' })).toBeVisible();
    await expect(page.getByLabel('Lo que estabas escribiendo aquí')).toHaveValue('Enviado sin red');
    await page.getByRole('button', { name: 'Descartar' }).click();
    await expect(page.getByLabel('Lo que estabas escribiendo aquí')).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });
});

test('the draft of a channel typed in another tab while this tab creates its own is kept', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  const other = await page.context().newPage();
  for (const tab of [page, other]) await openCreate(tab);
  await titleField(page).fill('De esta pestaña');
  await descriptionField(page).fill('Una.');
  await coverField(page).setInputFiles(await plainImage());
  await expect(uploadedMark(page)).toBeVisible();
  const typed = 'De la otra pestaña';
  await page.route(apiRoutes.channels, async (route) => {
    await titleField(other).fill(typed);
    await page.waitForFunction((text) => JSON.stringify(localStorage).includes(text), typed);
    await route.continue();
  });
  await createButton(page).click();
  await expect(page).toHaveURL(pageRoutes.home);
  await other.reload();
  await expect(titleField(other)).toHaveValue(typed);
});
