import { expect, test } from '../fixtures.ts';

test("the API's description is read and tried on its page", async ({ page }) => {
  // Leaves one operation, because the page takes seconds to render all of them.
  await page.route('**/api/docs/json', async (route) => {
    const response = await route.fetch();
    const { paths, ...others } = await response.json();
    await route.fulfill({
      response,
      json: { ...others, paths: { '/healthz': paths['/healthz'] } },
    });
  });
  await page.goto('/api/docs');
  await page.getByText('El proceso está en marcha y no se está parando', { exact: true }).click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Server response' })).toBeVisible();
  await expect(page.getByText('estado', { exact: true })).toBeVisible();
});
