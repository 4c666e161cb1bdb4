import type { Page } from '@playwright/test';

/**
 * Makes the pages of a tab request changed comments a second after they learn of the change: else they wait for up to
 * three, so that not all readers ask at once.
 */
export const requestChangesPromptly = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Math.random = () => 0;
  });
