import type { BrowserContext } from '@playwright/test';

/**
 * Makes pages request changed comments a second after they learn of the change: else they wait for up to three, so that
 * not all readers ask at once.
 */
export const requestChangesPromptly = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const { random } = Math;
    Math.random = () => random() / 1000;
  });
