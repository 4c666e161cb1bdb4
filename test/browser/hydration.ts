import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';

const time = 'ahora mismo|ayer|anteayer|hace .*';

/** The names of buttons but for those of times since something happened. */
export const notATime = new RegExp(`^(?!(${time})$)`);

/** Times since something happened. The server renders dates instead: these show that the page is hydrated. */
export function timesAgo(page: Page): Locator {
  return page.locator('time', { hasText: new RegExp(`^(${time})$`) });
}

/** Opens the home page and waits until it has fetched its list, which it does once it is hydrated. */
export async function openHome(page: Page, url: string = pageRoutes.home): Promise<void> {
  const listed = page.waitForResponse(
    (response) => new URL(response.url()).pathname === apiRoutes.channels,
  );
  await page.goto(url);
  await (await listed).finished();
}
