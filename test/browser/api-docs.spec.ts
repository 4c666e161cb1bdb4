import { expect, test } from './fixtures.ts';

test("the API's description is read and tried in Spanish", async ({ page }) => {
  await page.goto('/api/docs');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await page.getByText('El proceso vive', { exact: true }).click();
  await page.getByRole('button', { name: 'Probar' }).click();
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await expect(page.getByText('Respuesta del servidor')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Parámetros' })).toBeVisible();
  await expect(page.getByText('estado', { exact: true })).toBeVisible();
  for (const english of [
    'Try it out',
    'Execute',
    'Responses',
    'Request URL',
    'Server response',
    'health',
  ]) {
    await expect(page.getByText(english, { exact: true })).toHaveCount(0);
  }
});
