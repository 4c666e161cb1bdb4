import type { Page, Route } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { someDates } from '../../forum/dated-comment.ts';
import type { Forum } from '../../forum/forum.ts';
import { commentField, commentsShown, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { plainImage } from '../images.ts';
import { statusBar } from '../status-bar.ts';

/** Any script except those of a first visit. */
const accountScript =
  /\/assets\/(?!entry-client|rolldown-runtime|channel-page|conversation)[^/]+\.js$/;
const respondBusy = (route: Route) => route.fulfill({ status: 503, body: '' });
const retry = (page: Page) => page.getByRole('button', { name: 'Reintentar' });
const reload = (page: Page) => statusBar(page).getByRole('button', { name: 'Recargar' });
const replies = (page: Page) => page.getByRole('button', { name: /^1 respuesta/ });
const failure = 'No se pudo mostrar esta parte de la página';

/** Counts page loads from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  return () => loads;
}

/** Opens, as a guest, a channel with a comment and its reply. */
async function openReplies(forum: Forum, page: Page): Promise<void> {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, 'primero');
  await forum.comment(ana, _id, 'segundo', { replyTo: 1 });
  await page.goto(pageRoutes.channel(_id));
  await expect(timesAgo(page).first()).toBeVisible();
}

test.use({
  expectedErrors: [/status of 503|dynamically imported module|page-boundary/],
});

test('a page without one of its parts reloads once, then the part shows an error, and the rest stays', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.home);
  await page.route(accountScript, respondBusy);
  const loads = countLoads(page);
  await page.goto(pageRoutes.channel(_id));
  await expect.poll(loads).toBe(2);
  await expect(page.getByRole('alert')).toHaveText(failure);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.unrouteAll();
  await retry(page).click();
  await expect(page.getByLabel('Escribe un comentario')).toBeVisible();
  expect(loads()).toBe(3);
});

test('a page without the script of its dates says so to guests, and the comment stays', async ({
  forum,
  page,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, 'Traed agua', { event: someDates });
  await page.route(/\/assets\/carried-[^/]+\.js$/, respondBusy);
  const loads = countLoads(page);
  await page.goto(pageRoutes.channel(_id));
  await expect.poll(loads).toBe(2);
  // The next dates of the channel, and the card of the comment.
  await expect(page.getByRole('alert').filter({ hasText: failure })).toHaveCount(2);
  await expect(page.getByText('Traed agua')).toBeVisible();
  await page.unrouteAll();
  await retry(page).first().click();
  await expect(page.getByRole('region', { name: `Fechas de ${someDates.title}` })).toBeVisible();
});

test.describe('without a connection', () => {
  test.use({
    expectedErrors: [/ERR_[A-Z_]+|dynamically imported module|preload CSS|page-boundary/],
  });

  test('a page without one of its parts stays', async ({ forum, page }) => {
    await openReplies(forum, page);
    const loads = countLoads(page);
    await page.route('**/*', (route) => route.abort('internetdisconnected'));
    const asked = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
    await replies(page).click();
    await asked;
    await expect(page.getByRole('alert')).toHaveText(failure);
    await expect(page.getByText('segundo')).toBeVisible();
    expect(loads()).toBe(0);
  });
});

test.describe('where a file is gone', () => {
  test.use({
    expectedErrors: [/status of 404|dynamically imported module|preload CSS|page-boundary/],
  });

  test('people can send a comment in a page that was opened before an update, and are asked before it reloads', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await forum.comment(ana, channel._id, 'primero');
    await forum.comment(ana, channel._id, 'segundo', { replyTo: 1 });
    const page = await openAs(ana);
    // The last script to be preloaded.
    const statusScript = page.waitForResponse(/\/status-view-[^/]*\.js$/);
    await page.goto(pageRoutes.channel(channel._id));
    await commentField(page).fill('tercero');
    await expect(page.getByRole('button', { name: /^Responder/ })).toHaveCount(2);
    await (await statusScript).finished();
    await page.route(/\/assets\//, (route) => route.fulfill({ status: 404, body: '' }));

    await replies(page).click();
    await expect(page.getByRole('alert')).toHaveText(failure);
    await expect(reload(page)).toBeVisible();
    await expect(commentField(page)).toHaveValue('tercero');
    await sendButton(page).click();
    await expect(commentsShown(page)).toHaveCount(3);
    await commentField(page).fill('cuarto');
    await page.getByLabel('Añadir imágenes').setInputFiles(await plainImage('mar.png', '#2255aa'));
    // The list of replies, and the images of the draft.
    await expect(page.getByRole('alert').filter({ hasText: failure })).toHaveCount(2);
    await expect(commentField(page)).toHaveValue('cuarto');
  });
});
