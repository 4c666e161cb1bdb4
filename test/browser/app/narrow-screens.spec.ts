import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { homeUrl, pageRoutes } from '../../../src/shared/routes.ts';
import { sendButton } from '../comments.ts';
import { openChannel, openChannels } from '../community.ts';
import { coverField, openCreate, uploadedMark } from '../create-form.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { invalidImage, plainImage } from '../images.ts';

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('not shown');
  return box;
}

test('the comment button is a quarter as wide as its form at every size', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person();
  const channel = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(channel._id));
  const button = sendButton(page);
  await expect(button).toBeVisible();
  for (const width of [320, 1080]) {
    await page.setViewportSize({ width, height: 800 });
    const form = await boxOf(page.locator('form').filter({ has: button }));
    expect((await boxOf(button)).width / form.width, `${width} px`).toBeCloseTo(0.25, 2);
    const label = await boxOf(button.getByText('Comentar'));
    const air = ((await boxOf(button)).width - label.width) / 2;
    expect(air, `beside the label at ${width} px`).toBeGreaterThanOrEqual(7);
    const size = await button.evaluate((element) =>
      Number.parseFloat(getComputedStyle(element).fontSize),
    );
    expect(size, `letters at ${width} px`).toBeGreaterThanOrEqual(width < 375 ? 11 : 13);
  }
});

test('the orders of channels are on one line beside the search field, card footers are level, names are whole, and a long title takes three lines', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Guadalupe Ríos Peralta');
  const [commented] = await openChannels(forum, ana, [
    'Cine',
    'Palabras que nadie usa ya pero que '.repeat(3),
  ]);
  await forum.comment(ana, commented?._id ?? '', 'Hola');
  await page.goto(homeUrl('new'));
  await expect(timesAgo(page).first()).toBeVisible();
  for (const width of [780, 1080]) {
    await page.setViewportSize({ width, height: 800 });
    const feet = await page.getByRole('article').evaluateAll((cards) =>
      cards.slice(0, 2).map((card) => {
        const end = card.getBoundingClientRect().bottom;
        const name = card.querySelector('bdi');
        const title = card.querySelector('h2');
        return {
          heights: [name, card.querySelector('time')].map((part) =>
            Math.round(end - (part?.getBoundingClientRect().top ?? 0)),
          ),
          isCut: (name?.scrollWidth ?? 0) > (name?.clientWidth ?? 0) + 1,
          lines: title
            ? title.clientHeight / Number.parseFloat(getComputedStyle(title).lineHeight)
            : 0,
        };
      }),
    );
    const orders = await boxOf(page.getByRole('main').getByRole('navigation'));
    const field = await boxOf(page.getByRole('searchbox'));
    expect(orders.height, `${width} px`).toBeLessThan(60);
    expect(orders.y, `${width} px`).toBeLessThan(field.y + field.height);
    const [first, second] = feet;
    expect(second?.heights, `${width} px`).toEqual(first?.heights);
    expect(
      feet.map(({ isCut }) => isCut),
      `${width} px`,
    ).toEqual([false, false]);
    for (const { lines } of feet) expect(lines, `${width} px`).toBeLessThan(3.1);
  }
});

test.describe('the first screen of home', () => {
  test.use({ forumName: 'first-screen' });

  test('has five channels for somebody signed in on a phone, marks within their covers, and one for a guest', async ({
    forum,
    openAs,
    page: guest,
  }) => {
    const [ana, bea] = [await forum.person('Ana Belén'), await forum.person('Bea')];
    const names = ['Uno', 'Dos', 'Tres', 'Cuatro', 'Cinco'];
    const [first] = await openChannels(forum, ana, names);
    const { _id } = first ?? { _id: '' };
    // A pinned channel comes first on the home page.
    const { db } = forum.services;
    await db.updateTable('channels').set({ pinned_at_ms: 1 }).where('id', '=', _id).execute();
    const body = { channelId: _id, number: 0 };
    await forum.json('PUT', apiRoutes.reads, { token: bea.token, body });
    await forum.comment(ana, _id, 'Hola');
    const rowsInView = (page: Page) =>
      page.getByRole('article').evaluateAll((rows) => {
        const ends = rows.map((row) => row.getBoundingClientRect().bottom);
        return ends.filter((end) => end <= innerHeight).length;
      });
    const size = { width: 375, height: 700 };
    const page = await openAs(bea, { viewport: size });
    await page.goto(homeUrl('activity'));
    const unread = page.getByRole('link', { name: '1 nuevo en Uno', exact: true });
    await expect(unread).toBeVisible();
    expect(await rowsInView(page)).toBeGreaterThanOrEqual(5);
    const cover = await boxOf(
      page.getByRole('article').filter({ has: unread }).locator('img').first(),
    );
    expect((await boxOf(unread)).x).toBeGreaterThan(cover.x);
    expect((await boxOf(unread)).x).toBeLessThan(cover.x + cover.width);
    for (const textSize of ['', '212.5%']) {
      await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize;
      }, textSize);
      const mark = page.getByText('Fijado');
      const [pinned, image] = [
        await boxOf(mark),
        await boxOf(mark.locator('..').locator('img').first()),
      ];
      for (const [start, size] of [
        ['x', 'width'],
        ['y', 'height'],
      ] as const) {
        expect(pinned[start] - image[start], textSize).toBeGreaterThanOrEqual(2);
        const rest = image[start] + image[size] - pinned[start] - pinned[size];
        expect(rest, textSize).toBeGreaterThanOrEqual(0);
      }
    }
    await guest.setViewportSize(size);
    await guest.goto(pageRoutes.home);
    expect(await rowsInView(guest)).toBeGreaterThanOrEqual(1);
  });
});

test('a name in Arabic is at the left like other names', async ({ page, forum }) => {
  const person = await forum.person('ليلى حداد');
  const channel = await openChannel(forum, person);
  const name = page.getByRole('main').getByText('ليلى حداد');
  for (const [path, below] of [
    [pageRoutes.channel(channel._id), /^creado/],
    [pageRoutes.user(person.id), /^En tertulia/],
  ] as const) {
    await page.goto(path);
    const offset = (await boxOf(name)).x - (await boxOf(page.getByText(below))).x;
    expect(Math.abs(offset), path).toBeLessThan(2);
  }
  await page.setViewportSize({ width: 780, height: 800 });
  await page.goto(`${pageRoutes.home}?sort=new`);
  const card = page.getByRole('article').filter({ hasText: 'ليلى حداد' }).first();
  const avatar = await boxOf(card.locator('img').last());
  const gap = (await boxOf(card.locator('bdi'))).x - avatar.x - avatar.width;
  expect(Math.abs(gap - 6)).toBeLessThan(2);
});

test('in the settings on a phone, an e-mail address wraps only where it needs two lines, before its @', async ({
  forum,
  openAs,
}) => {
  const key = crypto.randomUUID().slice(0, 4);
  const email = `lupe.rios.${key}@correo.ejemplo.es`;
  const page = await openAs(await forum.person('Guadalupe', email));
  await page.goto(pageRoutes.settings);
  const address = page.getByText(email).first();
  await expect(address).toBeVisible();
  for (const [width, lines] of [
    [320, [`lupe.rios.${key}`, '@correo.ejemplo.es']],
    [430, [email]],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    expect(await linesOf(address), `${width} px`).toEqual(lines);
  }
});

function linesOf(text: Locator): Promise<string[]> {
  return text.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const lines: Record<number, string> = {};
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (let at = 0; at < (text.nodeValue?.length ?? 0); at += 1) {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const top = Math.round(range.getBoundingClientRect().top);
        lines[top] = (lines[top] ?? '') + range.toString();
      }
    }
    return Object.values(lines);
  });
}

test.describe('on a phone', () => {
  test.use({ expectedErrors: [/no es una imagen/] });

  test('the cover has its preview over the whole box, and an alert outside of it', async ({
    forum,
    openAs,
  }) => {
    const page = await openAs(await forum.person(), {
      viewport: { width: 375, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    await openCreate(page);
    await expect(page.getByText('Elige una imagen')).toBeVisible();
    await expect(page.getByText(/arrástrala|pégala/)).toBeHidden();
    await coverField(page).setInputFiles(await plainImage());
    await expect(uploadedMark(page)).toBeVisible();
    const box = await boxOf(coverField(page));
    const preview = await boxOf(page.getByRole('main').locator('img[src^="blob:"]'));
    expect(preview.width).toBeGreaterThan(box.width - 40);
    await coverField(page).setInputFiles(invalidImage);
    const alert = await boxOf(page.getByRole('alert'));
    const frame = await boxOf(coverField(page));
    expect(alert.y).toBeGreaterThanOrEqual(frame.y + frame.height);
  });
});

test("the tools of others' comments take the one row that is left for them", async ({
  forum,
  openAs,
}) => {
  const { _id } = await openChannel(forum, await forum.person('Ana Belén'));
  await forum.comment(await forum.person('Carla'), _id, 'Hola');
  const page = await openAs(await forum.person('Bea'));
  await page.goto(pageRoutes.channel(_id));
  const tools = page.getByRole('button', { name: /^Responder/ }).locator('..');
  await expect(tools.getByRole('button', { name: /Gracias/i })).toBeVisible();
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 700 });
    expect((await tools.boundingBox())?.height, `${width} px`).toBe(44);
  }
});
