import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';

/** Folder for records of the functions that pages execute, set by `npm run coverage`. */
const folder = process.env.BROWSER_COVERAGE;
const everyMs = 200;

/** @returns a function that writes what the page has executed since the previous call */
async function record(page: Page, to: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return async () => {
    const { result } = await session.send('Profiler.takePreciseCoverage');
    const executed = result.filter(
      ({ url, functions }) =>
        url.startsWith('http') && functions.some(({ ranges }) => ranges.some(({ count }) => count)),
    );
    if (executed.length > 0)
      writeFileSync(path.join(to, `${randomUUID()}.json`), JSON.stringify(executed));
  };
}

/** Records the functions executed in pages that a test opens in this context, if a folder is set. */
export function recordCoverage(context: BrowserContext): void {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const finishes = new Map<Page, () => Promise<void>>();
  const { newPage, close } = context;
  context.newPage = async () => {
    const page = await newPage.call(context);
    let write: () => Promise<void>;
    try {
      write = await record(page, folder);
    } catch {
      // A page without JavaScript has nothing to record.
      return page;
    }
    // The browser discards the scripts of a document when it leaves it, which a script can do, as after signing out.
    const timer = setInterval(() => void write().catch(() => {}), everyMs);
    const finish = async () => {
      clearInterval(timer);
      await write();
    };
    finishes.set(page, finish);
    page.on('request', (request) => {
      if (request.isNavigationRequest()) void write().catch(() => {});
    });
    page.once('close', () => {
      clearInterval(timer);
      finishes.delete(page);
    });
    const { goto, reload, close } = page;
    page.goto = async (...args) => {
      await write();
      return goto.apply(page, args);
    };
    page.reload = async (...args) => {
      await write();
      return reload.apply(page, args);
    };
    page.close = async (...args) => {
      finishes.delete(page);
      await finish();
      await close.apply(page, args);
    };
    return page;
  };
  context.close = async (...args) => {
    for (const finish of finishes.values()) await finish();
    await close.apply(context, args);
  };
}
