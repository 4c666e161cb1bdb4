import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { pageRoutes, searchUrl } from '../../../src/shared/routes.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { sendButton } from '../comments.ts';
import { openCreate } from '../create-form.ts';
import { openHome, timesAgo } from '../hydration.ts';
import { layoutShifts, runScriptsAfterPaint } from '../layout-shifts.ts';
import { expect, piledAccents, type SampleForum, test, unrulyTexts } from '../sample-forum.ts';
import type { themes } from '../view-checks.ts';
import { openChannelPage, openWithTimes } from '../views/view.ts';

const height = 800;

test('no text is cut off on a channel page', async ({ page, sample }) => {
  await page.setViewportSize({ width: 320, height });
  await page.goto(pageRoutes.channel(sample.unruly._id));
  const cut = await page.getByRole('main').evaluate((main) =>
    [main, ...main.querySelectorAll('*')]
      .filter((element) => element.checkVisibility())
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .map((element) => element.outerHTML.slice(0, 100)),
  );
  expect(cut).toEqual([]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(unrulyTexts.name);
});

test('stacked accents do not cover other comments', async ({ page, sample }) => {
  await page.goto(pageRoutes.channel(sample.unruly._id));
  await expect(timesAgo(page).first()).toBeVisible();
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
  create: (page) => openCreate(page),
  async profile(page) {
    await page.goto(pageRoutes.profile);
    await expect(page.getByRole('definition')).toHaveText(/^\d+$/);
  },
};
const ofGuests = ['home', 'a channel', 'a search'];

/** Tall enough for the whole page, because shifts outside the window are not reported. */
const windows = [
  { width: 375, height: 3000, names: Object.keys(changingPages) },
  // Wide windows have a different layout for these pages.
  { width: 1280, height: 2400, names: ['home', 'a channel'] },
];

for (const who of ['a guest', 'a user']) {
  for (const { names, ...viewport } of windows) {
    test(`for ${who} hydration causes no layout shift at ${viewport.width} px`, async ({
      openAs,
      sample,
    }) => {
      const first = await openAs(who === 'a guest' ? null : sample.longNamed, { viewport });
      for (const name of names.filter((name) => who === 'a user' || ofGuests.includes(name))) {
        const page = await first.context().newPage();
        await runScriptsAfterPaint(page);
        await changingPages[name]?.(page, sample);
        if (who === 'a user' && name === 'a channel') await expect(sendButton(page)).toBeEnabled();
        expect.soft(await layoutShifts(page), name).toEqual([]);
        await page.close();
      }
    });
  }
}

test('the layout shift tests detect a shift', async ({ page, sample }) => {
  await runScriptsAfterPaint(page);
  await page.goto(pageRoutes.channel(sample.channel._id));
  // Waits for hydration: earlier, React would report an element that the server did not send.
  await expect(timesAgo(page).first()).toBeVisible();
  await page.evaluate(() => {
    document.querySelector('main')?.prepend(document.createElement('textarea'));
  });
  expect(await layoutShifts(page)).not.toEqual([]);
});

test('the cards of home are in 1 column below 780 px, and in 2 from there on', async ({
  page,
  sample: _sample,
}) => {
  await page.goto(pageRoutes.home);
  for (const [width, columns] of [
    [779, 1],
    [780, 2],
  ] as const) {
    await page.setViewportSize({ width, height });
    const lefts = await page
      .getByRole('article')
      .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().left)));
    expect(lefts.length).toBeGreaterThan(2);
    expect(new Set(lefts).size, `${width} px`).toBe(columns);
  }
});

test('home, moderation, the log and the settings begin at the same position and have titles of one size, and destructive buttons have their own colour', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await makeStaff(forum));
  const widths = [375, 1280];
  const starts = new Map(widths.map((width) => [width, new Set<string>()]));
  for (const path of [
    pageRoutes.home,
    pageRoutes.moderation,
    pageRoutes.log,
    pageRoutes.settings,
  ]) {
    await page.goto(path);
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toBeVisible();
    for (const [width, found] of starts) {
      await page.setViewportSize({ width, height });
      found.add(
        await title.evaluate((element) => {
          const { fontSize } = getComputedStyle(element);
          return `${element.getBoundingClientRect().left} px, letters of ${fontSize}`;
        }),
      );
    }
  }
  for (const [width, found] of starts) expect(found.size, `${width} px: ${[...found]}`).toBe(1);

  const colourOf = async (button: Locator) => {
    await expect(button).toBeVisible();
    return button.evaluate((element) => getComputedStyle(element).color);
  };
  const [destroys, changes] = [
    await colourOf(page.getByRole('button', { name: 'Eliminar mi cuenta' })),
    await colourOf(page.getByRole('button', { name: 'Cambiar: Nombre' })),
  ];
  expect(destroys).not.toBe(changes);
});

const paper = { light: '#faf7f2', dark: '#16130f' };

test('the first paint, before any script has loaded, has the chosen theme, else that of the system', async ({
  context,
}) => {
  const cases: [(typeof themes)[number], string, (typeof themes)[number]][] = [
    ['light', '', 'light'],
    ['dark', '', 'dark'],
    ['light', 'dark', 'dark'],
    ['dark', 'light', 'light'],
    ['dark', 'azul', 'dark'],
  ];
  for (const [preferred, stored, expected] of cases) {
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme: preferred });
    await page.addInitScript((theme) => {
      if (location.protocol === 'about:') return;
      if (theme) localStorage.setItem('theme', theme);
      else localStorage.removeItem('theme');
    }, stored);
    // The requests stay pending until the page is closed.
    await page.route('**/assets/*.js', () => {});
    await page.goto(pageRoutes.home, { waitUntil: 'commit' });
    await expect(page.getByRole('contentinfo')).toBeVisible();
    const image = await page.screenshot({ clip: { x: 2, y: 300, width: 1, height: 1 } });
    const [red = 0, green = 0, blue = 0] = await sharp(image).removeAlpha().raw().toBuffer();
    const colour = `#${Buffer.from([red, green, blue]).toString('hex')}`;
    const what = `the system prefers ${preferred}, stored is '${stored}'`;
    expect.soft(colour, what).toBe(paper[expected]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  }
});
