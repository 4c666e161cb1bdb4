import type { Page, Request } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { ChannelPage } from '../../../src/shared/channels.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { Forum, type Person } from '../../forum/forum.ts';
import {
  commentsShown,
  commentTexts,
  fillWithComments,
  moreComments,
  numberedComments,
  writeComments,
} from '../comments.ts';
import { openChannel, openChannels } from '../community.ts';
import { test as base, expect, oncePerForum } from '../fixtures.ts';
import { openHome } from '../hydration.ts';
import { afterFrames, holdRequests } from '../network.ts';

interface LargeForum {
  forum: Forum;
  ana: Person;
}

const test = base.extend<{
  emptyForum: Forum;
  /** A forum with 45 channels on three pages. Tests do not change it. */
  largeForum: LargeForum;
}>({
  largeForum: async ({ forums }, use) => use(await largeForumOf((await forums('large')).forum)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
  emptyForum: async ({}, use) => {
    await using forum = await Forum.start('sqlite');
    await use(forum);
  },
});

const largeForumOf = oncePerForum(async (forum): Promise<LargeForum> => {
  const ana = await forum.person('Ana Belén');
  const names = Array.from({ length: 45 }, (_, index) => `Canal ${index + 1}`);
  for (const channel of await openChannels(forum, ana, names)) {
    const comments = { 'Canal 7': 1, 'Canal 21': 3, 'Canal 38': 2 }[channel.name] ?? 0;
    await writeComments(forum, ana, channel, numberedComments(comments));
  }
  return { forum, ana };
});

const channelTitles = (page: Page) =>
  page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
const cards = (page: Page) => page.getByRole('article');
const moreChannels = (page: Page) => page.getByRole('link', { name: 'Ver más canales' });

function isListRequest(request: Request): boolean {
  return new URL(request.url()).pathname === apiRoutes.channels && request.method() === 'GET';
}

/** The names of all channels, in the order of the API. */
async function namesInOrder(forum: Forum): Promise<string[]> {
  const { data } = await forum.json<ChannelPage>('GET', `${apiRoutes.channels}?comments=0`);
  return data.map(({ name }) => name);
}

test.describe('home', () => {
  test('fetches the list each time it is shown, with new channels', async ({
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
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('El primero');
    await openChannel(emptyForum, ana, { name: 'El segundo' });
    await page.getByRole('link', { name: 'tertulia', exact: true }).click();
    await expect(page.getByRole('link', { name: 'El segundo' })).toBeVisible();
    expect(fetched, 'after following the logo').toBe(2);

    await openChannel(emptyForum, ana, { name: 'El tercero' });
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('El primero');
    await page.goForward();
    await expect(page.getByRole('link', { name: 'El tercero' })).toBeVisible();
    expect(fetched, 'after Back and Forward').toBe(3);
  });
});

test.describe('a list that could not be loaded', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] });

  test('loads by itself once the connection is back, with its order marked', async ({
    page,
    largeForum,
  }) => {
    await openHome(page, largeForum.forum.url);
    await page.context().setOffline(true);
    const newest = page.getByRole('link', { name: 'Nuevos', exact: true });
    await newest.click();
    const failure = page.getByText('No se pudieron cargar los canales');
    await expect(failure).toBeVisible();
    await page.context().setOffline(false);
    await expect(failure).toBeHidden();
    await expect(cards(page).first()).toContainText('Canal 45');
    await expect(newest).toHaveAttribute('aria-current', 'page');
  });
});

test.describe("'Ver más canales'", () => {
  test('takes the focus neither from another list nor from a field when its response is late', async ({
    page,
    largeForum,
  }) => {
    await openHome(page, largeForum.forum.url);
    const held = await holdRequests(page, 'GET', '**/api/channels?*after=*');
    await moreChannels(page).click();
    await expect.poll(() => held.requests.length).toBe(1);
    await page.getByRole('link', { name: 'Nuevos' }).click();
    await expect(cards(page).first()).toContainText('Canal 45');
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toBeFocused();
    held.release();
    await afterFrames(page);
    await expect(title).toBeFocused();

    const again = await holdRequests(page, 'GET', '**/api/channels?*after=*');
    await moreChannels(page).click();
    await expect.poll(() => again.requests.length).toBe(1);
    await page.getByRole('searchbox').focus();
    again.release();
    await expect(cards(page)).toHaveCount(40);
    await afterFrames(page);
    await expect(page.getByRole('searchbox')).toBeFocused();
  });

  test('is a link that also opens the next channels in another tab', async ({
    page,
    context,
    largeForum,
  }) => {
    await openHome(page, largeForum.forum.url);
    const opened = context.waitForEvent('page');
    await moreChannels(page).click({ modifiers: ['ControlOrMeta'] });
    const tab = await opened;
    await tab.getByRole('link', { name: 'Ver desde el principio' }).click();
    await expect(tab.getByRole('link', { name: 'Canal 21', exact: true })).toBeVisible();
    expect(await channelTitles(page), 'in the tab it was opened from').toHaveLength(20);
  });

  test('appends each page and focuses the first appended channel; Back from a channel restores the list and the scroll position', async ({
    page,
    largeForum,
  }) => {
    const names = await namesInOrder(largeForum.forum);
    await openHome(page, largeForum.forum.url);
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
    await expect(page).toHaveURL(`${largeForum.forum.url}/`);

    const link = page.getByRole('link', { name: names[42] ?? '', exact: true });
    await link.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => Math.round(scrollY));
    expect(place).toBeGreaterThan(2000);
    await link.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[42] ?? '');
    expect(await page.evaluate(() => scrollY), 'a new page begins at its top').toBe(0);

    const listed = page.waitForResponse((response) => isListRequest(response.request()));
    await page.goBack();
    await (await listed).finished();
    await expect(cards(page)).toHaveCount(45);
    expect(await channelTitles(page)).toEqual(names);
    await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(place);
  });
});

test.describe('a list that cannot be fetched', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test('shows an error, keeps the list, and can be retried or fetched in another order, as can its next page', async ({
    page,
    largeForum,
  }) => {
    await page.route('**/api/channels?*', (route) => route.abort(), { times: 1 });
    await page.goto(largeForum.forum.url);
    const alert = page.getByText('No se pudieron cargar los canales');
    await expect(alert).toBeVisible();
    await expect(cards(page)).toHaveCount(20);
    const listed = page.waitForResponse((response) => isListRequest(response.request()));
    await page.getByRole('button', { name: 'Reintentar' }).click();
    expect((await listed).status()).toBe(200);
    await expect(alert).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Reintentar' })).toHaveCount(0);
    await expect(cards(page)).toHaveCount(20);

    await page.route('**/api/channels?*', (route) => route.abort(), { times: 1 });
    await page.reload();
    await expect(alert).toBeVisible();
    const held = await holdRequests(page, 'GET', '**/api/channels?*');
    await page.getByRole('link', { name: 'Nuevos' }).click();
    await expect.poll(() => held.requests.length).toBe(1);
    await afterFrames(page);
    expect(await alert.count()).toBe(0);
    held.release();
    await expect(cards(page).first()).toContainText('Canal 45');

    await page.route('**/api/channels?*', (route) => route.abort());
    await moreChannels(page).click();
    await expect(page.getByRole('alert')).toHaveText(/^No hay conexión con/);
    await expect(cards(page)).toHaveCount(20);
    await page.unroute('**/api/channels?*');
    await moreChannels(page).click();
    await expect(cards(page)).toHaveCount(40);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('can be retried on a page without a list from the server', async ({ page, largeForum }) => {
    await page.route('**/api/channels?*', (route) => route.abort(), { times: 1 });
    await page.goto(largeForum.forum.url + pageRoutes.login);
    await page.getByRole('link', { name: 'tertulia', exact: true }).click();
    await expect(page.getByText('No se pudieron cargar los canales')).toBeVisible();
    await expect(page.getByText('Aún no hay canales')).toHaveCount(0);
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect(cards(page)).toHaveCount(20);
  });
});

test.describe("'Ver N comentarios más'", () => {
  test('appends the next comments in order and focuses the first of them', async ({
    page,
    forum,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await fillWithComments(forum, ana, channel, numberedComments(102));
    await page.goto(pageRoutes.channel(channel._id));
    expect(await commentTexts(page)).toEqual(numberedComments(50));
    await expect(moreComments(page)).toHaveText('Ver 52 comentarios más');
    for (const shown of [50, 100]) {
      await moreComments(page).focus();
      await page.keyboard.press('Enter');
      await expect(commentsShown(page).nth(shown)).toBeFocused();
    }
    await expect(moreComments(page)).toHaveCount(0);
    expect(await commentTexts(page)).toEqual(numberedComments(102));
  });

  test('does not take the focus in another channel when its response is late', async ({
    page,
    forum,
  }) => {
    const ana = await forum.person('Ana Belén');
    const [first, second] = await openChannels(forum, ana, ['Uno', 'Dos']);
    for (const channel of [first, second]) {
      if (channel) await fillWithComments(forum, ana, channel, numberedComments(60));
    }
    const path = apiRoutes.channelComments(first?._id ?? '');
    await page.goto(pageRoutes.channel(first?._id ?? ''));
    const later = `**${path}?after=*-50*`;
    const held = await holdRequests(page, 'GET', later);
    await moreComments(page).click();
    await expect.poll(() => held.requests.length).toBe(1);
    await page.getByRole('main').getByRole('link', { name: 'Ana Belén' }).first().click();
    await page.getByRole('link', { name: 'Dos', exact: true }).first().click();
    await expect(commentsShown(page)).toHaveCount(50);
    await moreComments(page).click();
    await expect(commentsShown(page)).toHaveCount(60);
    const logo = page.getByRole('link', { name: 'tertulia', exact: true });
    await logo.focus();
    const late = page.waitForResponse(later);
    held.release();
    await (await late).finished();
    await afterFrames(page);
    await expect(logo).toBeFocused();
  });
});

test.describe('a cursor that the list does not have', () => {
  test.use({ expectedErrors: [/status of 40[04]/] });

  test('shows NotFound, also when the page is opened by Back; home is one click away', async ({
    page,
  }) => {
    await page.goto('/?after=nada');
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText('Página no encontrada');
    await expect(page).toHaveTitle('NotFound · tertulia');
    await page.getByRole('link', { name: 'Volver al inicio' }).click();
    await expect(page).toHaveURL('/');
    await expect(title).toHaveText('Bienvenidos a tertulia');
    await expect(title).toBeFocused();
    await page.goBack();
    await expect(title).toHaveText('Página no encontrada');
    await page.goForward();
    await expect(title).toHaveText('Bienvenidos a tertulia');
    await page.evaluate(() => {
      history.pushState(null, '', '/?after=nunca');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await expect(title).toHaveText('Página no encontrada');
    await expect(page.getByRole('button', { name: 'Reintentar' })).toHaveCount(0);
  });
});
