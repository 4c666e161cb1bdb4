import { expect, type Page } from '@playwright/test';
import { findingsInThemes } from './view-checks.ts';

/** Expects no axe violation in either theme, and nothing wider than the window. */
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
