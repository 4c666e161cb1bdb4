import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { type PageName, pages } from '../../../src/shared/pages.ts';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { fillWithComments, numberedComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { holdRequests } from '../network.ts';
import { readSession, signInByForm, signOut } from '../people.ts';
import { replyField } from '../replies.ts';
import { statusBar } from '../status-bar.ts';

// Its home page lists the channels of these tests only.
test.use({ forumName: 'ways-in' });

test('after registering from a channel, the login page says that the account was created; signing in leads back', async ({
  page,
  forum,
}) => {
  const channel = await openChannel(forum, await forum.person(), { name: 'Trenes lentos' });
  await page.goto(pageRoutes.channel(channel._id));
  await expect(timesAgo(page).first()).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Crear cuenta' }).click();
  await page.getByLabel('Nombre').fill('Noa Ferrer');
  await page.getByLabel('Correo electrónico').fill('noa@ejemplo.es');
  await page.getByLabel('Contraseña').fill('ñandú');
  await page.getByRole('main').getByRole('button', { name: 'Registrarse' }).click();
  const next = new URLSearchParams({ next: pageRoutes.channel(channel._id) });
  await expect(page).toHaveURL(`${pageRoutes.login}?${next}`);
  const created = page.getByText('Ya tienes cuenta. Solo falta iniciar sesión.');
  await expect(created).toBeVisible();
  await expect(statusBar(page)).toHaveCount(0);
  await expect(page.getByLabel('Correo electrónico')).toHaveValue('noa@ejemplo.es');
  await page.getByRole('main').getByRole('link', { name: 'Registrarse' }).click();
  await page
    .getByRole('main')
    .getByRole('link', { name: '¿Ya tienes cuenta? Inicia sesión' })
    .click();
  await expect(created).toBeHidden();
  await page.getByLabel('Correo electrónico').fill('noa@ejemplo.es');
  await page.getByLabel('Contraseña').fill('ñandú');
  await page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page).toHaveURL(pageRoutes.channel(channel._id));
  await expect(statusBar(page).getByRole('status')).toHaveText('Has iniciado sesión.');
});

test("a guest's reply leads to signing in, and from there back to the comment, with the reply begun", async ({
  page,
  forum,
}) => {
  const bruno = await forum.person('Bruno Paz');
  const channel = await openChannel(forum, bruno, { name: 'Trenes lentos' });
  await fillWithComments(forum, bruno, channel, numberedComments(70));
  await page.goto(commentLink(channel._id, 60));
  await expect(timesAgo(page).first()).toBeVisible();
  const navigated: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) navigated.push(new URL(request.url()).pathname);
  });
  await page.getByRole('link', { name: 'Responder: n.º 62, de Bruno Paz' }).click();
  await expect(page).toHaveURL((url) => url.pathname === pageRoutes.login);
  expect(navigated, 'the browser follows the link').toEqual([pageRoutes.login]);
  const reason = page.getByText('Para responder a Bruno Paz, inicia sesión o regístrate.');
  await expect(reason).toBeVisible();
  await page.reload();
  await expect(reason).toBeVisible();
  await signInByForm(page, bruno.email, bruno.password);
  await expect(page).toHaveURL(commentLink(channel._id, 62));
  await expect(replyField(page)).toBeFocused();
  await expect(replyField(page)).toBeInViewport();
  await expect(page.locator('#comentario-62').getByRole('textbox')).toBeFocused();
  await page.reload();
  await expect(page).toHaveURL(commentLink(channel._id, 62));
  await expect(page.locator('#comentario-62')).toBeVisible();
});

test('pages that need an account lead guests to signing in and from there back, or home, and lead home after signing out; forms for guests lead a user home', async ({
  page,
  forum,
}) => {
  const staff = await makeStaff(forum, 'admin');
  const sentHome: PageName[] = ['create', 'profile'];
  for (const [name, path] of Object.entries(pageRoutes)) {
    if (!pages[name as PageName].needsSignIn) continue;
    await page.goto(`${path}`);
    const { home, login } = pageRoutes;
    await expect(page, name).toHaveURL(sentHome.includes(name as PageName) ? home : login);
  }
  await page.goto(`${pageRoutes.settings}?a=1#b`);
  await expect(page).toHaveURL(pageRoutes.login);
  await page.reload();
  await expect(page.getByText('Inicia sesión para ver esa página.')).toBeVisible();
  await signInByForm(page, staff.email, staff.password);
  await expect(page).toHaveURL(`${pageRoutes.settings}?a=1#b`);
  await signOut(page);
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(statusBar(page).getByRole('status')).toHaveText('Has cerrado sesión.');

  await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
  await signInByForm(page, staff.email, staff.password);
  await expect(statusBar(page).getByRole('status'), 'from home').toHaveText('Has iniciado sesión.');
  for (const path of [pageRoutes.login, pageRoutes.register]) {
    await page.goto(path);
    await expect(page, path).toHaveURL(pageRoutes.home);
  }
});

test('a link to the login page leads only to pages of this site', async ({ page, forum }) => {
  const person = await forum.person();
  await page.goto(
    `${pageRoutes.login}?${new URLSearchParams({ next: '//example.org/channel/a' })}`,
  );
  await signInByForm(page, person.email, person.password);
  await expect(statusBar(page).getByRole('status')).toHaveText('Has iniciado sesión.');
  await expect(page).toHaveURL(pageRoutes.home);
});

test('who has left the form before the response arrives is signed in on the page that was opened', async ({
  forum,
  page,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana, { name: 'Pan de pueblo' });
  await page.goto(pageRoutes.login);
  const held = await holdRequests(page, 'POST', `**${apiRoutes.signIn}`);
  await signInByForm(page, ana.email, ana.password);
  await expect.poll(() => held.requests.length).toBe(1);
  await page.getByRole('link', { name: 'tertulia', exact: true }).click();
  await page.getByRole('link', { name: 'Pan de pueblo' }).click();
  await expect(page).toHaveURL(pageRoutes.channel(_id));
  held.release();
  await expect.poll(() => readSession(page)).toMatchObject({ name: ana.name, isLogged: 'true' });
  await expect(statusBar(page)).toContainText('Has iniciado sesión.');
  await expect(page).toHaveURL(pageRoutes.channel(_id));
});
