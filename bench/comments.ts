import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import type { SignedIn } from '../src/shared/accounts.ts';
import { pageRoutes } from '../src/shared/routes.ts';
import { chromiumOptions } from '../test/browser/chromium.ts';
import { commentField } from '../test/browser/comments.ts';
import { filled } from '../test/forum/fill-forum.ts';
import { type BenchForum, signIn, startForum } from './forum.ts';
import { format, type Section, verdict } from './section.ts';

const commentsPerSecond = 10;
const arriving = 100;
const shown = 200;
const longest = 1000;
const keys = 200;
/** Time between two keys of a fast typist. */
const keyMs = 100;
const cpuSlowdown = 4;
const budgets = { heapMb: 120, keyMs: 100, keysInTime: 0.98 };

const channelId = filled.channelId(0);

/** Measures the memory of a page with 200 comments while others arrive, and typing in the form below them. */
export async function comments(): Promise<Section[]> {
  const forum = await startForum({
    accounts: 8,
    channels: 50,
    comments: 2 * longest,
    longest,
  });
  const browser = await chromium.launch(chromiumOptions);
  try {
    const user = (await (await signIn(forum.client, 1)).json()) as SignedIn;
    const asGuest = await heapMb(browser, forum);
    const signedIn = await heapMb(browser, forum, user);
    const inTime = await keysInTime(browser, forum, user);
    const inTimeAtEnd = await keysInTime(browser, forum, user, { atEnd: true });
    const typing = (share: number) => [
      format.percent(share),
      verdict(`>= ${format.percent(budgets.keysInTime)}`, share >= budgets.keysInTime),
    ];
    const heap = (mb: number) => [
      format.megabytes(mb),
      verdict(`<= ${format.megabytes(budgets.heapMb)}`, mb <= budgets.heapMb),
    ];
    return [
      {
        title: 'A long page of comments',
        columns: ['what', 'figure', 'budget'],
        rows: [
          ['JavaScript heap of a guest', ...heap(asGuest)],
          ['JavaScript heap, signed in', ...heap(signedIn)],
          [`keystrokes shown within ${budgets.keyMs} ms`, ...typing(inTime)],
          ['the same at the end, where the comments are added', ...typing(inTimeAtEnd)],
        ],
        notes:
          `Heap after a collection (\`Runtime.getHeapUsage\`, usedSize) with ${format.count(shown)} comments, ` +
          `after ${arriving} arrived, ${commentsPerSecond} a second. Then ${keys} keys in the form below ` +
          `them, while ${commentsPerSecond} a second arrive, processor ${cpuSlowdown} times slower.`,
      },
    ];
  } finally {
    await browser.close();
    await forum.stop();
  }
}

/** By id, because computing the roles of so many elements takes seconds. Numbers without a comment have no time. */
const commentsOn = (page: Page) => page.locator('li[id^="comentario-"]:has(time)');
const moreOn = (page: Page) => page.locator('#ultimo a');

/** Memory of a page with the newest comments of the channel, after more have arrived. */
async function heapMb(browser: Browser, forum: BenchForum, user?: SignedIn): Promise<number> {
  const context = await openContext(browser, user);
  try {
    const page = await showComments(context, forum, { atEnd: true });
    // A comment that has the focus is not dropped when others arrive.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const last = Number((await commentsOn(page).last().getAttribute('id'))?.split('-').at(-1));
    const cdp = await context.newCDPSession(page);
    await sendComments(forum, arriving);
    await page.locator(`#comentario-${last + arriving}`).waitFor({ state: 'attached' });
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    return usedSize / 1e6;
  } finally {
    await context.close();
  }
}

async function sendComments(forum: BenchForum, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    const startMs = performance.now();
    await forum.client.comment(forum, channelId, filled.text);
    await delay(Math.max(0, startMs + 1000 / commentsPerSecond - performance.now()));
  }
}

/** Share of keystrokes whose next frame was painted in time. */
async function keysInTime(
  browser: Browser,
  forum: BenchForum,
  user: SignedIn,
  { atEnd = false } = {},
): Promise<number> {
  const context = await openContext(browser, user);
  try {
    const page = await showComments(context, forum, { atEnd });
    await commentField(page).click();
    await page.evaluate(() => {
      const slow = new Map<number, number>();
      Object.assign(globalThis, { slow });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { interactionId = 0 } = entry as PerformanceEventTiming;
          slow.set(interactionId, Math.max(slow.get(interactionId) ?? 0, entry.duration));
        }
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    });
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    const arrivals = sendComments(forum, (keys * keyMs * commentsPerSecond) / 1000);
    await commentField(page).pressSequentially('tertulia '.repeat(keys).slice(0, keys), {
      delay: keyMs,
      timeout: 0,
    });
    await arrivals;
    const late = await page.evaluate((maxMs) => {
      const { slow } = globalThis as unknown as { slow: Map<number, number> };
      return [...slow].filter(([id, duration]) => id > 0 && duration > maxMs).length;
    }, budgets.keyMs);
    return 1 - late / keys;
  } finally {
    await context.close();
  }
}

async function openContext(browser: Browser, user?: SignedIn): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'es-ES' });
  if (user) {
    const { id, name, email, img } = user.user;
    const session = { id, name, email, img: img ?? '', isLogged: 'true', token: user.token };
    await context.addInitScript((items) => {
      if (location.origin === 'null') return;
      for (const [key, value] of Object.entries(items)) sessionStorage.setItem(key, value);
    }, session);
  }
  return context;
}

/** Opens the channel and loads pages of comments until there are as many as a page has at most. */
async function showComments(
  context: BrowserContext,
  { server }: BenchForum,
  { atEnd = false } = {},
): Promise<Page> {
  const page = await context.newPage();
  const address = pageRoutes.channel(channelId);
  await page.goto(server.url + address);
  if (atEnd) await page.getByRole('link', { name: 'Ir a lo último' }).click();
  const more = atEnd ? page.getByRole('link', { name: 'Anteriores' }) : moreOn(page);
  await more.waitFor();
  for (let known = await commentsOn(page).count(); known < shown; ) {
    // A click would wait until the link stops moving.
    await more.dispatchEvent('click');
    await commentsOn(page).nth(known).waitFor({ state: 'attached' });
    known = await commentsOn(page).count();
  }
  return page;
}
