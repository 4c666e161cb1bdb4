import { chromium } from '@playwright/test';
import { pageRoutes } from '../src/shared/routes.ts';
import { chromiumOptions } from '../test/browser/chromium.ts';
import { startDemoServer } from './demo-server.ts';
import { type Visit, visit } from './phone-visit.ts';
import { inWords, medianOf, type Section, verdict } from './section.ts';

const visits = 5;

/** What is told of a visit, and what a channel's first one should come to at most. */
const measures: {
  name: string;
  of: (visit: Visit) => number;
  text: (value: number) => string;
  goal?: number;
}[] = [
  { name: 'first paint (FCP)', of: ({ fcpMs }) => fcpMs, text: inWords.ms, goal: 450 },
  { name: 'largest paint (LCP)', of: ({ lcpMs }) => lcpMs, text: inWords.ms, goal: 900 },
  { name: 'blocked (TBT)', of: ({ tbtMs }) => tbtMs, text: inWords.ms, goal: 60 },
  { name: 'layout shift (CLS)', of: ({ cls }) => cls, text: String, goal: 0 },
  { name: 'first call of the page', of: ({ readyMs }) => readyMs, text: inWords.ms },
  { name: 'requests', of: ({ requests }) => requests, text: inWords.count },
  { name: 'page', of: ({ htmlBytes }) => htmlBytes, text: inWords.kilobytes, goal: 14_000 },
  { name: 'script', of: ({ scriptBytes }) => scriptBytes, text: inWords.kilobytes },
  { name: 'all', of: ({ bytes }) => bytes, text: inWords.kilobytes },
];

/** The first visit of a slower phone on a slow network to home and to a channel of twenty comments. */
export async function phone(): Promise<Section[]> {
  const demo = await startDemoServer();
  const browser = await chromium.launch(chromiumOptions);
  try {
    const home: Visit[] = [];
    const ofChannel: Visit[] = [];
    const places = [
      { path: pageRoutes.home, seen: home },
      { path: pageRoutes.channel(demo.channel._id), seen: ofChannel },
    ];
    // The first visit of all warms the server's answers up.
    for (let round = 0; round <= visits; round += 1) {
      for (const { path, seen } of places) {
        const one = await visit(browser, new URL(path, demo.url).href);
        if (round > 0) seen.push(one);
      }
    }
    return [
      {
        title: 'First visit on a phone',
        columns: ['what', 'home', 'channel', 'goal for the channel'],
        rows: measures.map(({ name, of, text, goal }) => {
          const value = medianOf(ofChannel, of);
          return [
            name,
            text(medianOf(home, of)),
            text(value),
            goal === undefined ? '' : verdict(`<= ${text(goal)}`, value <= goal),
          ];
        }),
        notes:
          `Processor four times slower, 150 ms, 1.6 Mbit/s; medians of ${visits} visits. Bytes as ` +
          'transferred, with headers; `npm test` holds the script to 82 kB in gzip.',
      },
    ];
  } finally {
    await browser.close();
    await demo.stop();
  }
}
