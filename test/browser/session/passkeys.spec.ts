import type { Page } from '@playwright/test';
import type { PasskeyList } from '../../../src/shared/account-settings.ts';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { PasskeyCreation } from '../../../src/shared/passkeys.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { PasskeyDevice } from '../../forum/passkey-device.ts';
import { expect, test } from '../fixtures.ts';
import { expectSignedIn, signInByForm, signOut } from '../people.ts';
import { statusBar } from '../status-bar.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Llaves de acceso' });
const name = (page: Page) => page.getByLabel('Nombre de la llave');
const passkeyButton = (page: Page) =>
  page.getByRole('button', { name: 'Entrar con huella, cara o PIN' });

/** Adds a virtual authenticator built into the device, which the user unlocks. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Sets whether the user unlocks it when asked. */
    setVerified: (isUserVerified: boolean) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    countPasskeys: async () =>
      (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

test.describe('passkeys', () => {
  // WebAuthn requires a domain name instead of an IP address.
  test.use({
    baseURL: async ({ forum }, use) => use(forum.url.replace('127.0.0.1', 'localhost')),
    viewport: { width: 320, height: 640 },
    expectedErrors: [/status of (403 .*passkeys\/options|400 .*auth\/passkey)$/],
  });

  test('are added with the password, sign in, and are removed; a dialog that is closed is no error', async ({
    page,
    forum,
  }) => {
    const person = await forum.person('Ana Belén');
    const authenticator = await addAuthenticator(page);
    await page.goto(pageRoutes.login);
    // It is disabled until hydration.
    await expect(passkeyButton(page)).toBeEnabled();
    await page.getByRole('button', { name: 'Iniciar sesión' }).focus();
    await page.keyboard.press('Tab');
    await expect(passkeyButton(page)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Recuperar el acceso' })).toBeFocused();
    await signInByForm(page, person.email, person.password);
    await expectSignedIn(page, person);
    await page.goto(pageRoutes.settings);
    await expect(section(page)).toContainText('Todavía no tienes ninguna.');

    const add = section(page).getByRole('button', { name: 'Añadir una llave de acceso' });
    const password = section(page).getByLabel('Contraseña actual');
    await add.press('Enter');
    await expect(name(page)).toBeFocused();
    await expect(name(page)).toHaveValue(/^Chrome/);
    await name(page).fill('Mi móvil ليلى');
    await password.fill('no es esta');
    await password.press('Enter');
    await expect(password).toHaveAccessibleDescription(/Esa no es tu contraseña/);
    await authenticator.setVerified(false);
    await password.fill(person.password);
    await password.press('Enter');
    await expect(section(page).getByRole('status')).toContainText('No se ha añadido ninguna llave');
    await expect(section(page).getByRole('alert')).toHaveCount(0);
    await authenticator.setVerified(true);
    await password.press('Enter');
    await expect(section(page).getByRole('listitem')).toContainText('Mi móvil ليلى');
    await expect(add).toBeFocused();
    await expect(statusBar(page)).toContainText('Llave de acceso añadida: Mi móvil ليلى');
    await add.press('Enter');
    await password.fill(person.password);
    await password.press('Enter');
    await expect(section(page).getByRole('status')).toContainText('ya tiene una llave de acceso');

    await signOut(page);
    await page.goto(pageRoutes.login);
    await authenticator.setVerified(false);
    await passkeyButton(page).press('Enter');
    await expect(passkeyButton(page)).not.toHaveAttribute('aria-disabled');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await authenticator.setVerified(true);
    await page.getByLabel('Recordarme').check();
    await passkeyButton(page).press('Enter');
    await expectSignedIn(page, person);
    expect((await page.context().cookies()).map((cookie) => cookie.name)).toEqual(['tertulia']);

    const sessions = page.getByRole('region', { name: 'Sesiones' }).getByRole('listitem');
    await page.goto(pageRoutes.settings);
    await expect(section(page).getByRole('listitem')).toContainText('Último uso');
    await expect(sessions).toHaveCount(2);
    await section(page).getByRole('button', { name: 'Quitar: Mi móvil ليلى' }).press('Enter');
    await expect(section(page)).toContainText('Todavía no tienes ninguna.');
    await expect(section(page).getByRole('heading')).toBeFocused();
    await expect(statusBar(page)).toContainText('Se han cerrado las demás sesiones.');
    await expect(sessions).toHaveCount(1);
    await expect.poll(() => authenticator.countPasskeys()).toBe(0);

    // One that is removed elsewhere.
    await add.press('Enter');
    await password.fill(person.password);
    await password.press('Enter');
    await expect(section(page).getByRole('listitem')).toHaveCount(1);
    await signOut(page);
    const { token } = await forum.newSession(person);
    const origin = forum.url.replace('127.0.0.1', 'localhost');
    const { data } = await forum.json<PasskeyList>('GET', origin + apiRoutes.passkeys, { token });
    for (const { id } of data) await forum.json('DELETE', apiRoutes.passkey(id), { token });
    await page.goto(pageRoutes.login);
    await passkeyButton(page).press('Enter');
    await expect(page.getByRole('alert')).toContainText('Esa llave de acceso no sirve aquí');
  });
});

test.describe('a new password', () => {
  const origin = (forum: Forum) => forum.url.replace('127.0.0.1', 'localhost');
  test.use({ baseURL: async ({ forum }, use) => use(origin(forum)) });

  async function addPasskey(forum: Forum, { token, password }: Person, name: string) {
    const call = (path: string, body: unknown) =>
      forum.json<PasskeyCreation>('POST', origin(forum) + path, { token, body });
    const options = await call(apiRoutes.passkeyOptions, { currentPassword: password });
    const credential = new PasskeyDevice(origin(forum)).create(options);
    await call(apiRoutes.passkeys, { name, credential });
  }

  test('shows the passkeys that still open the account, each to be removed, and leads to new codes', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person('Ana Belén');
    const { token, password } = person;
    await forum.json('POST', apiRoutes.recoveryCodes, {
      token,
      body: { currentPassword: password },
    });
    await addPasskey(forum, person, 'Mi móvil');
    const viewport = { width: 320, height: 640 };
    const page = await openAs(person, { baseURL: origin(forum), viewport });
    await page.goto(pageRoutes.settings);
    const codes = page.getByRole('region', { name: 'Códigos de recuperación' });
    await expect(codes).toContainText('Te quedan 10 códigos');
    await expect(section(page).getByRole('listitem')).toHaveCount(1);
    // This passkey is added elsewhere after the page was opened.
    await addPasskey(forum, person, 'De un ladrón');

    await page.getByRole('button', { name: 'Cambiar: Contraseña' }).press('Enter');
    const form = page.getByRole('form', { name: 'Cambiar: Contraseña' });
    await form.getByLabel('Contraseña nueva', { exact: true }).fill('una muy distinta: ñandú');
    await form.getByLabel('Contraseña actual', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    const account = page.getByRole('region', { name: 'Cuenta', exact: true });
    const said = page
      .getByRole('status')
      .filter({ hasText: /^Contraseña guardada\..* ya no sirven\.$/ });
    await expect(said).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cambiar: Contraseña' })).toBeFocused();
    const heading = account.getByRole('heading', { name: 'Tus llaves de acceso siguen activas' });
    await expect(heading).toBeVisible();
    const left = account.getByRole('list').getByRole('list').getByRole('listitem');
    await expect(left).toHaveCount(2);
    for (const each of await left.all())
      await expect(each).toContainText(/Añadida el \d+ \w+ \d{4}/);
    // The focus moves before the data have been fetched again, and once more after that: only then is the removal said.
    const remove = async (name: string) => {
      await account.getByRole('button', { name: `Quitar: ${name}` }).press('Enter');
      await expect(statusBar(page)).toContainText(`Llave de acceso quitada: ${name}`);
      await expect(heading).toBeFocused();
    };
    await remove('De un ladrón');
    await expect(left).toHaveCount(1);
    await expect(section(page).getByRole('listitem')).toHaveCount(1);
    await remove('Mi móvil');
    await expect(account).toContainText('Todavía no tienes ninguna.');
    await expect(codes).toContainText('Todavía no tienes códigos.');
    await account.getByRole('link', { name: 'Crear códigos nuevos' }).press('Enter');
    await expect(codes.getByRole('heading')).toBeFocused();
  });
});
