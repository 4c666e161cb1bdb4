import { expect, type Page } from '@playwright/test';

/** Zooms in, which makes the visual viewport as low as it is above a keyboard of this height in CSS pixels. */
export async function shrinkVisualViewport(page: Page, keyboardPx: number): Promise<void> {
  const height = page.viewportSize()?.height ?? 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setPageScaleFactor', {
    pageScaleFactor: height / (height - keyboardPx),
  });
  const seen = () => page.evaluate(() => Math.round(visualViewport?.height ?? 0));
  await expect.poll(seen).toBe(height - keyboardPx);
}
