import type { Locator, Page } from '@playwright/test';

/** The bar with the message about what has just happened; without one it is not there. */
export function statusBar(page: Page): Locator {
  return page.getByRole('region', { name: 'Aviso', exact: true });
}

/** Tells a page that its tab is hidden, as behind another one, or shown again. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}
