import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { CommentPage } from '../../../src/shared/comments.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, commentsShown, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';

const people = (page: Page) =>
  page.getByRole('listbox', { name: 'Personas a las que puedes mencionar' });
const option = (page: Page, name: string) => people(page).getByRole('option', { name });

test('a person is chosen with the arrows, and the mention follows later changes of the text', async ({
  forum,
  openAs,
}) => {
  const [ana, other] = [await forum.person('Quique Sol'), await forum.person('Quique Mar')];
  const writer = await forum.person('Zoe');
  const channel = await openChannel(forum, writer);
  await forum.comment(other, channel._id, 'Hola');
  const page = await openAs(writer);
  await page.goto(pageRoutes.channel(channel._id));
  const field = commentField(page);
  await field.click();
  await page.keyboard.type('Hola @Q');
  await expect(people(page)).toHaveCount(0);
  await page.keyboard.type('ui');
  await expect(people(page).getByRole('option')).toHaveCount(2);
  await expect(option(page, 'Quique Mar')).toContainText(/escribió aquí (hace|ahora)/);
  await expect(option(page, 'Quique Mar')).toHaveAttribute('aria-selected', 'true');
  await expect(option(page, 'Quique Sol')).toContainText('aún no ha escrito aquí');
  await page.keyboard.press('ArrowDown');
  const active = await option(page, 'Quique Sol').getAttribute('id');
  await expect(field).toHaveAttribute('aria-activedescendant', active ?? '-');
  await page.keyboard.press('Enter');
  await expect(people(page)).toHaveCount(0);
  await expect(field).toHaveValue('Hola @Quique Sol');
  await page.keyboard.type(', y @quique mar');
  await option(page, 'Quique Mar').click();
  await expect(field).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.type('¡Eh! ');
  await expect(field).toHaveValue('¡Eh! Hola @Quique Sol, y @Quique Mar');

  await page.reload();
  await sendButton(page).click();
  await expect(commentsShown(page)).toHaveCount(2);
  const { data } = await forum.json<CommentPage>('GET', apiRoutes.channelComments(channel._id), {});
  expect(data[1]?.mentions).toEqual([
    { start: 10, length: 11, accountId: ana.id, name: 'Quique Sol' },
    { start: 25, length: 11, accountId: other.id, name: 'Quique Mar' },
  ]);
});

test('a key that ends a composition neither chooses nor sends', async ({ forum, openAs }) => {
  await forum.person('Petra Sol');
  const writer = await forum.person('Zoe');
  const channel = await openChannel(forum, writer);
  const page = await openAs(writer);
  await page.goto(pageRoutes.channel(channel._id));
  const field = commentField(page);
  await field.click();
  await page.keyboard.type('@pet');
  await expect(option(page, 'Petra Sol')).toBeVisible();
  const press = (keys: Pick<KeyboardEventInit, 'keyCode' | 'isComposing' | 'ctrlKey'>) =>
    field.evaluate((field, keys) => {
      const common = { key: 'Enter', bubbles: true, cancelable: true };
      return field.dispatchEvent(new KeyboardEvent('keydown', { ...common, ...keys }));
    }, keys);
  // Safari reports the key after the end of the composition (the first case), other browsers before it (the second).
  for (const composing of [{ keyCode: 229 }, { isComposing: true }]) {
    expect(await press(composing), 'leaves the key to the browser').toBe(true);
    expect(await press({ ...composing, ctrlKey: true })).toBe(true);
  }
  await expect(option(page, 'Petra Sol')).toBeVisible();
  await expect(field).toHaveValue('@pet');
  expect(await press({})).toBe(false);
  await expect(field).toHaveValue('@Petra Sol');
});

test('a person is chosen by touch, and the field keeps the focus', async ({ forum, openAs }) => {
  const ana = await forum.person('Wanda Sol');
  const writer = await forum.person('Zoe');
  const channel = await openChannel(forum, writer);
  const page = await openAs(writer, { hasTouch: true, viewport: { width: 375, height: 667 } });
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).tap();
  await page.keyboard.type('Hola @Wan');
  await expect(option(page, 'Wanda Sol')).toBeInViewport({ ratio: 1 });
  expect((await option(page, 'Wanda Sol').boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await option(page, 'Wanda Sol').tap();
  await expect(commentField(page)).toBeFocused();
  await expect(commentField(page)).toHaveValue('Hola @Wanda Sol');
  await sendButton(page).tap();
  await expect(commentsShown(page).getByRole('link', { name: '@Wanda Sol' })).toHaveAttribute(
    'href',
    pageRoutes.user(ana.id),
  );
});

test('Escape closes the list for this name, a changed name is not a mention, and when the caret leaves the name, keys change no other text', async ({
  forum,
  openAs,
}) => {
  await forum.person('Xenia Ruiz');
  await forum.person('Quima Sol');
  const writer = await forum.person('Zoe');
  const channel = await openChannel(forum, writer);
  const page = await openAs(writer);
  await page.goto(pageRoutes.channel(channel._id));
  await commentField(page).click();
  await page.keyboard.type('@Xe');
  await expect(option(page, 'Xenia Ruiz')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(people(page)).toHaveCount(0);
  await page.keyboard.type('nia ');
  await page.keyboard.type('@Xe');
  await expect(option(page, 'Xenia Ruiz')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(commentField(page)).toHaveValue('@Xenia @Xenia Ruiz');
  await page.keyboard.press('Backspace');
  await sendButton(page).click();
  await expect(commentsShown(page)).toHaveCount(1);
  const { data } = await forum.json<CommentPage>('GET', apiRoutes.channelComments(channel._id), {});
  expect(data[0]).toMatchObject({ comment: '@Xenia @Xenia Rui', mentions: [] });

  const field = commentField(page);
  await expect(field).toHaveValue('');
  await field.fill(' detrás');
  for (const key of ['End', 'Home']) {
    await field.press('Home');
    await page.keyboard.type('@Qui');
    await expect(option(page, 'Quima Sol')).toBeVisible();
    await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await expect(people(page)).toHaveCount(0);
  }
  await expect(field).toHaveValue('@Qui detrás\n\n@Qui');
});
