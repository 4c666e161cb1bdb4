import type { Page } from '@playwright/test';
import { makeFounderLink } from '../../../src/server/accounts/invitations/founder-link.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { sendButton } from '../comments.ts';
import { uploadedMark } from '../create-form.ts';
import { expect, test } from '../fixtures.ts';

test.use({ forumName: 'founding', contextOptions: { reducedMotion: 'reduce' } });

const password = 'una contraseña: ñandú';
const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });
const waits = (page: Page) => page.getByText('Este sitio espera a quien lo va a administrar');

/** Signs up and in, with the password typed once. */
async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel('Nombre').fill(name);
  await page.getByLabel('Correo electrónico').fill(`${crypto.randomUUID()}@ejemplo.es`);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await button(page, 'Registrarse').click();
  await button(page, 'Iniciar sesión').click();
}

test('a founder gets from one link to the first comment of a member', async ({
  forum,
  page,
  openAs,
}) => {
  const { db, now } = forum.services;
  for (const path of [pageRoutes.home, pageRoutes.register]) {
    await page.goto(path);
    await expect(waits(page)).toBeVisible();
  }
  const { code = '' } = (await makeFounderLink(db, now())) ?? {};
  await page.goto(`${pageRoutes.register}#${code}`);
  await expect(page.getByText('Con este enlace, la cuenta que crees administrará')).toBeVisible();
  await expect(page).toHaveURL(pageRoutes.register);
  await expect(waits(page)).toHaveCount(0);
  await page.addInitScript(() => {
    navigator.share = async ({ text } = {}) => {
      document.title = text ?? '';
    };
  });
  await page.reload();
  await enter(page, 'Marga Soler');

  await expect(page).toHaveURL(pageRoutes.siteSettings);
  const steps = page.getByRole('region', { name: 'Para empezar' });
  await page.getByLabel('Nombre', { exact: true }).fill('Coro de los lunes');
  await expect(
    page.getByLabel('Contacto (hemos puesto tu correo: lo leerá cualquiera)'),
  ).toHaveValue(/^[\w-]+@ejemplo\.es$/);
  await page.getByRole('radio', { name: 'Solo los miembros' }).check();
  await expect(page.getByText('Desde que lo guardes solo leen los miembros.')).toBeVisible();
  await page.getByRole('radio', { name: 'Con invitación' }).check();
  await button(page, 'Guardar').click();
  await expect(steps.getByText('6 hechos')).toBeVisible();
  await page.getByRole('link', { name: 'Siguiente: crea el primer canal' }).click();
  await expect(page).toHaveURL(pageRoutes.create);
  await expect(page.getByText('Aquí solo leen los miembros.')).toBeVisible();
  await expect(page.getByLabel('Título')).toHaveValue('General');
  await expect(uploadedMark(page)).toBeVisible();
  await button(page, 'Crear Canal').click();
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(steps.getByText('Un enlace para 200 personas, que vale 7 días.')).toBeVisible();
  await steps.getByRole('button', { name: 'Invita a tu grupo' }).click();
  await expect(page.getByText(/^Vale hasta el .+ para 200 personas\.$/)).toBeVisible();
  await button(page, 'Compartir').click();
  await expect(page).toHaveTitle(
    /^Marga Soler te invita a Coro de los lunes\. Aquí solo leen los miembros\. Entra con este enlace: http/,
  );
  const url = (await page.title()).split(': ')[1] ?? '';

  await page.evaluate(() => {
    window.print = () => {};
  });
  await button(page, 'Imprimir una hoja para la puerta').click();
  await page.emulateMedia({ media: 'print' });
  const sheet = page.locator('body > div').filter({ hasText: 'Apunta al código' });
  await expect(sheet.getByRole('listitem')).toHaveCount(3);
  await expect(sheet.getByText('Aquí solo leen los miembros.')).toBeVisible();
  await expect(main(page)).toBeHidden();
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: null });
  await expect(sheet).toHaveCount(0);

  const member = await openAs(null);
  await member.goto(url);
  await expect(member.getByText('Marga Soler te invita a Coro de los lunes.')).toBeVisible();
  await enter(member, 'Eva');
  await expect(member.getByRole('heading', { level: 1 })).toHaveText('General');
  await member.getByLabel('Escribe un comentario').fill('Hola a todos');
  await sendButton(member).click();
  await expect(member.locator('#comentario-1')).toContainText('Hola a todos');
});
