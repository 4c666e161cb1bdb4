import type { Page } from '@playwright/test';

/**
 * Delays the scripts until the server's page has been painted completely, because a busy browser first paints a part
 * of it. The performance mark `scripts` is the time from which they could run.
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
 * Layout shifts since the scripts could run, with the elements that moved. The page must have been opened after
 * `runScriptsAfterPaint`. Earlier shifts, while a busy browser paints parts of the page, are not counted.
 */
export async function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // Lazy images far below the window, or in hidden parts, are never loaded.
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
    // Ignores shifts below 0.0001, such as from replacing one digit with another.
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
