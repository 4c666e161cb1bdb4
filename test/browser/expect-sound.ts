import { expect, type Page } from '@playwright/test';
import { axeFindings, themes } from './view-checks.ts';

/**
 * Checks that neither theme has a fault that axe finds, and that nothing is wider than the screen.
 * With `SCREENSHOTS`, a folder, keeps what was seen.
 */
export async function expectSound(page: Page): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect(await axeFindings(page)).toEqual([]);
    const tooWide = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth - 10)
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(tooWide).toEqual([]);
    const shots = process.env.SCREENSHOTS;
    if (shots) {
      const name = `${new URL(page.url()).pathname.slice(1)}-${colorScheme}-${Date.now()}.png`;
      await page.screenshot({ path: `${shots}/${name}`, fullPage: true });
    }
  }
}
