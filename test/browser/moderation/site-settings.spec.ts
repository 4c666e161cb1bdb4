import type { Page, Request } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { expect, test } from '../fixtures.ts';
import { holdRequests } from '../network.ts';
import { statusBar } from '../status-bar.ts';
import { overflow } from '../view-checks.ts';

test.use({
  forumName: 'site-settings',
  expectedErrors: [/status of 4(00|04|12)/],
});

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Guardar', exact: true });
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Ajustes guardados' });

async function openSettings(page: Page) {
  await page.goto(pageRoutes.siteSettings);
  await expect(save(page)).toBeEnabled();
}

/** Also waits until no request for news is pending, because its response would reveal that the role is lost. */
async function openWithRole(page: Page) {
  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === apiRoutes.news) asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  // Otherwise the page may not have requested news yet.
  const news = page.waitForResponse(`**${apiRoutes.news}*`);
  await openSettings(page);
  await news;
  await expect.poll(() => asked.size).toBe(0);
}

test.describe('in a new forum', () => {
  test.use({ forumName: 'new-site' });

  test('an admin finds what to do first, saves by keyboard, and a guest sees it at once', async ({
    forum,
    openAs,
    page: guest,
  }) => {
    await guest.goto(pageRoutes.home);
    await expect(guest).toHaveTitle('tertulia');
    const admin = await makeStaff(forum, 'admin', 'Alba');
    const page = await openAs(admin);
    const steps = page.getByRole('region', { name: 'Para empezar' });
    await page.goto(pageRoutes.home);
    await expect(page.getByText('Abre el primer canal')).toHaveCount(0);
    await expect(steps.getByRole('listitem')).toHaveCount(11);
    await expect(steps.getByText('Copias de seguridad: el servidor no las hace.')).toBeVisible();
    await steps.getByRole('link', { name: 'Ponle nombre' }).click();
    await expect(field(page, 'Nombre')).toBeFocused();
    await expect(steps.getByRole('listitem')).toHaveCount(11);
    await expect(steps.getByText(/^✓ /)).toHaveCount(0);
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
    await expect(field(page, 'Normas')).toHaveValue(/^Trata a los demás/);
    await expect(page.getByText('Sin guardar: Normas, Contacto, Zona horaria.')).toBeVisible();
    await expect(page).toHaveTitle('Ajustes de la comunidad · tertulia');

    await field(page, 'Nombre').focus();
    await page.keyboard.type('Vecinas del barrio');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Pasa y siéntate.');
    await page.keyboard.press('Tab');
    // Nothing is chosen yet; what is in force is chosen like any other.
    await page.keyboard.press('Space');
    await expect(page.getByLabel('De acuerdo')).toHaveCount(0);
    await field(page, 'Normas').fill('Con respeto.\nhttps://ejemplo.es/normas');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ayuda@ejemplo.es');
    await page.keyboard.press('Enter');
    await expect(saved(page)).toBeVisible();
    await expect(page).toHaveTitle('Ajustes de la comunidad · Vecinas del barrio');
    await expect(page.getByRole('banner')).toContainText('Vecinas del barrio');
    const next = statusBar(page).getByRole('link', {
      name: 'Siguiente: decide quién puede entrar',
    });
    await expect(next).toHaveAttribute('href', `${pageRoutes.siteSettings}#registration`);
    await expect(steps.getByRole('listitem')).toHaveCount(6);
    await steps.getByText('5 hechos').click();
    await expect(steps.getByText('✓ Decidido quién lee')).toBeVisible();
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(2);
    await steps.getByRole('link', { name: 'Decide quién puede entrar' }).click();
    await expect(page.getByText('Quién puede crear una cuenta', { exact: true })).toBeInViewport();

    await guest.reload();
    await expect(guest).toHaveTitle('Vecinas del barrio');
    await expect(guest.getByRole('banner')).toContainText('Vecinas del barrio');
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText(
      'Bienvenidos a Vecinas del barrio',
    );
    await expect(guest.getByText('Pasa y siéntate.')).toBeVisible();
    await expect(guest.getByRole('link', { name: 'Normas', exact: true })).toBeVisible();
    await guest.getByRole('link', { name: 'Contacto', exact: true }).click();
    await expect(guest.locator('#contacto')).toBeFocused();
    await expect(guest).toHaveTitle('Normas · Vecinas del barrio');
    await expect(guest.getByRole('link', { name: 'https://ejemplo.es/normas' })).toBeVisible();
    await expect(guest.getByRole('link', { name: 'ayuda@ejemplo.es' })).toHaveAttribute(
      'href',
      'mailto:ayuda@ejemplo.es',
    );

    await page.goto(pageRoutes.home);
    await expect(steps.getByText('5 hechos')).toBeVisible();
    await steps.getByRole('button', { name: 'Cerrar esta lista' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.reload();
    await expect(page.getByRole('link', { name: 'Avisos', exact: true })).toBeVisible();
    await expect(steps).toHaveCount(0);
  });
});

test.describe('what members are told of', () => {
  test.use({ forumName: 'told members' });

  const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
  const told = (page: Page, name: string) =>
    group(page, 'De qué se avisa a los miembros').getByRole('radio', { name });
  const readers = (page: Page, name: string) =>
    group(page, 'Quién lee').getByRole('radio', { name });

  test('is chosen by who reads, until an admin has saved it', async ({ forum, openAs }) => {
    const page = await openAs(await makeStaff(forum, 'admin', 'Alba'));
    await openSettings(page);
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
    await readers(page, 'Solo los miembros').check();
    await expect(told(page, 'De todo lo que se escribe')).toBeChecked();
    await readers(page, 'Cualquiera').check();
    await expect(told(page, 'De lo suyo y de lo que siguen')).toBeChecked();
    await expect(page.getByText(/^Sin guardar: .*De qué se avisa a los miembros/)).toBeVisible();
    await save(page).click();
    await expect(saved(page)).toBeVisible();
    await readers(page, 'Solo los miembros').check();
    await expect(told(page, 'De lo suyo y de lo que siguen')).toBeChecked();
  });

  test('is a step of «Para empezar» where only who reads was decided', async ({
    forum,
    openAs,
  }) => {
    // As in a community of 1.0.0.
    await changeSettings(forum, {});
    const { db } = forum.services;
    const { settings } = await db
      .selectFrom('site_settings')
      .select('settings')
      .executeTakeFirstOrThrow();
    const { follow: _, ...older } = JSON.parse(settings);
    await db
      .updateTable('site_settings')
      .set({ settings: JSON.stringify(older) })
      .execute();
    const page = await openAs(await makeStaff(forum, 'admin', 'Alba'));
    await openSettings(page);
    const steps = page.getByRole('region', { name: 'Para empezar' });
    await expect(steps.getByText('✓ Decidido quién puede entrar')).toHaveCount(1);
    await expect(
      steps.getByRole('link', { name: 'Decide quién lee y de qué se avisa' }),
    ).toBeVisible();
    await expect(told(page, 'De lo suyo y de lo que siguen')).toBeChecked();
    await save(page).click();
    await expect(steps.getByText('✓ Decidido quién lee y de qué se avisa')).toHaveCount(1);
  });
});

test('an admin who saves later keeps the typed settings until the new ones are loaded', async ({
  forum,
  openAs,
}) => {
  const admin = await makeStaff(forum, 'admin', 'Alba');
  await changeSettings(forum, { name: 'Uno', welcome: 'Hola.', rules: '' });
  const page = await openAs(admin);
  await openSettings(page);
  await field(page, 'Normas').fill('Mis normas.');
  await changeSettings(forum, { name: 'Dos', rules: 'Las de otra persona.' });
  const load = page.getByRole('button', { name: 'Cargar lo nuevo' });
  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('No se han guardado.');
  await expect(load).toBeVisible();
  await expect(field(page, 'Normas')).toHaveValue('Mis normas.');
  await load.click();
  await expect(field(page, 'Normas')).toHaveValue('Las de otra persona.');
  await expect(field(page, 'Nombre')).toHaveValue('Dos');
  await expect(field(page, 'Nombre')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await field(page, 'Normas').fill('Las de todos.');
  await save(page).click();
  await expect(saved(page)).toBeVisible();
});

test('unsaved changes are named and discarded after a question; bad links are refused with the reason', async ({
  forum,
  openAs,
}) => {
  await changeSettings(forum, { rules: '' });
  const page = await openAs(await makeStaff(forum, 'admin', 'Alba'));
  await openSettings(page);
  await field(page, 'Normas').fill('Mis normas.');
  await page.getByRole('radio', { name: 'Nadie' }).check();
  await expect(page.getByText('Sin guardar: Normas, Quién puede crear una cuenta.')).toBeVisible();
  const cancel = page.getByRole('button', { name: 'Cancelar' });
  await cancel.click();
  await expect(page.getByText('¿Descartar los cambios?')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(field(page, 'Normas')).toBeFocused();
  await expect(field(page, 'Normas')).toHaveValue('Mis normas.');
  await cancel.click();
  await page.getByRole('button', { name: 'Descartar' }).click();
  await expect(field(page, 'Normas')).toHaveValue('');
  await expect(field(page, 'Nombre')).toBeFocused();
  await expect(page.getByText('Sin guardar')).toHaveCount(0);
  await expect(cancel).toHaveCount(0);

  const links = page.getByText('Enlaces del pie de página', { exact: true });
  await links.click();
  await field(page, 'Texto del enlace 1').fill('Uno');
  const address = field(page, 'Dirección del enlace 1');
  await address.fill('javascript:alert(1)');
  await links.click();
  await save(page).click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await expect(address).toHaveAccessibleDescription(/^Escribe la dirección del enlace 1 /);
  await expect(page.getByRole('alert')).toContainText('Escribe la dirección del enlace 1 ');
  await expect(field(page, 'Texto del enlace 1')).not.toHaveAttribute('aria-invalid');
  await expect(address).toHaveValue('javascript:alert(1)');
  for (const number of [1, 2, 3]) {
    await field(page, `Texto del enlace ${number}`).fill(`Sitio ${number}`);
    await field(page, `Dirección del enlace ${number}`).fill(`https://ejemplo.es/${number}`);
  }
  await save(page).click();
  await expect(saved(page)).toBeVisible();
  await expect(page.getByRole('contentinfo').getByRole('link')).toHaveText([
    'Sitio 1',
    'Sitio 2',
    'Sitio 3',
  ]);
});

test('moderators only read, members find nothing, and what the server’s settings decide cannot be changed; a long name fits a narrow window', async ({
  forum,
  openAs,
}) => {
  const name = 'ñ'.repeat(60);
  await changeSettings(forum, { name });
  const page = await openAs(await makeStaff(forum));
  await page.goto(pageRoutes.siteSettings);
  await expect(field(page, 'Nombre')).toHaveValue(name);
  await expect(field(page, 'Nombre')).not.toBeEditable();
  await expect(page.getByRole('radio', { name: 'Nadie' })).toBeDisabled();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);

  const member = await openAs(await forum.person(), { viewport: { width: 320, height: 640 } });
  await member.goto(pageRoutes.siteSettings);
  await expect(member.getByRole('heading', { level: 1 })).toHaveText('Página no encontrada');
  await member.goto(pageRoutes.home);
  await expect(member.getByRole('banner')).toContainText(name);
  expect(await overflow(member)).toEqual([]);
  const { height = 0 } = (await member.getByRole('banner').boundingBox()) ?? {};
  expect(height).toBeLessThan(80);

  const admin = await openAs(await makeStaff(forum, 'admin', 'Alba'));
  await admin.route(`**${apiRoutes.siteSettings}`, async (route) => {
    const response = await route.fetch();
    const json = { ...(await response.json()), contact: 'ana@ejemplo.es', fixed: ['contact'] };
    await route.fulfill({ response, json });
  });
  await openSettings(admin);
  await expect(field(admin, 'Contacto')).toHaveValue('ana@ejemplo.es');
  await expect(field(admin, 'Contacto')).not.toBeEditable();
  await expect(admin.getByText('Lo decide la configuración del servidor.')).toHaveCount(1);
  await expect(field(admin, 'Normas')).toBeEditable();
});

test('an admin reads which version it is, that there is a newer one, and that it is old', async ({
  forum,
  openAs,
}) => {
  const moderator = await openAs(await makeStaff(forum));
  await moderator.goto(pageRoutes.siteSettings);
  await expect(field(moderator, 'Nombre')).not.toBeEditable();
  await expect(moderator.getByText('Versión')).toHaveCount(0);

  const admin = await openAs(await makeStaff(forum, 'admin', 'Alba'));
  await openSettings(admin);
  await expect(admin.getByText(/^Versión \S+ del \d+ de \S+ de \d+\. $/)).toBeVisible();
  const newer = { title: 'tertulia 1.1.0', url: 'https://git.example/1.1.0' };
  const build = { name: '1.0.0', madeAt: '2026-11-28T12:00:00.000Z', isOld: true };
  await admin.route(`**${apiRoutes.siteSettings}`, async (route) => {
    const response = await route.fetch();
    const at = '2027-12-03T12:00:00.000Z';
    const json = { ...(await response.json()), build: { ...build, newer: { ...newer, at } } };
    await route.fulfill({ response, json });
  });
  await openSettings(admin);
  await expect(admin.getByText('Versión 1.0.0 del 28 de noviembre de 2026.')).toBeVisible();
  await expect(
    admin.getByRole('link', { name: 'tertulia 1.1.0 (3 de diciembre de 2027)' }),
  ).toHaveAttribute('href', newer.url);
  await expect(admin.getByText('Tiene más de un año: pide a quien lleva')).toBeVisible();
});

test('an admin who loses the role is told so when saving', async ({ forum, openAs }) => {
  const admin = await makeStaff(forum, 'admin', 'Alba');
  const page = await openAs(admin);
  await openWithRole(page);
  await field(page, 'Normas').fill('Mis normas.');
  // This page learns about its role only by saving.
  await holdRequests(page, 'GET', `**${apiRoutes.news}*`);
  const { db } = forum.services;
  await db.updateTable('accounts').set({ role: 'member' }).where('id', '=', admin.id).execute();
  await save(page).click();
  await expect(page.getByRole('alert').first()).toHaveText(
    'Ya no formas parte del equipo de moderación.',
  );
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Ajustes de la comunidad');
  await expect(title).toBeFocused();
  await expect(field(page, 'Normas')).toHaveCount(0);
});
