import type { Page } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { makeOlder } from '../../forum/old-account.ts';
import { expect, test } from '../fixtures.ts';
import { expectSignedIn, signInByForm, signOut } from '../people.ts';
import { statusBar } from '../status-bar.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Códigos de recuperación' });
const currentPassword = (page: Page) => section(page).getByLabel('Contraseña actual');
const code = (page: Page) => page.getByLabel('Código de recuperación');
const newPassword = (page: Page) => page.getByLabel('Contraseña nueva', { exact: true });

test.describe('recovery codes', () => {
  test.use({
    forumName: 'recovery',
    viewport: { width: 320, height: 640 },
    expectedErrors: [/status of (403 .*recovery-codes|400 .*recover)$/],
  });

  test('are suggested once, made in settings by keyboard, and one of them opens the account again', async ({
    page,
    forum,
  }) => {
    const person = await forum.person('Ana Belén');
    await makeOlder(forum, person);
    await changeSettings(forum, { contact: 'ayuda@foro.example' });
    await page.goto(pageRoutes.login);
    await expect(page.getByRole('button', { name: 'Iniciar sesión' })).toBeEnabled();
    // The address of this forum has no name, which passkeys need.
    await expect(page.getByRole('button', { name: /^Entrar con huella/ })).toHaveCount(0);
    await signInByForm(page, person.email, person.password);
    await expectSignedIn(page, person);
    await expect(statusBar(page).getByRole('status')).toHaveText('Has iniciado sesión.');
    await page.goto(pageRoutes.profile);
    await page.getByRole('link', { name: 'imprimir códigos para volver a entrar' }).click();
    await expect(section(page)).toContainText('Todavía no tienes códigos.');
    for (const name of ['Llaves de acceso', 'Avisos por correo']) {
      await expect(page.getByRole('region', { name })).toHaveCount(0);
    }

    await section(page).getByRole('button', { name: 'Crear códigos' }).press('Enter');
    await expect(currentPassword(page)).toBeFocused();
    await page.keyboard.type('no es esta');
    await page.keyboard.press('Enter');
    await expect(currentPassword(page)).toHaveAccessibleDescription(/Esa no es tu contraseña/);
    await expect(currentPassword(page)).toBeFocused();
    await currentPassword(page).fill(person.password);
    await page.keyboard.press('Enter');
    const heading = section(page).getByRole('heading', { level: 3 });
    await expect(heading).toBeFocused();
    await expect(section(page)).toContainText('Te quedan 10 códigos');
    const codes = await section(page).getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);

    const downloading = page.waitForEvent('download');
    await section(page).getByRole('button', { name: 'Descargar' }).press('Enter');
    const file = await (await downloading).createReadStream();
    let text = '';
    for await (const chunk of file) text += chunk;
    for (const each of codes) expect(text).toContain(each);
    expect(text).toContain(`${forum.url}/recover`);
    await page.emulateMedia({ media: 'print' });
    await expect(heading).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
    await expect(section(page).getByRole('button', { name: 'Imprimir' })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await section(page).getByRole('button', { name: 'Ya los he guardado' }).press('Enter');
    await expect(section(page).getByRole('listitem')).toHaveCount(0);

    await signOut(page);
    await page.goto(pageRoutes.login);
    await page.getByRole('link', { name: 'Recuperar el acceso' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Recuperar el acceso');
    await expect(page.getByRole('button', { name: /correo/ })).toHaveCount(0);
    const advice = page.getByRole('listitem').filter({ hasText: 'pide un enlace a quien' });
    await expect(advice.getByRole('link')).toHaveAttribute('href', 'mailto:ayuda@foro.example');
    const typed = codes[3]?.toLowerCase().replaceAll('-', ' ') ?? '';
    await page.getByLabel('Correo electrónico').fill(person.email);
    await code(page).fill('0000');
    await newPassword(page).fill('otra contraseña: ñandú');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('ya no sirve. Revísalos o pide un enlace');
    await expect(page.getByLabel('Correo electrónico')).toBeFocused();
    await expect(page.getByLabel('Correo electrónico')).toHaveValue(person.email);
    await expect(newPassword(page)).toHaveValue('otra contraseña: ñandú');
    await code(page).fill(typed);
    await code(page).press('Enter');
    await expect(page).toHaveURL(pageRoutes.login);
    await expect(page.getByText('Tu contraseña nueva se ha guardado.')).toBeVisible();
    await expect(page.getByLabel('Correo electrónico')).toHaveValue(person.email);
    await expect(page.getByLabel('Contraseña')).toHaveValue('otra contraseña: ñandú');

    await signInByForm(page, person.email, 'otra contraseña: ñandú');
    await expectSignedIn(page, person);
  });
});
