import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { expect, test } from '../fixtures.ts';
import { layoutShifts, runScriptsAfterPaint } from '../layout-shifts.ts';
import { channelWith, commentShown, replyButton, replyField } from '../replies.ts';

const thanksButton = (page: Page) =>
  page.getByRole('button', { name: 'Gracias: n.º 1, de Ana Belén' });

async function boxesOf(buttons: Locator) {
  await expect(buttons).toHaveCount(5);
  return buttons.evaluateAll((all) =>
    all.map((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return { x, y: y + scrollY, width, height };
    }),
  );
}

test("hydration moves nothing in the row of a comment; its thanks, replies and buttons are on one line of 44 px, complete while the comment is hovered or focused; a reply is typed in the page's font size", async ({
  forum,
  openAs,
}) => {
  const { channel } = await channelWith(forum, ['Abre el jueves', 'A las nueve']);
  for (const name of ['Luis', 'Iván', 'Eva', 'Guadalupe Ríos']) {
    const person = await forum.person(name);
    await forum.json('PUT', apiRoutes.thanks(channel._id, 1), { token: person.token });
    if (name === 'Luis') await forum.comment(person, channel._id, 'Voy', { replyTo: 1 });
  }
  const viewport = { width: 375, height: 2400 };
  const page = await openAs(await forum.person('Bea'), { viewport });
  await runScriptsAfterPaint(page);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(thanksButton(page)).toBeVisible();
  expect(await layoutShifts(page)).toEqual([]);

  const buttons = commentShown(page, 1).getByRole('button');
  for (const width of [360, 780, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const boxes = await boxesOf(buttons);
    expect(new Set(boxes.map(({ y }) => Math.round(y))).size, `${width} px`).toBe(1);
    for (const box of boxes) expect(box.height, `${width} px`).toBe(44);
    const isWhole = await replyButton(page, 1).evaluate((button) => {
      const [word, around] = [button.querySelector('span') ?? button, button].map((element) =>
        element.getBoundingClientRect(),
      );
      return word && around && word.bottom <= around.bottom && word.right <= around.right;
    });
    expect(isWhole, `the word Responder at ${width} px`).toBe(true);
  }
  const names = page.getByRole('button', { name: 'Gracias de Guadalupe Ríos, Eva y 2 más' });
  await expect(names).toBeVisible();
  await expect(page.getByRole('button', { name: '1 respuesta a Ana Belén' })).toBeVisible();

  const label = thanksButton(page).getByText('Gracias');
  await expect(label).toBeHidden();
  const before = await boxesOf(buttons);
  await commentShown(page, 1).hover();
  await expect(label).toBeVisible();
  expect(await boxesOf(buttons)).toEqual(before);
  await page.mouse.move(0, 0);
  await expect(label).toBeHidden();
  await replyButton(page, 1).focus();
  await expect(label).toBeVisible();
  expect(await boxesOf(buttons)).toEqual(before);

  await page.keyboard.press('Enter');
  const lettersOf = (element: Locator) =>
    element.evaluate((one) => {
      const { color, fontSize } = getComputedStyle(one);
      return [color, fontSize];
    });
  expect(await lettersOf(replyField(page))).toEqual(await lettersOf(page.locator('body')));
});

test('on a phone the time stands at the end of the line of the name, but below a name that leaves no room for it', async ({
  page,
  forum,
}) => {
  const [ana, long] = [
    await forum.person('Ana'),
    await forum.person('Guadalupe Ríos Peralta de la Serna y Toro'),
  ];
  const { channel } = await channelWith(forum, ['Hola']);
  await forum.comment(ana, channel._id, 'Hola');
  await forum.comment(long, channel._id, 'Hola');
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(pageRoutes.channel(channel._id));
  const boxesOf = (number: number) => {
    const comment = commentShown(page, number);
    const parts = [
      comment.locator('bdi').first(),
      comment.locator('time'),
      comment.getByText('Hola'),
    ];
    return Promise.all(
      parts.map((part) => part.evaluate((element) => element.getBoundingClientRect())),
    );
  };
  const [name, time, text] = await boxesOf(2);
  expect(time?.right, 'at the end').toBeCloseTo(text?.right ?? 0, 0);
  expect(time?.bottom, 'on the line of the name').toBeLessThan((name?.top ?? 0) + 30);
  const [longName, timeBelow] = await boxesOf(3);
  expect(timeBelow?.left, 'where the name begins').toBeCloseTo(longName?.left ?? 0, 0);
  expect(timeBelow?.top, 'below the name').toBeGreaterThan((longName?.bottom ?? 0) - 3);
});
