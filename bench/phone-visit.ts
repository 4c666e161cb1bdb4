import type { Browser, CDPSession, Page } from '@playwright/test';

/** What one first visit to a page came to. Times in milliseconds from the start of the navigation. */
export interface Visit {
  fcpMs: number;
  lcpMs: number;
  /** When the page that the server drew began to act by itself: its first call, once hydrated. */
  readyMs: number;
  /** Total blocking time: of each task, what went beyond 50 ms. */
  tbtMs: number;
  cls: number;
  requests: number;
  /** As transferred, headers included. */
  bytes: number;
  htmlBytes: number;
  scriptBytes: number;
}

/** A slower phone on a slow mobile network, as Lighthouse has it. */
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  locale: 'es-ES',
};
const bytesPerSecond = 1_600_000 / 8;
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: bytesPerSecond,
  uploadThroughput: bytesPerSecond,
};
const cpuSlowdown = 4;
/** So long without a request and without a long task, and the visit is over. */
const quietMs = 1_000;

/** What the page itself can see of its own speed. */
interface Seen {
  lcpMs: number;
  cls: number;
  tasks: { startMs: number; durationMs: number }[];
}

/** Visits an address with a browser that has been nowhere, on the phone. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    const loads = countLoads(session);
    await page.addInitScript(watchPage);
    await page.goto(url);
    await quiet(page, loads);
    const { fcpMs, seen } = await page.evaluate(() => ({
      fcpMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      seen: (globalThis as unknown as { seen: Seen }).seen,
    }));
    const blocking = seen.tasks
      .filter(({ startMs, durationMs }) => startMs + durationMs > fcpMs)
      .map(({ durationMs }) => Math.max(0, durationMs - 50));
    const { lcpMs, cls } = seen;
    const tbtMs = blocking.reduce((sum, ms) => sum + ms, 0);
    const { readyMs, requests, bytes, htmlBytes, scriptBytes } = loads;
    return { fcpMs, lcpMs, readyMs, tbtMs, cls, requests, bytes, htmlBytes, scriptBytes };
  } finally {
    await context.close();
  }
}

/** Runs in the page before anything else does. */
function watchPage(): void {
  const seen: Seen = { lcpMs: 0, cls: 0, tasks: [] };
  Object.assign(globalThis, { seen });
  const watch = (type: string, see: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) see(entry);
    }).observe({ type, buffered: true });
  watch('largest-contentful-paint', ({ startTime }) => {
    seen.lcpMs = startTime;
  });
  watch('layout-shift', (entry) => {
    seen.cls += (entry as PerformanceEntry & { value: number }).value;
  });
  watch('longtask', ({ startTime, duration }) => {
    seen.tasks.push({ startMs: startTime, durationMs: duration });
  });
}

interface Loads {
  readyMs: number;
  requests: number;
  bytes: number;
  htmlBytes: number;
  scriptBytes: number;
  changedMs: number;
}

function countLoads(session: CDPSession): Loads {
  const loads = {
    readyMs: Number.NaN,
    requests: 0,
    bytes: 0,
    htmlBytes: 0,
    scriptBytes: 0,
    changedMs: performance.now(),
  };
  const types = new Map<string, string | undefined>();
  let startSeconds = Number.NaN;
  session.on('Network.requestWillBeSent', ({ requestId, type, timestamp }) => {
    types.set(requestId, type);
    loads.requests += 1;
    loads.changedMs = performance.now();
    if (type === 'Document') startSeconds = timestamp;
    const isCall = type === 'Fetch' || type === 'EventSource';
    if (isCall && Number.isNaN(loads.readyMs)) loads.readyMs = (timestamp - startSeconds) * 1000;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    loads.bytes += encodedDataLength;
    if (type === 'Document') loads.htmlBytes += encodedDataLength;
    if (type === 'Script') loads.scriptBytes += encodedDataLength;
    loads.changedMs = performance.now();
  });
  return loads;
}

async function quiet(page: Page, loads: Loads): Promise<void> {
  while (Number.isNaN(loads.readyMs)) await page.waitForTimeout(50);
  while (performance.now() - loads.changedMs < quietMs) await page.waitForTimeout(quietMs / 4);
}
