import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { startDemo } from '../scripts/demo/start-demo.ts';
import { pageRoutes } from '../src/shared/routes.ts';
import { chromiumOptions } from '../test/chromium.ts';
import { channelOfTwenty } from './demo-places.ts';
import { type Visit, visit } from './phone-visit.ts';

const visits = 5;

/** The first visit of a slower phone on a slow network to home and to a channel of twenty comments. */
export async function phone(): Promise<void> {
  const demo = await startDemo({ HOST: '127.0.0.1', PORT: '0', RATE_LIMITS: 'off' });
  const browser = await chromium.launch(chromiumOptions);
  try {
    const channel = await channelOfTwenty(demo);
    const places = { home: pageRoutes.home, channel: pageRoutes.channel(channel._id) };
    const figures = Object.fromEntries(Object.keys(places).map((name) => [name, [] as Visit[]]));
    // The first visit of all warms the server's answers up.
    for (let round = 0; round <= visits; round += 1) {
      for (const [name, path] of Object.entries(places)) {
        const seen = await visit(browser, new URL(path, demo.url).href);
        if (round > 0) figures[name]?.push(seen);
      }
    }
    console.log(`CPU ÷ 4, 150 ms, 1.6 Mbit/s; medians of ${visits} first visits`);
    console.table(Object.fromEntries(Object.entries(figures).map(([k, v]) => [k, medians(v)])));
  } finally {
    await browser.close();
    await demo.stop();
  }
}

function medians(seen: Visit[]): Record<string, number> {
  const [first] = seen;
  const names = Object.keys(first ?? {}) as (keyof Visit)[];
  return Object.fromEntries(names.map((name) => [name, median(seen.map((one) => one[name]))]));
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN) * 1000) / 1000;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await phone();
