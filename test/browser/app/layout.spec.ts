import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { homeUrl, pageRoutes, searchUrl } from '../../../src/shared/routes.ts';
import { sendButton } from '../comments.ts';
import { openChannels } from '../community.ts';
import { openHome, timesAgo } from '../hydration.ts';
import { layoutShifts, runScriptsAfterPaint } from '../layout-shifts.ts';
import { expect, piledAccents, type SampleForum, test, unrulyTexts } from '../sample-forum.ts';
import { openChannelPage, openWithTimes } from '../views/view.ts';

const height = 800;

test('on the page of a channel no text is cut off, and stacked accents do not cover other comments', async ({
  page,
  sample,
}) => {
  await page.setViewportSize({ width: 320, height });
  await page.goto(pageRoutes.channel(sample.unruly._id));
  await expect(timesAgo(page).first()).toBeVisible();
  const cut = await page.getByRole('main').evaluate((main) =>
    [main, ...main.querySelectorAll('*')]
      .filter((element) => element.checkVisibility())
      // The buttons of a comment reach 10 px into the margin of the page.
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 10)
      .map((element) => element.outerHTML.slice(0, 100)),
  );
  expect(cut).toEqual([]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(unrulyTexts.name);

  await page.setViewportSize({ width: 1280, height });
  const comments = page.getByRole('main').getByRole('listitem');
  const piled = comments.filter({ hasText: piledAccents });
  await expect(piled).toHaveCount(1);
  const place = unrulyTexts.comments.indexOf(piledAccents);
  const neighbours = async () => {
    const images: Buffer[] = [];
    for (const index of [place - 1, place + 1]) {
      images.push(await comments.nth(index).screenshot());
    }
    return images;
  };
  // Not every font stacks accents; a text shadow reaches as far with every font.
  await piled.getByText(piledAccents).evaluate((text) => {
    text.style.textShadow = '0 80px red, 0 -80px red';
  });
  const beside = await neighbours();
  await piled.getByText(piledAccents).evaluate((text) => {
    text.style.visibility = 'hidden';
  });
  const alone = await neighbours();
  expect(beside.map((image, index) => alone[index]?.equals(image))).not.toContain(false);
});

/** Pages whose content depends on the visitor or changes when they are hydrated. Each waits until it is ready. */
const changingPages: Record<string, (page: Page, sample: SampleForum) => Promise<void>> = {
  home: (page) => openHome(page),
  'a channel': (page, { channel }) => openChannelPage(page, channel),
  'a search': (page) => openWithTimes(page, searchUrl({ q: 'ejemplo' })),
  settings: (page) => openWithTimes(page, pageRoutes.settings),
};

/** The windows are tall enough for the whole page, because shifts outside of them are not reported. */
for (const { who, viewport, names } of [
  {
    who: 'a guest',
    viewport: { width: 1280, height: 2400 },
    names: ['home', 'a channel', 'a search'],
  },
  {
    who: 'a user',
    viewport: { width: 375, height: 3000 },
    names: ['home', 'a channel', 'settings'],
  },
]) {
  test(`for ${who} hydration causes no layout shift at ${viewport.width} px`, async ({
    openAs,
    sample,
  }) => {
    const isUser = who === 'a user';
    const first = await openAs(isUser ? sample.longNamed : null, { viewport });
    for (const name of names) {
      const page = await first.context().newPage();
      await runScriptsAfterPaint(page);
      await changingPages[name]?.(page, sample);
      if (isUser && name === 'a channel') await expect(sendButton(page)).toBeEnabled();
      expect.soft(await layoutShifts(page), name).toEqual([]);
      await page.evaluate(() => {
        document.querySelector('main')?.prepend(document.createElement('textarea'));
      });
      expect(await layoutShifts(page), 'after a shift').not.toEqual([]);
      await page.close();
    }
  });
}

test('the cards of home are in 1 column below 780 px, in 2 from there on and in 3 from 1080 px, with their footers level, names whole and long titles in three lines; the orders are on one line beside the search field', async ({
  page,
  forum,
  sample: _sample,
}) => {
  const ana = await forum.person('Guadalupe Ríos Peralta');
  const names = ['Cine', 'Palabras que nadie usa ya pero que '.repeat(3)];
  const [commented] = await openChannels(forum, ana, names);
  await forum.comment(ana, commented?._id ?? '', 'Hola');
  await page.goto(homeUrl('new'));
  await expect(timesAgo(page).first()).toBeVisible();
  for (const [width, columns] of [
    [779, 1],
    [780, 2],
    [1080, 3],
  ] as const) {
    await page.setViewportSize({ width, height });
    const cards = await page.getByRole('article').evaluateAll((all) =>
      all.map((card) => {
        const { left, bottom } = card.getBoundingClientRect();
        const [name, time, title] = ['bdi', 'time', 'h2'].map((part) => card.querySelector(part));
        return {
          left: Math.round(left),
          foot: [name, time].map((part) =>
            Math.round(bottom - (part?.getBoundingClientRect().top ?? 0)),
          ),
          isCut: (name?.scrollWidth ?? 0) > (name?.clientWidth ?? 0) + 1,
          lines: title
            ? title.clientHeight / Number.parseFloat(getComputedStyle(title).lineHeight)
            : 0,
        };
      }),
    );
    expect(new Set(cards.map(({ left }) => left)).size, `${width} px`).toBe(columns);
    if (columns === 1) continue;
    const [first, second] = cards;
    expect(second?.foot, `${width} px`).toEqual(first?.foot);
    for (const { isCut, lines } of cards.slice(0, 2)) {
      expect(isCut, `${width} px`).toBe(false);
      expect(lines, `${width} px`).toBeLessThan(3.1);
    }
    const orders = await page.getByRole('main').getByRole('navigation').boundingBox();
    const field = await page.getByRole('searchbox').boundingBox();
    expect(orders?.height, `${width} px`).toBeLessThan(60);
    expect(orders?.y, `${width} px`).toBeLessThan((field?.y ?? 0) + (field?.height ?? 0));
  }
});

test('from 780 px on, the text of a channel, its comments and the form are in one column in the middle of the page, below a wider cover', async ({
  openAs,
  sample,
}) => {
  const page = await openAs(sample.longNamed);
  await openChannelPage(page, sample.channel);
  await expect(sendButton(page)).toBeEnabled();
  for (const [width, column] of [
    [780, 735],
    [1280, 735],
  ] as const) {
    await page.setViewportSize({ width, height });
    const parts = page.locator('main :is(h1, h1 ~ *, ol, form)').filter({ visible: true });
    const sides = await parts.evaluateAll((all) =>
      all.map((part) => {
        const { left, right } = part.getBoundingClientRect();
        const { clientWidth } = document.documentElement;
        return [Math.round(left - (clientWidth - right)), Math.round(right - left)];
      }),
    );
    expect(sides.length).toBeGreaterThan(4);
    expect(new Set(sides.map(String)), `${width} px`).toEqual(new Set([`0,${column}`]));
    const cover = await page.locator('main header img').first().boundingBox();
    expect(cover?.width, `${width} px`).toBe(Math.min(width, 1000) - 40);
  }
});

test('the first paint, before any script has loaded, has the chosen theme', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.addInitScript(() => {
    if (location.protocol !== 'about:') localStorage.setItem('theme', 'dark');
  });
  // The requests stay pending until the page is closed.
  await page.route('**/assets/*.js', () => {});
  await page.goto(pageRoutes.home, { waitUntil: 'commit' });
  await expect(page.getByRole('contentinfo')).toBeVisible();
  const image = await page.screenshot({ clip: { x: 2, y: 300, width: 1, height: 1 } });
  const [red = 0, green = 0, blue = 0] = await sharp(image).removeAlpha().raw().toBuffer();
  expect([red, green, blue]).toEqual([0x16, 0x13, 0x0f]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
