import type { Locator, Page } from '@playwright/test';

/** The bar with the message about the latest event. It exists only while there is a message. */
export function statusBar(page: Page): Locator {
  return page.getByRole('region', { name: 'Aviso', exact: true });
}

/** Makes a page believe that its tab is hidden, as behind another one, or visible again. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}
