import { expect, type Page } from '@playwright/test';
import { findingsInThemes } from './view-checks.ts';

/** Checks that neither theme has a fault that axe finds, and that nothing is wider than the screen. */
export async function expectSound(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await findingsInThemes(page)).toEqual({ light: [], dark: [] });
  const tooWide = await page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth - 10)
      .map((element) => element.outerHTML.slice(0, 80)),
  );
  expect(tooWide).toEqual([]);
}
