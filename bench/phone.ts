import { setTimeout as delay } from 'node:timers/promises';
import { startDemo } from '../scripts/demo/start-demo.ts';
import { apiRoutes } from '../src/shared/api-routes.ts';
import type { ChannelPage } from '../src/shared/channels.ts';
import { pageRoutes } from '../src/shared/routes.ts';
import { DevtoolsBrowser } from './devtools-browser.ts';
import { format, median, type Section, verdict } from './section.ts';

const visits = 5;
const visitMs = 5000;
const leastComments = 20;

/** The phone and the network that Lighthouse emulates. */
const screen = { width: 412, height: 823, deviceScaleFactor: 1.75, mobile: true };
const bytesPerSecond = 1_600_000 / 8;
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: bytesPerSecond,
  uploadThroughput: bytesPerSecond,
};
const cpuSlowdown = 4;

/** A first visit: times in milliseconds from the start of the navigation, and transferred bytes including headers. */
type Visit = Awaited<ReturnType<typeof visit>>;

/** The figures in the table, with the budgets of a channel page. */
const measures: {
  name: string;
  of: (visit: Visit) => number;
  text: (value: number) => string;
  budget?: number;
}[] = [
  { name: 'first paint (FCP)', of: ({ fcpMs }) => fcpMs, text: format.ms, budget: 450 },
  { name: 'largest paint (LCP)', of: ({ lcpMs }) => lcpMs, text: format.ms, budget: 900 },
  { name: 'total blocking time (TBT)', of: ({ tbtMs }) => tbtMs, text: format.ms, budget: 60 },
  { name: 'layout shift (CLS)', of: ({ cls }) => cls, text: String, budget: 0 },
  { name: 'requests', of: ({ requests }) => requests, text: format.count },
  { name: 'page', of: ({ pageBytes }) => pageBytes, text: format.kilobytes, budget: 14_000 },
  { name: 'scripts', of: ({ scriptBytes }) => scriptBytes, text: format.kilobytes },
  { name: 'all', of: ({ bytes }) => bytes, text: format.kilobytes },
];

/** Measures first visits to the demo's home page and to a channel, on a slow phone and network. */
export async function phone(): Promise<Section[]> {
  const demo = await startDemo({ HOST: '127.0.0.1', PORT: '0', RATE_LIMITS: 'off' });
  const browser = await DevtoolsBrowser.start();
  try {
    const response = await fetch(`${demo.url}${apiRoutes.channels}?comments=0`);
    const { data } = (await response.json()) as ChannelPage;
    const channel = data.find(({ commentCount }) => commentCount >= leastComments);
    if (!channel) throw new Error(`the demo has no channel of ${leastComments} comments`);
    const measure = async (path: string) => {
      const seen: Visit[] = [];
      for (let i = 0; i <= visits; i++) seen.push(await visit(browser, demo.url + path));
      // The first visit fills the server's caches.
      return seen.slice(1);
    };
    const home = await measure(pageRoutes.home);
    const ofChannel = await measure(pageRoutes.channel(channel._id));
    return [
      {
        title: 'First visit on a phone',
        columns: ['what', 'home', 'channel', 'budget of the channel'],
        rows: measures.map(({ name, of, text, budget }) => {
          const value = median(ofChannel.map(of));
          return [
            name,
            text(median(home.map(of))),
            text(value),
            budget === undefined ? '' : verdict(`<= ${text(budget)}`, value <= budget),
          ];
        }),
        notes:
          `Processor ${cpuSlowdown} times slower, 150 ms, 1.6 Mbit/s; medians of ${visits} visits of ` +
          `${visitMs / 1000} s. Bytes as transferred, with headers.`,
      },
    ];
  } finally {
    await browser.stop();
    await demo.stop();
  }
}

/** Visits a URL with an empty cache. */
function visit(browser: DevtoolsBrowser, url: string) {
  return browser.withPage(async (send) => {
    await send('Page.enable');
    await send('Network.enable');
    await send('Network.emulateNetworkConditions', network);
    await send('Emulation.setDeviceMetricsOverride', screen);
    await send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await send('Emulation.setLocaleOverride', { locale: 'es-ES' });
    await send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    await send('Page.addScriptToEvaluateOnNewDocument', { source: `(${observePage})()` });
    await send('Page.navigate', { url });
    await delay(visitMs);
    const expression = `JSON.stringify((${readFigures})())`;
    const { result } = await send('Runtime.evaluate', { expression });
    return JSON.parse(result.value) as ReturnType<typeof readFigures>;
  });
}

/** Runs in the page before its own scripts. */
function observePage(): void {
  const observed: Record<string, PerformanceEntry[]> = {};
  Object.assign(globalThis, { observed });
  for (const type of ['largest-contentful-paint', 'layout-shift', 'longtask']) {
    const entries: PerformanceEntry[] = [];
    observed[type] = entries;
    new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ type });
  }
}

/** Runs in the page at the end of the visit. @returns times in ms, layout shift, requests and bytes */
function readFigures() {
  const { observed } = globalThis as unknown as { observed: Record<string, PerformanceEntry[]> };
  const entries = (type: string) => observed[type] ?? [];
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const fcpMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const pageBytes = page?.transferSize ?? Number.NaN;
  const transferred = (of: PerformanceResourceTiming[]) =>
    sum(of.map(({ transferSize }) => transferSize));
  return {
    fcpMs,
    lcpMs: entries('largest-contentful-paint').at(-1)?.startTime ?? Number.NaN,
    // Total blocking time is the sum of each long task's time beyond 50 ms, after the first paint.
    tbtMs: sum(
      entries('longtask')
        .filter(({ startTime, duration }) => startTime + duration > fcpMs)
        .map(({ duration }) => Math.max(0, duration - 50)),
    ),
    cls: sum(entries('layout-shift').map((entry) => (entry as unknown as { value: number }).value)),
    requests: resources.length + 1,
    pageBytes,
    scriptBytes: transferred(resources.filter(({ name }) => name.endsWith('.js'))),
    bytes: pageBytes + transferred(resources),
  };
}
