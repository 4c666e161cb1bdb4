import type { Locator, Page } from '@playwright/test';

/** Times since something happened. The server renders dates instead: these show that the page is hydrated. */
export function timesAgo(page: Page): Locator {
  return page.locator('time', { hasText: /^(ahora mismo|ayer|anteayer|hace .*)$/ });
}
