import type { Page, Request } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { ChannelPage } from '../../../src/shared/channels.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { Forum } from '../../forum/forum.ts';
import { numberedComments, writeComments } from '../comments.ts';
import { openChannel, openChannels } from '../community.ts';
import { test as base, expect, oncePerForum } from '../fixtures.ts';
import { openHome } from '../hydration.ts';
import { afterFrames, holdRequests } from '../network.ts';

const test = base.extend<{
  emptyForum: Forum;
  /** A forum with 45 channels on three pages. Tests do not change it. */
  largeForum: Forum;
}>({
  largeForum: async ({ forums }, use) => use(await filled((await forums('large')).forum)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
  emptyForum: async ({}, use) => {
    await using forum = await Forum.start('sqlite');
    await use(forum);
  },
});

const filled = oncePerForum(async (forum): Promise<Forum> => {
  const ana = await forum.person('Ana Belén');
  const names = Array.from({ length: 45 }, (_, index) => `Canal ${index + 1}`);
  for (const channel of await openChannels(forum, ana, names)) {
    const comments = { 'Canal 7': 1, 'Canal 21': 3, 'Canal 38': 2 }[channel.name] ?? 0;
    await writeComments(forum, ana, channel, numberedComments(comments));
  }
  return forum;
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const channelTitles = (page: Page) =>
  page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
const cards = (page: Page) => page.getByRole('article');
const moreChannels = (page: Page) => page.getByRole('link', { name: 'Ver más canales' });
const logo = (page: Page) => page.getByRole('link', { name: 'tertulia', exact: true });

function isListRequest(request: Request): boolean {
  return new URL(request.url()).pathname === apiRoutes.channels && request.method() === 'GET';
}

test('home fetches the list each time it is shown, with new channels', async ({
  page,
  emptyForum,
}) => {
  const ana = await emptyForum.person();
  await openChannel(emptyForum, ana, { name: 'El primero' });
  let fetched = 0;
  page.on('request', (request) => {
    if (isListRequest(request)) fetched += 1;
  });
  await openHome(page, emptyForum.url);
  expect(fetched, 'on the first page').toBe(1);

  await page.getByRole('link', { name: 'El primero' }).click();
  await expect(heading(page)).toHaveText('El primero');
  await openChannel(emptyForum, ana, { name: 'El segundo' });
  await logo(page).click();
  await expect(page.getByRole('link', { name: 'El segundo' })).toBeVisible();
  expect(fetched, 'after following the logo').toBe(2);

  await openChannel(emptyForum, ana, { name: 'El tercero' });
  await page.goBack();
  await expect(heading(page)).toHaveText('El primero');
  await page.goForward();
  await expect(page.getByRole('link', { name: 'El tercero' })).toBeVisible();
  expect(fetched, 'after Back and Forward').toBe(3);
});

test("'Ver más canales' appends each page and focuses its first channel; Back from a channel restores the list and the scroll position", async ({
  page,
  largeForum,
}) => {
  const { data } = await largeForum.json<ChannelPage>('GET', `${apiRoutes.channels}?comments=0`);
  const names = data.map(({ name }) => name);
  await openHome(page, largeForum.url);
  expect(await channelTitles(page)).toEqual(names.slice(0, 20));
  expect(names.slice(0, 4)).toEqual(['Canal 21', 'Canal 38', 'Canal 7', 'Canal 45']);
  await expect(cards(page).getByText(/^\d+ comentarios?$/)).toHaveText([
    '3 comentarios',
    '2 comentarios',
    '1 comentario',
    ...Array<string>(17).fill('0 comentarios'),
  ]);
  await expect(cards(page).first().getByText('Ana Belén')).toBeVisible();
  for (const shown of [20, 40]) {
    await moreChannels(page).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: names[shown] ?? '', exact: true })).toBeFocused();
  }
  expect(await channelTitles(page)).toEqual(names);
  await expect(moreChannels(page)).toHaveCount(0);
  await expect(page).toHaveURL(`${largeForum.url}/`);

  const link = page.getByRole('link', { name: names[42] ?? '', exact: true });
  await link.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => Math.round(scrollY));
  expect(place).toBeGreaterThan(2000);
  await link.click();
  await expect(heading(page)).toHaveText(names[42] ?? '');
  expect(await page.evaluate(() => scrollY), 'a new page begins at its top').toBe(0);

  const listed = page.waitForResponse((response) => isListRequest(response.request()));
  await page.goBack();
  await (await listed).finished();
  await expect(cards(page)).toHaveCount(45);
  expect(await channelTitles(page)).toEqual(names);
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(place);
});

test.describe('a list that cannot be fetched', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|net::ERR_FAILED/] });

  test('shows an error, keeps what is listed, and can be retried, as can its next page; it loads by itself once the connection is back', async ({
    page,
    largeForum,
  }) => {
    const failOnce = () => page.route('**/api/channels?*', (route) => route.abort(), { times: 1 });
    const failure = page.getByText('No se pudieron cargar los canales');
    const retry = page.getByRole('button', { name: 'Reintentar' });
    await page.goto(largeForum.url + pageRoutes.login);
    await failOnce();
    await logo(page).click();
    await expect(failure).toBeVisible();
    await expect(page.getByText('Aún no hay canales')).toHaveCount(0);
    await retry.click();
    await expect(cards(page)).toHaveCount(20);

    // The server's page has the list already.
    await failOnce();
    await page.reload();
    await expect(failure).toBeVisible();
    await expect(cards(page)).toHaveCount(20);
    await retry.click();
    await expect(failure).toHaveCount(0);
    await expect(retry).toHaveCount(0);
    await expect(cards(page)).toHaveCount(20);

    await page.context().setOffline(true);
    const newest = page.getByRole('link', { name: 'Nuevos', exact: true });
    await newest.click();
    const offline = page.getByText('Sin conexión: esto es lo último que se cargó');
    await expect(offline).toBeVisible();
    await page.context().setOffline(false);
    await expect(offline).toBeHidden();
    await expect(cards(page).first()).toContainText('Canal 45');
    await expect(newest).toHaveAttribute('aria-current', 'page');

    await failOnce();
    await moreChannels(page).click();
    await expect(page.getByRole('alert')).toHaveText(/^No hay conexión con/);
    await expect(cards(page)).toHaveCount(20);
    const held = await holdRequests(page, 'GET', '**/api/channels?*after=*');
    await moreChannels(page).click();
    await expect.poll(() => held.requests.length).toBe(1);
    await page.getByRole('searchbox').focus();
    held.release();
    await expect(cards(page)).toHaveCount(40);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await afterFrames(page);
    await expect(page.getByRole('searchbox'), 'where somebody types').toBeFocused();
  });
});
