import type { Locator, Page } from '@playwright/test';

/** The bar with the message about what has just happened; without one it is not there. */
export function statusBar(page: Page): Locator {
  return page.getByRole('region', { name: 'Aviso', exact: true });
}
