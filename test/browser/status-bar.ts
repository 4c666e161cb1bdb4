import { expect, type Locator, type Page } from '@playwright/test';

/** The bar with the message about what has just happened; without one it is not there. */
export function statusBar(page: Page): Locator {
  return page.getByRole('region', { name: 'Aviso' });
}

/** Waits longer than it takes until the bar shows a message, and expects none. */
export async function expectNoStatus(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
  // `toHaveCount` would wait until the message leaves.
  expect(await statusBar(page).count()).toBe(0);
}
