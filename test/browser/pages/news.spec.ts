import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { News } from '../../../src/shared/people.ts';
import { homeUrl, pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { layoutShifts, runScriptsAfterPaint } from '../layout-shifts.ts';
import { report } from '../moderation.ts';
import { holdRequests } from '../network.ts';
import { openWithNews, signOut } from '../people.ts';
import { statusBar } from '../status-bar.ts';

test.use({ forumName: 'news' });

const card = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name });
const markAllRead = (page: Page) => page.getByRole('button', { name: 'Marcar todo como leído' });
const order = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Orden de los canales' }).getByRole('link', { name });
/** The order of these channels on the page, which may also list channels of other tests. */
async function listedOrder(page: Page, names: string[]): Promise<string[]> {
  const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
  return titles.filter((title) => names.includes(title));
}

async function write(forum: Forum, author: Person, channelId: string, count: number) {
  for (let i = 1; i <= count; i++) await forum.comment(author, channelId, `Comentario ${i}`);
}

const read = (forum: Forum, { token }: Person, channelId: string, number: number) =>
  forum.json('PUT', apiRoutes.reads, { token, body: { channelId, number } });

const newsOf = async (forum: Forum, { token }: Person, channelId: string) => {
  const url = `${apiRoutes.news}?channels=${channelId}`;
  return (await forum.json<News>('GET', url, { token })).reads[channelId];
};

test('home lists the channels in the order of the link that is chosen, and says when they were last commented', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Ana');
  const names = ['El más hablado', 'El último en hablar', 'El más nuevo'] as const;
  const most = await openChannel(forum, ana, { name: names[0] });
  const latest = await openChannel(forum, ana, { name: names[1] });
  await openChannel(forum, ana, { name: names[2] });
  const orderShown = () => listedOrder(page, [...names]);
  await write(forum, ana, most._id, 3);
  await write(forum, ana, latest._id, 1);

  await page.goto(pageRoutes.home);
  await expect(order(page, 'Más comentados')).toHaveAttribute('aria-current', 'page');
  expect(await orderShown()).toEqual(names);
  await order(page, 'Actividad reciente').click();
  await expect(page).toHaveURL(homeUrl('activity'));
  await expect(order(page, 'Actividad reciente')).toHaveAttribute('aria-current', 'page');
  await expect.poll(async () => (await orderShown())[0]).toBe('El último en hablar');
  await order(page, 'Nuevos').click();
  await expect(order(page, 'Nuevos')).toHaveAttribute('aria-current', 'page');
  await expect.poll(async () => (await orderShown())[0]).toBe('El más nuevo');
  await expect(card(page, names[1])).toContainText('último comentario: ahora mismo');
  await expect(card(page, names[2])).not.toContainText('último comentario');
  await page.goBack();
  await card(page, names[1]).getByRole('link', { name: names[1] }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[1]);
  await page.getByRole('link', { name: 'tertulia', exact: true }).click();
  await expect(page, 'the logo keeps the order').toHaveURL(homeUrl('activity'));
});

test('a browser remembers the order that a signed-in user chose, on every way to the bare address, until the default order is chosen or the user signs out', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana');
  const { _id } = await openChannel(forum, ana, { name: 'Uno cualquiera' });
  const page = await openAs(ana);
  const chosen = (name: string) =>
    expect(order(page, name)).toHaveAttribute('aria-current', 'page');
  await openWithNews(page, pageRoutes.home);
  await expect(page).toHaveURL('/');
  await order(page, 'Nuevos').click();
  await chosen('Nuevos');
  await openWithNews(page, pageRoutes.home);
  await expect(page).toHaveURL(homeUrl('new'));
  await chosen('Nuevos');
  await openWithNews(page, pageRoutes.channel(_id));
  await page.getByRole('link', { name: 'tertulia', exact: true }).click();
  await expect(page).toHaveURL(homeUrl('new'));
  await chosen('Nuevos');
  await order(page, 'Más comentados').click();
  await chosen('Más comentados');
  await openWithNews(page, pageRoutes.home);
  await expect(page).toHaveURL('/');

  await order(page, 'Actividad reciente').click();
  await chosen('Actividad reciente');
  expect(await page.evaluate(() => localStorage.getItem('order'))).toBe('activity');
  await signOut(page);
  expect(await page.evaluate(() => localStorage.getItem('order'))).toBe(null);
});

test('an admin pins a channel, which home then shows first', async ({ openAs, page, forum }) => {
  const [ana, admin] = [await forum.person('Ana'), await makeStaff(forum, 'admin')];
  const [quiet, busy] = ['El fijado', 'El comentado'];
  const { _id } = await openChannel(forum, ana, { name: quiet });
  await write(forum, ana, (await openChannel(forum, ana, { name: busy }))._id, 2);
  const staff = await openAs(admin);
  const choose = async (name: string) => {
    await openWithNews(staff, pageRoutes.channel(_id));
    await staff.getByRole('button', { name: 'Opciones del canal' }).click();
    await staff.getByRole('button', { name, exact: true }).click();
  };
  await choose('Fijar en el inicio');
  await expect(statusBar(staff)).toContainText('Canal fijado en el inicio');
  await page.goto(pageRoutes.home);
  expect(await listedOrder(page, [quiet, busy])).toEqual([quiet, busy]);
  await expect(page.getByRole('article').first()).toContainText('Fijado');
  await expect(card(page, busy)).not.toContainText('Fijado');
  await choose('Dejar de fijar');
  await expect(statusBar(staff)).toContainText('Canal sin fijar');
  await page.goto(pageRoutes.home);
  expect(await listedOrder(page, [quiet, busy])).toEqual([busy, quiet]);
});

test('home shows what is new without moving anything; a count leads to the first unread comment, the rest of its card to the channel', async ({
  openAs,
  forum,
}) => {
  const ana = await forum.person('Ana');
  // A moderator also has pending reports.
  const bea = await makeStaff(forum);
  const { _id } = await openChannel(forum, ana, { name: 'Visitado' });
  const other = await openChannel(forum, ana, { name: 'Sin visitar' });
  await write(forum, ana, _id, 14);
  await write(forum, ana, other._id, 2);
  await read(forum, bea, _id, 12);
  const own = await forum.comment(bea, other._id, 'Empiezo yo');
  await forum.comment(ana, other._id, 'Sí', { replyTo: own.number });
  await report(forum, bea, { kind: 'user', id: ana.id });

  const page = await openAs(bea, { viewport: { width: 320, height: 800 } });
  await runScriptsAfterPaint(page);
  await page.goto(homeUrl('new'));
  await expect(card(page, 'Visitado')).toContainText('2 nuevos');
  await expect(card(page, 'Sin visitar')).not.toContainText('nuevo');
  await expect(page.getByRole('main').getByRole('link', { name: '1 aviso' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /pendientes?$/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Menú de usuario' })).toHaveAccessibleDescription(
    /^1 aviso sin leer, \d+ pendientes?$/,
  );
  expect((await markAllRead(page).boundingBox())?.height, 'one line').toBe(44);
  expect(await layoutShifts(page)).toEqual([]);

  // The counts are fetched again on focus.
  await forum.comment(bea, _id, 'Mío, que no cuenta');
  await forum.comment(ana, _id, 'Otro');
  await expect(async () => {
    // The page may not listen for the focus yet.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(card(page, 'Visitado')).toContainText('3 nuevos', { timeout: 2000 });
  }).toPass();

  await page.getByRole('link', { name: '3 nuevos en Visitado' }).click();
  await expect(page).toHaveURL(`${pageRoutes.channel(_id)}?n=13#nuevo`);
  await expect(page.locator('#nuevo')).toHaveText('3 nuevos');
  await expect(page.locator('#nuevo')).toBeInViewport();
  await page.goBack();
  await card(page, 'Visitado').click({ position: { x: 40, y: 40 } });
  await expect(page).toHaveURL(pageRoutes.channel(_id));
});

test('where something is new, a row on a phone shows who wrote last and how that begins instead of the description, without moving anything; a card shows the description', async ({
  openAs,
  forum,
}) => {
  const [ana, bea] = [await forum.person('Ana Belén'), await forum.person('Bea')];
  const { _id, description } = await openChannel(forum, ana, { name: 'Ensayos' });
  const other = await openChannel(forum, ana, { name: 'Todo leído' });
  await forum.comment(ana, _id, '> ¿Hay ensayo?\nEl jueves no hay ensayo');
  await forum.comment(ana, other._id, 'Hola');
  await read(forum, bea, _id, 0);
  await read(forum, bea, other._id, 1);
  const page = await openAs(bea, { viewport: { width: 375, height: 800 } });
  await runScriptsAfterPaint(page);
  await page.goto(homeUrl('new'));
  const last = card(page, 'Ensayos').getByText('Ana: El jueves no hay ensayo');
  await expect(last).toBeVisible();
  await expect(card(page, 'Ensayos').getByText(description)).toBeHidden();
  await expect(card(page, 'Todo leído').getByText(other.description)).toBeVisible();
  expect(await layoutShifts(page)).toEqual([]);
  await page.setViewportSize({ width: 780, height: 800 });
  await expect(last).toBeHidden();
  await expect(card(page, 'Ensayos').getByText(description)).toBeVisible();
});

test('a channel that the user never opened is marked as new, without moving anything, until it is opened, also without comments', async ({
  openAs,
  page: guest,
  forum,
}) => {
  const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const empty = await openChannel(forum, ana, { name: 'Todavía vacío' });
  const long = await openChannel(forum, ana, { name: 'Con comentarios' });
  await write(forum, ana, long._id, 12);
  await openChannel(forum, bea, { name: 'De Bea' });
  // Only the header of a channel fits.
  const page = await openAs(bea, { viewport: { width: 375, height: 400 } });
  await runScriptsAfterPaint(page);
  const news = await holdRequests(page, 'GET', `**${apiRoutes.news}*`);
  await page.goto(homeUrl('new'));
  await expect.poll(() => news.requests.length).toBe(1);
  await expect(page.getByText('Nuevo', { exact: true })).toHaveCount(0);
  news.release();
  for (const { _id, name } of [empty, long]) {
    await expect(card(page, name).getByText('Nuevo', { exact: true })).toBeVisible();
    expect(await layoutShifts(page)).toEqual([]);
    const sent = page.waitForResponse(`**${apiRoutes.reads}`);
    await card(page, name).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await sent;
    expect(await newsOf(forum, bea, _id)).toMatchObject({ number: 0 });
    await page.goBack();
    await expect(card(page, name)).not.toContainText('Nuevo');
    await page.reload();
  }
  await expect(card(page, long.name)).toContainText('12 nuevos');
  await expect(card(page, empty.name)).not.toContainText('Nuevo');
  await expect(card(page, 'De Bea')).not.toContainText('Nuevo');
  await guest.goto(homeUrl('new'));
  await expect(timesAgo(guest).first()).toBeVisible();
  await expect(guest.getByText('Nuevo', { exact: true })).toHaveCount(0);
});

test('new comments are counted each minute', async ({ openAs, forum }) => {
  const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const { _id } = await openChannel(forum, ana, { name: 'Cada minuto' });
  await write(forum, ana, _id, 1);
  await read(forum, bea, _id, 0);
  const page = await openAs(bea);
  await page.clock.install();
  await page.goto(homeUrl('new'));
  await expect(card(page, 'Cada minuto')).toContainText('1 nuevo');
  await forum.comment(ana, _id, 'Y otro');
  await page.clock.fastForward('01:01');
  await expect(card(page, 'Cada minuto')).toContainText('2 nuevos');
});

test.describe(() => {
  test.use({ expectedErrors: [/status of 503/] });

  test('«Marcar todo como leído» marks what is listed; a position that could not be sent is sent later', async ({
    openAs,
    forum,
  }) => {
    const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
    const { _id } = await openChannel(forum, ana, { name: 'Por leer' });
    await write(forum, ana, _id, 2);
    await read(forum, bea, _id, 0);
    const page = await openAs(bea);
    await page.goto(homeUrl('new'));
    await expect(card(page, 'Por leer')).toContainText('2 nuevos');
    await page.route(`**${apiRoutes.reads}`, (route) => route.fulfill({ status: 503, json: {} }));
    const failed = page.waitForResponse(`**${apiRoutes.reads}`);
    await markAllRead(page).click();
    await expect(card(page, 'Por leer')).not.toContainText('nuevo');
    await expect(markAllRead(page)).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.getByRole('status')).toHaveText(
      /Se han marcado como leídos los canales de la lista/,
    );
    await failed;
    await page.unroute(`**${apiRoutes.reads}`);
    const sent = page.waitForResponse(`**${apiRoutes.reads}`);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    expect((await sent).status()).toBe(204);
    expect(await newsOf(forum, bea, _id)).toMatchObject({ number: 2, unread: 0 });
  });
});

test('channels marked as read are sent when the page is left', async ({ openAs, forum }) => {
  const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const { _id } = await openChannel(forum, ana, { name: 'Leído en el móvil' });
  await read(forum, bea, _id, 0);
  await forum.comment(ana, _id, 'Uno más');
  const page = await openAs(bea);
  await page.goto(homeUrl('new'));
  await markAllRead(page).click();
  await page.goto('about:blank');
  await expect.poll(() => newsOf(forum, bea, _id)).toMatchObject({ number: 1, unread: 0 });
});
