import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Status } from '../../src/client/ui/status/status-bar.tsx';

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

/** Addresses of the script that renders the bar, and of its style sheets. */
function viewFiles(): { script: string; styleSheets: string[] } {
  const manifest = JSON.parse(readFileSync('dist/client/.vite/manifest.json', 'utf8'));
  const { file, css } = manifest['src/client/ui/status/status-view.tsx'];
  return { script: `/${file}`, styleSheets: css.map((sheet: string) => `/${sheet}`) };
}

/** Shows a message in the bar. Its action, if any, sets the document's title to `deshecho`. */
export async function showStatus(
  page: Page,
  status: Omit<Status, 'action'>,
  actionLabel?: string,
): Promise<void> {
  await page.evaluate(
    async ({ status, actionLabel, script, styleSheets }) => {
      // As in the page's own scripts, the style sheets come before the script that measures what it shows.
      for (const href of styleSheets) {
        const link = document.createElement('link');
        await new Promise((resolve) => {
          link.onload = resolve;
          Object.assign(link, { rel: 'stylesheet', href });
          document.head.append(link);
        });
      }
      const view = await import(script);
      const run = () => {
        document.title = 'deshecho';
      };
      view.renderStatus(actionLabel ? { ...status, action: { label: actionLabel, run } } : status);
    },
    { status, actionLabel, ...viewFiles() },
  );
  await expect(statusBar(page)).toContainText(status.text);
}
