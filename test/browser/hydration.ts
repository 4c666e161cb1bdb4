import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';

const time = 'ahora mismo|ayer|anteayer|hace .*|[a-záé]{3} .*, \\d+:\\d\\d';

/** Relative times and hours. The server renders dates instead, so these show that the page is hydrated. */
export function timesAgo(page: Page): Locator {
  return page.locator('time', { hasText: new RegExp(`^(${time})$`) });
}

/** Opens the home page and waits until it has fetched its list, which it does after hydration. */
export async function openHome(page: Page, url: string = pageRoutes.home): Promise<void> {
  const listed = page.waitForResponse(
    (response) => new URL(response.url()).pathname === apiRoutes.channels,
  );
  await page.goto(url);
  await (await listed).finished();
}
