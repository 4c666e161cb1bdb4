import type { BrowserContextOptions, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import type { CommentPage } from '../../../src/shared/comments.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { commentField, commentsShown, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';

const people = (page: Page) =>
  page.getByRole('listbox', { name: 'Personas a las que puedes mencionar' });
const option = (page: Page, name: string) => people(page).getByRole('option', { name });

/** Opens a channel of her own as Zoe. */
async function openAsZoe(forum: Forum, openAs: OpenAs, options?: BrowserContextOptions) {
  const zoe = await forum.person('Zoe');
  const channel = await openChannel(forum, zoe);
  const page = await openAs(zoe, options);
  await page.goto(pageRoutes.channel(channel._id));
  return { channel, page, field: commentField(page) };
}

async function commentsOf(forum: Forum, { _id }: Channel) {
  return (await forum.json<CommentPage>('GET', apiRoutes.channelComments(_id), {})).data;
}

type OpenAs = (person: Person, options?: BrowserContextOptions) => Promise<Page>;

test('people are chosen with the arrows and by touch, where the field keeps the focus, and mentions follow later changes of the text', async ({
  forum,
  openAs,
}) => {
  const [ana, other] = [await forum.person('Quique Sol'), await forum.person('Quique Mar')];
  const phone = { hasTouch: true, viewport: { width: 375, height: 667 } };
  const { channel, page, field } = await openAsZoe(forum, openAs, phone);
  await forum.comment(other, channel._id, 'Hola');
  await field.tap();
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
  await expect(field).toHaveValue('Hola @Quique Sol ');
  await page.keyboard.type(', y @quique mar');
  await expect(option(page, 'Quique Mar')).toBeInViewport({ ratio: 1 });
  expect((await option(page, 'Quique Mar').boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await option(page, 'Quique Mar').tap();
  await expect(field).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.type('¡Eh! ');
  await expect(field).toHaveValue('¡Eh! Hola @Quique Sol, y @Quique Mar ');

  await page.reload();
  await sendButton(page).tap();
  await expect(commentsShown(page)).toHaveCount(2);
  await expect(commentsShown(page).getByRole('link', { name: '@Quique Sol' })).toHaveAttribute(
    'href',
    pageRoutes.user(ana.id),
  );
  expect((await commentsOf(forum, channel))[1]?.mentions).toEqual([
    { start: 10, length: 11, accountId: ana.id, name: 'Quique Sol' },
    { start: 25, length: 11, accountId: other.id, name: 'Quique Mar' },
  ]);
});

test('all eight people are shown, and in a low window the chosen one is scrolled into view', async ({
  forum,
  openAs,
}) => {
  for (let count = 1; count <= 8; count += 1) await forum.person(`Vera ${count}`);
  const { page, field } = await openAsZoe(forum, openAs);
  await field.click();
  await page.keyboard.type('@Vera');
  await expect(people(page).getByRole('option')).toHaveCount(8);
  const isWhole = await people(page).evaluate((list) => list.scrollHeight <= list.clientHeight);
  expect(isWhole).toBe(true);
  await page.setViewportSize({ width: 375, height: 300 });
  await page.keyboard.press('ArrowUp');
  const last = people(page).getByRole('option').last();
  await expect(last).toHaveAttribute('aria-selected', 'true');
  await expect(last).toBeInViewport({ ratio: 1 });
});

test('Escape closes the list for this name, a changed name is not a mention, a key that ends a composition neither chooses nor sends, and when the caret leaves the name, keys change no other text', async ({
  forum,
  openAs,
}) => {
  await forum.person('Xenia Ruiz');
  const { channel, page, field } = await openAsZoe(forum, openAs);
  await field.click();
  await page.keyboard.type('@Xe');
  await expect(option(page, 'Xenia Ruiz')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(people(page)).toHaveCount(0);
  await page.keyboard.type('nia ');
  await page.keyboard.type('@Xe');
  await expect(option(page, 'Xenia Ruiz')).toBeVisible();

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
  await expect(option(page, 'Xenia Ruiz')).toBeVisible();
  await expect(field).toHaveValue('@Xenia @Xe');
  expect(await press({})).toBe(false);
  await expect(field).toHaveValue('@Xenia @Xenia Ruiz ');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await sendButton(page).click();
  await expect(commentsShown(page)).toHaveCount(1);
  expect(await commentsOf(forum, channel)).toMatchObject([
    { comment: '@Xenia @Xenia Rui', mentions: [] },
  ]);

  await expect(field).toHaveValue('');
  await field.fill(' detrás');
  for (const key of ['End', 'Home']) {
    await field.press('Home');
    await page.keyboard.type('@Xen');
    await expect(option(page, 'Xenia Ruiz')).toBeVisible();
    await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await expect(people(page)).toHaveCount(0);
  }
  await expect(field).toHaveValue('@Xen detrás\n\n@Xen');
});
