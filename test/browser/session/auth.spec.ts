import type { Page } from '@playwright/test';
import { commentField } from '../comments.ts';
import { openChannel } from '../community.ts';
import { failOnce, holdRequests, loseConnection } from '../network.ts';
import {
  endSession,
  expectSignedIn,
  openWithNews,
  personWithoutImage,
  readSession,
  signInByForm,
  untilReloaded,
} from '../people.ts';
import { expect, test } from '../quiet-forum.ts';
import { statusBar } from '../status-bar.ts';

const wrongData =
  'Los datos suministrados no son correctos, verifica tus datos y vuelve a intentar';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const nameField = (page: Page) => page.getByLabel('Nombre', { exact: true });
const emailField = (page: Page) => page.getByLabel('Correo electrónico');
const passwordField = (page: Page) => page.getByLabel('Contraseña');
const mainButton = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });
const signInButton = (page: Page) => mainButton(page, 'Iniciar sesión');
const signUpButton = (page: Page) => mainButton(page, 'Registrarse');
const modal = (page: Page) => page.getByRole('dialog', { name: 'Error', exact: true });

async function fillSignUp(page: Page, name: string, email: string, password: string) {
  await nameField(page).fill(name);
  await emailField(page).fill(email);
  await passwordField(page).fill(password);
}

async function expectErrorModal(page: Page) {
  await expect(modal(page)).toBeVisible();
  await expect(modal(page).getByRole('heading')).toHaveText('Error');
  await expect(modal(page).getByText(wrongData, { exact: true })).toBeVisible();
  await expect(modal(page).getByRole('button')).toHaveText('Aceptar');
}

/** Expects the button to be marked as busy and to show an animated spinner. */
async function expectSpinner(page: Page, name: string) {
  const button = mainButton(page, name);
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect(button.locator('[aria-hidden="true"]')).toBeVisible();
  expect(
    await button
      .locator('[aria-hidden="true"]')
      .evaluate((spinner) => spinner.getAnimations().length),
  ).toBe(1);
}

async function expectNoSpinner(page: Page, name: string) {
  await expect(mainButton(page, name)).not.toHaveAttribute('aria-busy');
  await expect(mainButton(page, name).locator('[aria-hidden="true"]')).toHaveCount(0);
}

test.describe('registering', () => {
  test('leads to signing in, which leads home, and any text may be the e-mail and the password, which is never in an address', async ({
    page,
  }) => {
    const email = 'ñú, no es un correo';
    const password = 'muy-secreta-🦖';
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.goto('/register');
    await expect(heading(page)).toHaveText('Crear cuenta');
    await fillSignUp(page, 'Rosa Peña', email, password);
    const sent = page.waitForRequest('**/api/auth/sign-up');
    await passwordField(page).press('Enter');
    expect((await sent).postDataJSON()).toEqual({
      name: 'Rosa Peña',
      email,
      password,
      img: '/default-avatar.svg',
      warn: true,
    });
    await expect(page).toHaveURL('/login');
    await expect(heading(page)).toHaveText('Iniciar sesión');
    expect(await readSession(page)).toEqual({});

    const signedIn = page.waitForRequest('**/api/auth/sign-in');
    await signInByForm(page, email, password);
    const { authorization } = await (await signedIn).allHeaders();
    const basic = Buffer.from(`${email}:${password}`).toString('base64');
    expect(authorization).toBe(`Basic ${basic}`);
    await expect(page).toHaveURL('/');
    await expect(heading(page)).toHaveText('Bienvenidos a tertulia');
    await expect(page.getByRole('main').getByRole('link', { name: 'Crear Canal' })).toBeVisible();
    expect(await readSession(page)).toEqual({
      id: expect.stringMatching(/./),
      name: 'Rosa Peña',
      email,
      img: '/default-avatar.svg',
      isLogged: 'true',
      token: expect.stringMatching(/./),
    });
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => address.includes('muy-secreta'))).toEqual([]);
  });

  test.describe('that fails', () => {
    test.use({ expectedErrors: [/status of 4\d\d .* at \S+\/api\/auth\/sign-up$/] });

    test("opens the error modal, then shows the server's message beside each rejected field", async ({
      forum,
      page,
    }) => {
      const { email } = await forum.person();
      await page.goto('/register');
      await fillSignUp(page, '   ', 'con:dos-puntos', 'secreta');
      await signUpButton(page).click();
      await expectErrorModal(page);
      await modal(page).getByRole('button', { name: 'Aceptar' }).click();
      await expect(modal(page)).toBeHidden();
      await expect(nameField(page)).toHaveAccessibleDescription(/no puede quedar vacío/);
      await expect(emailField(page)).toHaveAccessibleDescription(/dos puntos/);
      await expect(passwordField(page)).toHaveAccessibleDescription('');
      await expect(emailField(page)).toHaveValue('con:dos-puntos');

      await fillSignUp(page, 'Otra Lucía', email.toUpperCase(), 'secreta');
      await signUpButton(page).click();
      await expectErrorModal(page);
      await modal(page).getByRole('button', { name: 'Aceptar' }).click();
      const taken = 'Ya hay una cuenta con ese correo electrónico. Inicia sesión o usa otro.';
      await expect(page.getByText(taken, { exact: true })).toBeVisible();
      await expect(emailField(page)).toHaveAccessibleDescription(new RegExp(taken));
      await expect(emailField(page)).toBeFocused();

      await expect(nameField(page)).toHaveValue('Otra Lucía');
      await expect(passwordField(page)).toHaveValue('secreta');
    });
  });
});

test.describe('signing in', () => {
  test('shows a spinner, sends one request, however often it is submitted, and stores six values, of which the image may be empty', async ({
    forum,
    page,
  }) => {
    const person = await personWithoutImage(forum, 'Noé Íñiguez');
    const held = await holdRequests(page, 'POST', '**/api/auth/sign-in');
    await page.goto('/login');
    await expectNoSpinner(page, 'Iniciar sesión');
    await emailField(page).fill(person.email);
    await passwordField(page).fill(person.password);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await signInButton(page).dblclick();
    await expectSpinner(page, 'Iniciar sesión');
    await passwordField(page).press('Enter');
    held.release();
    await expectSignedIn(page, person);
    expect(held.requests).toHaveLength(1);
    const { token, ...stored } = await readSession(page);
    expect(stored).toEqual({
      id: person.id,
      name: 'Noé Íñiguez',
      email: person.email,
      img: '',
      isLogged: 'true',
    });
    expect((await forum.call('GET', '/api/user/me', { token: `${token}` })).status).toBe(200);
  });

  test.describe('that fails', () => {
    test.use({
      expectedErrors: [/(status of 401|ERR_\w+).* at \S+\/api\/auth\/sign-in$/],
    });

    test('opens the error modal, on no other page, keeps the typed text, says when the server cannot be reached, and can be tried again', async ({
      forum,
      page,
    }) => {
      const person = await forum.person();
      await page.goto('/register');
      await page.getByRole('link', { name: '¿Ya tienes cuenta? Inicia sesión' }).click();
      await signInByForm(page, person.email, 'equivocada');
      await expectErrorModal(page);
      await expect(page.getByText(wrongData)).toHaveCount(1);
      expect(await readSession(page)).toEqual({});
      await page.goBack();
      await expect(heading(page)).toHaveText('Crear cuenta');
      await expect(modal(page)).toBeHidden();
      await page.goForward();
      await expect(heading(page)).toHaveText('Iniciar sesión');
      await expect(modal(page)).toBeHidden();

      await signInByForm(page, person.email, 'equivocada');
      await expectErrorModal(page);
      await modal(page).getByRole('button', { name: 'Aceptar' }).click();
      await expect(modal(page)).toBeHidden();
      await expectNoSpinner(page, 'Iniciar sesión');
      await expect(emailField(page)).toHaveValue(person.email);
      await expect(passwordField(page)).toHaveValue('equivocada');

      await failOnce(page, 'POST', '**/api/auth/sign-in', loseConnection);
      await passwordField(page).fill(person.password);
      await signInButton(page).click();
      await expectErrorModal(page);
      await modal(page).getByRole('button', { name: 'Aceptar' }).click();
      await expect(page.getByRole('alert')).toContainText('No hay conexión con el servidor');
      await signInButton(page).click();
      await expectSignedIn(page, person);
    });
  });
});

test.describe('a session that the server has ended', () => {
  test.use({ expectedErrors: [/status of 401/] });

  test('is cleared, and /login is shown, even if the script of accounts loads after the response', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person();
    await endSession(forum, person);
    const page = await openAs(person);
    const rejected = page.waitForResponse((response) => response.status() === 401);
    await page.route('**/assets/account-*.js', async (route) => {
      await rejected;
      await route.continue();
    });
    await page.goto('/profile');
    await expect(page).toHaveURL('/login');
    await expect(heading(page)).toHaveText('Iniciar sesión');
    await expect(page.getByRole('alert')).toHaveText(
      'Tu sesión ha terminado. Inicia sesión otra vez.',
    );
    expect(await readSession(page)).toEqual({});
    await untilReloaded(page);
    await page.getByRole('button', { name: 'Menú de usuario' }).click();
    await expect(page.getByRole('link', { name: 'Registarse', exact: true })).toBeVisible();
  });

  test('offers to reload the page as a guest when a background call finds out while text is typed', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person();
    const channel = await openChannel(forum, person);
    const page = await openAs(person);
    await openWithNews(page, `/channel/${channel._id}`);
    await commentField(page).fill('Algo que ha costado pensar');
    await endSession(forum, person);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    const status = statusBar(page);
    await expect(status.getByRole('status')).toContainText(
      'Tu sesión ha terminado. Los comentarios y canales a medias se han guardado.',
    );
    await expect(commentField(page)).toHaveValue('Algo que ha costado pensar');
    await expect(commentField(page)).toBeFocused();
    await status.getByRole('button', { name: 'Recargar' }).click();
    await expect(status.getByRole('status')).toHaveText('Tu sesión ha terminado.Iniciar sesión');
    await expect(page).toHaveURL(`/channel/${channel._id}`);
    await expect(page.getByText('Si deseas comentar debes')).toBeVisible();
    expect(await readSession(page)).toEqual({});
    await status.getByRole('link', { name: 'Iniciar sesión' }).click();
    await signInByForm(page, person.email, person.password);
    await expect(page).toHaveURL(`/channel/${channel._id}`);
    await expect(commentField(page)).toHaveValue('Algo que ha costado pensar');
  });
});

test('a password stays in its field when the form is submitted before hydration', async ({
  page,
}) => {
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(new URL(frame.url()).pathname));
  // The page's scripts never load.
  await page.route(/\.js$/, () => {});
  for (const path of ['/login', '/register']) {
    await page.goto(path, { waitUntil: 'commit' });
    await passwordField(page).fill('muy-secreta');
    await passwordField(page).press('Enter');
    await expect(page.locator('form')).toHaveAttribute('method', 'post');
    await expect(
      mainButton(page, path === '/login' ? 'Iniciar sesión' : 'Registrarse'),
    ).toBeDisabled();
  }
  expect(addresses).toEqual(['/login', '/register']);
});
