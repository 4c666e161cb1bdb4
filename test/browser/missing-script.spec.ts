import type { Page, Route } from '@playwright/test';
import { pageRoutes } from '../../src/shared/routes.ts';
import { commentField, commentsShown, sendButton } from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import { timesAgo } from './hydration.ts';
import { plainImage } from './images.ts';

/** Any script but those of a first visit. */
const accountScript = /\/assets\/(?!entry-client|rolldown-runtime)[^/]+\.js$/;
const tools = /\/assets\/comment-tools-[^/]+\.js$/;
const respondBusy = (route: Route) => route.fulfill({ status: 503, body: '' });
const retry = (page: Page) => page.getByRole('button', { name: 'Reintentar' });

test.use({
  expectedErrors: [/status of 503|dynamically imported module|page-boundary/],
});

test('a part of a page whose script cannot be loaded shows an error, and the rest stays', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.home);
  await page.route(accountScript, respondBusy);
  let documents = 0;
  page.on('domcontentloaded', () => {
    documents += 1;
  });
  await page.goto(pageRoutes.channel(_id));
  await expect(page.getByRole('alert')).toHaveText('No se pudo mostrar esta parte de la página');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(documents).toBe(1);
  await page.unrouteAll();
  await retry(page).click();
  await expect(page.getByLabel('Escribe un comentario')).toBeVisible();
});

test('a page whose script cannot be loaded shows an error, and can be retried', async ({
  page,
}) => {
  await page.route(accountScript, respondBusy);
  await page.goto(pageRoutes.login);
  await expect(page.getByRole('alert')).toHaveText('No se pudo mostrar esta parte de la página');
  await page.unrouteAll();
  await retry(page).click();
  await expect(page.getByLabel('Correo electrónico')).toBeEnabled();
  await expect(
    page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }),
  ).toBeEnabled();
});

test.describe('a part whose script and styles could not be loaded', () => {
  test.use({
    expectedErrors: [/status of 503|dynamically imported module|preload CSS|page-boundary/],
  });

  test("the page's own style sheet is loaded again, and the scripts wait for it", async ({
    forum,
    page,
  }) => {
    await openChannel(forum, await forum.person());
    let isBusy = true;
    const asked = Promise.withResolvers<void>();
    let count = 0;
    await page.route(/\/entry-client-.*\.css/, (route) => {
      count += 1;
      if (count === 3) asked.resolve();
      return isBusy ? respondBusy(route) : route.continue();
    });
    await page.clock.install();
    await page.goto(pageRoutes.home);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await asked.promise;
    await expect(timesAgo(page)).toHaveCount(0);
    isBusy = false;
    await page.clock.fastForward(5000);
    await expect(timesAgo(page).first()).toBeVisible();
    const rules = () => [...document.styleSheets].map(({ cssRules }) => cssRules.length);
    expect(Math.min(...(await page.evaluate(rules)))).toBeGreaterThan(0);
  });

  test('is loaded when it is opened again', async ({ forum, page }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    await forum.comment(ana, _id, 'primero');
    await forum.comment(ana, _id, 'segundo', { replyTo: 1 });
    await page.goto(pageRoutes.channel(_id));
    const replies = page.getByRole('button', { name: /^1 respuesta/ });
    await expect(page.getByText('ahora mismo').first()).toBeVisible();
    await page.route(/\/assets\//, respondBusy);
    await replies.click();
    await expect(page.getByRole('alert')).toHaveText('No se pudo mostrar esta parte de la página');
    await page.unrouteAll();
    await replies.click();
    await replies.click();
    const list = page.getByRole('list', { name: '1 respuesta a Ana Belén' });
    await expect(list).toBeVisible();
    await expect(list.locator('..')).toHaveCSS('display', 'grid');
  });

  test('is loaded when the window gets the focus, if it showed no error', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    await forum.comment(ana, _id, 'primero');
    const page = await openAs(ana);
    const failed = page.waitForResponse(tools);
    await page.route(tools, respondBusy);
    await page.goto(pageRoutes.channel(_id));
    await failed;
    await expect(commentField(page)).toBeEditable();
    await page.unrouteAll();
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('focus')));
        return page.getByRole('button', { name: /^Responder/ }).count();
      })
      .toBe(1);
  });
});

test.describe('in a page that was opened before an update, whose other scripts are gone', () => {
  test.use({
    expectedErrors: [/status of 404|dynamically imported module|preload CSS|page-boundary/],
  });

  test('people can send a comment, and a part that cannot be loaded does not replace the page', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await forum.comment(ana, channel._id, 'primero');
    await forum.comment(ana, channel._id, 'segundo', { replyTo: 1 });
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(channel._id));
    await commentField(page).fill('tercero');
    await page.waitForLoadState('networkidle');
    await page.route(/\/assets\//, (route) => route.fulfill({ status: 404, body: '' }));

    await page.getByRole('button', { name: /^1 respuesta/ }).click();
    await expect(page.getByRole('alert')).toHaveText('No se pudo mostrar esta parte de la página');
    await expect(commentField(page)).toHaveValue('tercero');
    await sendButton(page).click();
    await expect(commentsShown(page)).toHaveCount(3);
    await page.getByLabel('Añadir imágenes').setInputFiles(await plainImage('mar.png', '#2255aa'));
    await expect(page.getByText(/recarga la página/)).toBeVisible();
  });
});
