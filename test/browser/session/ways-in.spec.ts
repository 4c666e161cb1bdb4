import { type PageName, pages } from '../../../src/shared/pages.ts';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, sendComment } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { layoutShifts, runScriptsAfterPaint } from '../layout-shifts.ts';
import {
  endSession,
  menu,
  openWithNews,
  readSession,
  signInByForm,
  signOut,
  staffMember,
} from '../people.ts';
import { statusBar } from '../status-bar.ts';

test('home and channels show guests buttons to sign in and to register', async ({
  page,
  forum,
}) => {
  const { _id } = await openChannel(forum, await forum.person());
  const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
  await page.goto(pageRoutes.channel(_id));
  await expect(link('Iniciar sesión')).toHaveAttribute('href', pageRoutes.login);
  await link('Crear cuenta').click();
  await expect(page).toHaveURL(pageRoutes.register);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Crear cuenta');

  await page.goto(pageRoutes.home);
  const sentence = 'Debes iniciar sesión para crear un canal';
  await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  await expect(link('Crear cuenta')).toHaveAttribute('href', pageRoutes.register);
  await link('Iniciar sesión').click();
  await expect(page).toHaveURL(pageRoutes.login);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Iniciar sesión');
});

test('after registering from a channel, the login page says that the account was created; signing in offers the way back', async ({
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
  await expect(page).toHaveURL(pageRoutes.login);
  const created = page.getByText('Ya tienes cuenta. Escribe tu contraseña para iniciar sesión.');
  await expect(created).toBeVisible();
  await expect(statusBar(page).getByRole('status')).toHaveText('Cuenta creada');
  await expect(page.getByLabel('Correo electrónico')).toHaveValue('noa@ejemplo.es');
  await page.getByRole('main').getByRole('link', { name: 'Registrarse' }).click();
  await page
    .getByRole('main')
    .getByRole('link', { name: '¿Ya tienes cuenta? Inicia sesión' })
    .click();
  await expect(page).toHaveURL(pageRoutes.login);
  await expect(created).toBeHidden();
  await page.getByRole('link', { name: 'Recuperar el acceso' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
  await page.getByLabel('Correo electrónico').fill('noa@ejemplo.es');
  await page.getByLabel('Contraseña').fill('ñandú');
  await page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(statusBar(page).getByRole('status')).toHaveText(
    'Has iniciado sesión.Volver a Trenes lentos',
  );
  await statusBar(page).getByRole('link', { name: 'Volver a Trenes lentos', exact: true }).click();
  await expect(page).toHaveURL(pageRoutes.channel(channel._id));
  await expect(statusBar(page)).toHaveCount(0);
});

test.describe('links that are followed before the scripts run', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED .*\/assets\//] });

  test('also lead back to the comment', async ({ page, forum }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    await forum.comment(person, _id, 'Hola');
    const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(commentLink(_id, 1));
    await link('Iniciar sesión').click();
    await link('Registrarse').click();
    await expect(page).toHaveURL(pageRoutes.register);
    await page.unroute('**/assets/*.js');
    await page.reload();
    await link('¿Ya tienes cuenta? Inicia sesión').click();
    await signInByForm(page, person.email, person.password);
    await expect(page).toHaveURL(pageRoutes.home);
    await statusBar(page).getByRole('link', { name: 'Volver a donde estabas' }).click();
    await expect(page).toHaveURL(commentLink(_id, 1));
  });
});

test('pages that need an account lead guests to signing in and from there back, and lead home after signing out', async ({
  page,
  forum,
}) => {
  const staff = await staffMember(forum, 'admin');
  const sentHome: PageName[] = ['create', 'profile'];
  for (const [name, { path = '', title, needsSignIn }] of Object.entries(pages)) {
    if (!needsSignIn || sentHome.includes(name as PageName)) continue;
    await page.goto(`${path}?a=1#b`);
    await expect(page).toHaveURL(pageRoutes.login);
    await page.reload();
    await expect(page.getByText('Inicia sesión para ver esa página.')).toBeVisible();
    await signInByForm(page, staff.email, staff.password);
    await expect(page).toHaveURL(pageRoutes.home);
    await statusBar(page)
      .getByRole('link', { name: `Volver a ${title}`, exact: true })
      .click();
    await expect(page).toHaveURL(`${path}?a=1#b`);
    await signOut(page);
    await expect(page).toHaveURL(pageRoutes.home);
    await expect(statusBar(page).getByRole('status')).toHaveText('Has cerrado sesión.');
  }
});

test('signing in from home offers no way back', async ({ page, forum }) => {
  const person = await forum.person();
  await page.goto(pageRoutes.home);
  await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
  const reminder = page.waitForResponse('**/recovery-codes/reminder*');
  await signInByForm(page, person.email, person.password);
  await expect(statusBar(page).getByRole('status')).toHaveText('Has iniciado sesión.');
  expect(await (await reminder).json()).toEqual({ isDue: false, passwordLinkAt: null });
  await signOut(page);
  await expect(statusBar(page).getByRole('status')).toHaveText('Has cerrado sesión.');
});

test.describe('at an address that names another site', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('signing in offers no link there', async ({ page, forum }) => {
    const person = await forum.person();
    await page.goto(`${forum.url}//example.org${pageRoutes.channel('a')}`);
    await page.getByRole('button', { name: 'Menú de usuario' }).click();
    await menu(page).getByRole('link', { name: 'Iniciar sesión' }).click();
    await signInByForm(page, person.email, person.password);
    await expect(statusBar(page).getByRole('status')).toHaveText('Has iniciado sesión.');
  });
});

test.describe('a session that has ended', () => {
  test.use({ expectedErrors: [/status of 401/] });

  test('is explained on the login page; after signing in, a link leads back to the text', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person();
    const { _id, name } = await openChannel(forum, person);
    const page = await openAs(person);
    await openWithNews(page, pageRoutes.channel(_id));
    await endSession(forum, person);
    await sendComment(page, 'Casi se pierde');
    await expect(page).toHaveURL(pageRoutes.login);
    await expect(page.getByRole('alert')).toContainText('Tu sesión ha terminado.');
    await signInByForm(page, person.email, person.password);
    await expect(page).toHaveURL(pageRoutes.home);
    await statusBar(page)
      .getByRole('link', { name: `Volver a ${name}` })
      .click();
    await expect(commentField(page)).toHaveValue('Casi se pierde');
    expect(Object.keys(await readSession(page)).sort()).toEqual(
      ['email', 'id', 'img', 'isLogged', 'name', 'token'].sort(),
    );
    await signOut(page);
    await page.getByRole('button', { name: 'Menú de usuario' }).click();
    await menu(page).getByRole('link', { name: 'Iniciar sesión' }).click();
    await expect(page).toHaveURL(pageRoutes.login);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test('nothing shifts on a page that redirects home', async ({ forum, openAs }) => {
  const person = await forum.person();
  await openChannel(forum, person);
  for (const [visitor, path] of [
    [null, pageRoutes.create],
    [person, pageRoutes.login],
  ] as const) {
    const page = await openAs(visitor);
    // The page is visible before it redirects.
    await runScriptsAfterPaint(page);
    await page.goto(path);
    await expect(page).toHaveURL(pageRoutes.home);
    await expect(page.getByRole('article').first()).toBeVisible();
    expect(await layoutShifts(page), path).toEqual([]);
  }
});
