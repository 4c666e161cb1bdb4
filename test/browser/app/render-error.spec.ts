import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedErrors: [/not valid as a React child|Minified React error|page-boundary/] });

test('a list that fails to render shows an error, and the rest of the page stays', async ({
  forum,
  page,
}) => {
  const channel = await forum.channel(await forum.person());
  await page.route(`**${apiRoutes.channels}?*`, (route) =>
    route.fulfill({ json: { data: [{ ...channel, name: { no: 'text' } }], next: null } }),
  );
  await page.goto('/');
  await expect(page.getByRole('alert')).toHaveText('No se pudo mostrar esta parte de la página');
  await expect(page.getByRole('heading', { name: 'Bienvenidos a tertulia' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('link', { name: channel.name }).first()).toBeVisible();
});
