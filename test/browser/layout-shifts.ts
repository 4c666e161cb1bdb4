import type { Page } from '@playwright/test';

/**
 * Delays the scripts until the whole page from the server has been painted. A busy browser paints a part of it before.
 * The performance mark `scripts` says when they could run.
 */
export async function runScriptsAfterPaint(page: Page): Promise<void> {
  const { promise: isPainted, resolve: painted } = Promise.withResolvers<void>();
  await page.exposeFunction('reportPainted', painted);
  await page.addInitScript(() => {
    const { reportPainted } = window as unknown as { reportPainted: () => void };
    const parsed = new Promise((resolve) => {
      document.addEventListener('readystatechange', resolve, { once: true });
    });
    const painted = new Promise<void>((resolve) => {
      new PerformanceObserver((list, observer) => {
        if (list.getEntriesByName('first-contentful-paint').length === 0) return;
        observer.disconnect();
        resolve();
      }).observe({ type: 'paint', buffered: true });
    });
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    void Promise.all([parsed, painted])
      .then(frame)
      .then(frame)
      .then(() => {
        performance.mark('scripts');
        reportPainted();
      });
  });
  await page.route('**/assets/*.js', async (route) => {
    await isPainted;
    await route.continue();
  });
}

/**
 * The layout shifts since the scripts could run, with the elements that moved. The page was opened after
 * `runScriptsAfterPaint`: what moves before, while a busy browser paints parts of the page, is not counted.
 */
export async function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // Lazy images far below the window, or in a part that is not displayed, are never loaded.
    const shown = [...document.images].filter(
      (image) =>
        image.loading !== 'lazy' ||
        (image.checkVisibility() && image.getBoundingClientRect().top < innerHeight),
    );
    await Promise.all(shown.map((image) => image.decode().catch(() => {})));
    // Shifts are reported with the frame in which they happen.
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const entries = await new Promise<PerformanceEntry[]>((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
      observer.observe({ type: 'layout-shift', buffered: true });
      // Without entries the observer is never called.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(observer.takeRecords())));
    });
    interface LayoutShift extends PerformanceEntry {
      value: number;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }
    // Replacing one digit by another causes a smaller shift than this.
    const startTime = performance.getEntriesByName('scripts')[0]?.startTime;
    if (startTime === undefined) throw new Error('runScriptsAfterPaint was not called');
    const shifts = (entries as LayoutShift[]).filter(
      (entry) => entry.value >= 0.0001 && entry.startTime >= startTime,
    );
    return shifts.map(({ value, sources }) => {
      const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return `${element?.outerHTML.slice(0, 80)} ${from.x},${from.y} ${from.width}x${from.height} -> ${to.x},${to.y} ${to.width}x${to.height}`;
      });
      return `${value.toFixed(4)}: ${moved.join(' | ')}`;
    });
  });
}
