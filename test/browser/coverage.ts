import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';

/** Folder for records of the functions that pages execute, set by `npm run coverage`. */
const folder = process.env.BROWSER_COVERAGE;

const start = (page: Page) => page.coverage.startJSCoverage({ resetOnNavigation: false });

async function finish(page: Page, to: string): Promise<void> {
  const entries = await page.coverage.stopJSCoverage();
  // Leaves out the sources, which would be the same megabyte for each page.
  const executed = entries.map(({ url, scriptId, functions }) => ({ url, scriptId, functions }));
  if (executed.length > 0)
    writeFileSync(path.join(to, `${randomUUID()}.json`), JSON.stringify(executed));
}

/** Records the functions executed in pages that a test opens in this context, if a folder is set. */
export function recordCoverage(context: BrowserContext): void {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const recorded = new Set<Page>();
  const { newPage, close } = context;
  context.newPage = async () => {
    const page = await newPage.call(context);
    try {
      await start(page);
    } catch {
      // A page without JavaScript has nothing to record.
      return page;
    }
    recorded.add(page);
    page.once('close', () => recorded.delete(page));
    const { goto, reload, close } = page;
    // The browser discards the scripts of a document when it leaves it.
    page.goto = async (...args) => {
      await finish(page, folder);
      await start(page);
      return goto.apply(page, args);
    };
    page.reload = async (...args) => {
      await finish(page, folder);
      await start(page);
      return reload.apply(page, args);
    };
    page.close = async (...args) => {
      recorded.delete(page);
      await finish(page, folder);
      await close.apply(page, args);
    };
    return page;
  };
  context.close = async (...args) => {
    for (const page of recorded) await finish(page, folder);
    await close.apply(context, args);
  };
}
