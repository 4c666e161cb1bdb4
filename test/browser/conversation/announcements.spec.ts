import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { staff } from '../../forum/moderators.ts';
import { commentField, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';

// Announcements would stand on the home page of other tests.
test.use({ forumName: 'announcements', expectedErrors: [/net::ERR_FAILED/] });

const onHome = (page: Page) => page.getByRole('region', { name: 'Comunicados' });
const acknowledgeButton = (page: Page) => page.getByRole('button', { name: 'Leído', exact: true });

test('an announcement says whom it reaches, stands on home until one says that it was read, and moderators see who has', async ({
  forum,
  openAs,
}) => {
  const eva = await staff(forum);
  const [ana, leo] = [await forum.person('=Ana'), await forum.person('Leo')];
  const { _id } = await openChannel(forum, eva, { name: 'Secretaría' });
  const page = await openAs(eva);
  await page.goto(pageRoutes.channel(_id));
  await commentField(page).fill('El jueves hay asamblea.');
  await page.getByRole('button', { name: 'Añadir…' }).click();
  await page.getByRole('button', { name: 'Comunicado', exact: true }).click();
  await expect(page.getByText(/^Llegará a 2 personas: 2 solo al entrar\.$/)).toBeVisible();
  await page.getByLabel('Pedir confirmación de lectura').check();
  await page.reload();
  await expect(page.getByLabel('Pedir confirmación de lectura')).toBeChecked();
  await sendButton(page).click();
  await expect(page.getByText('Comunicado', { exact: true })).toBeVisible();
  await expect(acknowledgeButton(page)).toHaveCount(0);

  const reader = await openAs(ana);
  await reader.goto(pageRoutes.home);
  await expect(onHome(reader).getByText('El jueves hay asamblea.')).toBeVisible();
  await expect(onHome(reader).getByText('Lo verá quien modera.')).toBeVisible();
  await acknowledgeButton(reader).click();
  await expect(onHome(reader)).toHaveCount(0);
  // The served page has it, for everybody; this browser paints it neither before its scripts run nor after.
  await reader.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await reader.reload({ waitUntil: 'domcontentloaded' });
  await expect(reader.getByText('El jueves hay asamblea.')).toHaveCount(1);
  await expect(reader.getByText('El jueves hay asamblea.')).toBeHidden();
  await reader.unrouteAll();

  const second = await openAs(leo);
  await second.goto(pageRoutes.channel(_id));
  await acknowledgeButton(second).click();
  await expect(second.getByText('Has dicho que lo has leído.')).toBeVisible();
  await second.reload();
  await expect(second.getByText('Has dicho que lo has leído.')).toBeVisible();

  const plain = await openAs(null, { javaScriptEnabled: false });
  await plain.goto(pageRoutes.home);
  await expect(onHome(plain).getByText('El jueves hay asamblea.')).toBeVisible();
  await expect(plain.getByText('Lo verá quien modera.')).toHaveCount(0);

  await page.getByText('Quién lo ha leído').click();
  await expect(page.getByText('Lo han leído 2 de 2.')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Guardar la lista (CSV)' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv).toContain('"\'=Ana";"');
});
