import type { Page } from '@playwright/test';
import { pageRoutes } from '../../src/shared/routes.ts';
import { expectSound } from './expect-sound.ts';
import { expect, test } from './fixtures.ts';
import { expectSignedIn, signInByForm, signOut } from './people.ts';
import { statusBar } from './status-bar.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Claves de acceso' });
const name = (page: Page) => page.getByLabel('Nombre de la clave');
const passkeyButton = (page: Page) =>
  page.getByRole('button', { name: 'Entrar con una clave de acceso' });

/** An authenticator of the browser itself, which a person unlocks. */
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
    /** Whether the person unlocks it when asked. */
    setVerified: (isUserVerified: boolean) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

test.describe('passkeys', () => {
  // Passkeys need a name: an address has none.
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
    await page.getByRole('button', { name: 'Iniciar sesión' }).focus();
    await page.keyboard.press('Tab');
    await expect(passkeyButton(page)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Recuperar el acceso' })).toBeFocused();
    await signInByForm(page, person.email, person.password);
    await expectSignedIn(page, person);
    await page.goto(pageRoutes.settings);
    await expect(section(page)).toContainText('Ahora no tienes ninguna.');

    const add = section(page).getByRole('button', { name: 'Añadir una clave de acceso' });
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
    await expect(section(page).getByRole('status')).toContainText('No se ha añadido ninguna clave');
    await expect(section(page).getByRole('alert')).toHaveCount(0);
    await authenticator.setVerified(true);
    await password.press('Enter');
    await expect(section(page).getByRole('listitem')).toContainText('Mi móvil ليلى');
    await expect(add).toBeFocused();
    await expect(statusBar(page)).toContainText('Clave de acceso añadida: Mi móvil ليلى');
    await add.press('Enter');
    await expectSound(page);
    await password.fill(person.password);
    await password.press('Enter');
    await expect(section(page).getByRole('status')).toContainText('ya tiene una clave de acceso');

    await signOut(page);
    await page.goto(pageRoutes.login);
    await authenticator.setVerified(false);
    await passkeyButton(page).press('Enter');
    await expect(passkeyButton(page)).not.toHaveAttribute('aria-disabled');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await authenticator.setVerified(true);
    await expectSound(page);
    await page.getByLabel('Mantener la sesión').check();
    await passkeyButton(page).press('Enter');
    await expectSignedIn(page, person);
    expect((await page.context().cookies()).map((cookie) => cookie.name)).toEqual(['tertulia']);

    await page.goto(pageRoutes.settings);
    await expect(section(page).getByRole('listitem')).toContainText('Último uso');
    await section(page).getByRole('button', { name: 'Quitar: Mi móvil ليلى' }).press('Enter');
    await expect(section(page)).toContainText('Ahora no tienes ninguna.');
    await expect(section(page).getByRole('heading')).toBeFocused();
    await signOut(page);
    await page.goto(pageRoutes.login);
    await passkeyButton(page).press('Enter');
    await expect(page.getByRole('alert')).toContainText('Esa clave de acceso no vale aquí');
  });
});

test('passkeys are offered neither on /login nor in settings under an address without a name', async ({
  page,
  openAs,
  forum,
}) => {
  await page.goto(pageRoutes.login);
  await expect(page.getByRole('button', { name: 'Iniciar sesión' })).toBeEnabled();
  await expect(passkeyButton(page)).toHaveCount(0);
  const own = await openAs(await forum.person());
  await own.goto(pageRoutes.settings);
  await expect(own.getByRole('region', { name: 'Códigos de recuperación' })).toBeVisible();
  await expect(section(own)).toHaveCount(0);
});
