import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { RecoveryCodes } from '../../../src/shared/account-settings.ts';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { readZip } from '../../forum/read-zip.ts';
import { writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import {
  failOnce,
  holdRequests,
  loseAnswer,
  loseConnection,
  respondWithProblem,
} from '../network.ts';
import { endSession, expectSignedIn, readSession, signInByForm } from '../people.ts';

const change = (page: Page, label: string) =>
  page.getByRole('button', { name: `Cambiar: ${label}`, exact: true });
const form = (page: Page, label: string) =>
  page.getByRole('form', { name: `Cambiar: ${label}`, exact: true });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const currentPassword = (page: Page) => page.getByLabel('Contraseña actual', { exact: true });
const saved = (page: Page) =>
  page.getByRole('status').filter({ hasText: /^(?:Guardado|Contraseña guardada)/ });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** Opens another session for a person, as in another browser. @returns its token */
async function signInElsewhere(forum: Forum, person: Person, userAgent: string): Promise<string> {
  const credentials = Buffer.from(`${person.email}:${person.password}`).toString('base64');
  const response = await fetch(forum.url + apiRoutes.signIn, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, 'user-agent': userAgent },
  });
  return (await response.json()).token;
}

const firefox = 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0';

test.describe('name, e-mail address and password', () => {
  test.use({ expectedErrors: [/status of (400|403|409) .* at \S+\/api\/user\/me$/] });

  test('are changed by keyboard at 320 px, each with the current password', async ({
    forum,
    openAs,
    page: guest,
  }) => {
    const person = await forum.person('Ana Belén');
    await signInElsewhere(forum, person, firefox);
    const page = await openAs(person, { viewport: { width: 320, height: 640 } });
    await page.goto(pageRoutes.profile);
    await page.getByRole('link', { name: 'Ajustes' }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ajustes');

    await change(page, 'Nombre').press('Enter');
    const name = page.getByLabel('Nombre nuevo');
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(/una vez al día/);
    // A password manager must not save the new name as the user name.
    const owner = form(page, 'Nombre').locator('input[autocomplete="username"]');
    await expect(owner).toHaveValue(person.email);
    await page.keyboard.type('Ana ليلى Belén');
    await page.keyboard.press('Tab');
    await page.keyboard.type('no es esta');
    await page.keyboard.press('Enter');
    await expect(currentPassword(page)).toHaveAccessibleDescription(/Esa no es tu contraseña/);
    await expect(currentPassword(page)).toBeFocused();
    await currentPassword(page).fill(person.password);
    await page.keyboard.press('Enter');
    await expect(saved(page)).toHaveText('Guardado');
    await expect(change(page, 'Nombre')).toBeFocused();
    expect(await readSession(page)).toMatchObject({ name: 'Ana ليلى Belén', email: person.email });
    await change(page, 'Nombre').press('Enter');
    await page.keyboard.type('Otro nombre');
    await currentPassword(page).fill(person.password);
    await page.keyboard.press('Enter');
    await expect(name).toHaveAccessibleDescription(/una vez al día/);
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(name).toHaveValue('Otro nombre');
    await form(page, 'Nombre').getByRole('button', { name: 'Cancelar' }).press('Enter');
    await expect(form(page, 'Nombre').getByText(/^¿Descartar los cambios/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(name).toBeFocused();
    await page.keyboard.press('Escape');
    await form(page, 'Nombre').getByRole('button', { name: 'Descartar' }).press('Enter');
    await expect(change(page, 'Nombre')).toBeFocused();

    const email = `ana.${crypto.randomUUID()}@ejemplo.es`;
    await change(page, 'Correo electrónico').press('Enter');
    await page.getByLabel('Correo electrónico nuevo').fill(email);
    await currentPassword(page).fill(person.password);
    await page.keyboard.press('Enter');
    await expect(saved(page)).toHaveText('Guardado');
    await expect(section(page, 'Cuenta')).toContainText(email);

    await expect(section(page, 'Sesiones').getByRole('listitem')).toHaveCount(2);
    await change(page, 'Contraseña').press('Enter');
    const password = page.getByLabel('Contraseña nueva', { exact: true });
    await page.keyboard.type('princess');
    await currentPassword(page).fill(person.password);
    await page.keyboard.press('Enter');
    await expect(password).toHaveAccessibleDescription(/^Es una de las contraseñas más usadas/);
    await expect(password).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(saved(page).last()).toHaveText(
      /^Contraseña guardada\. Se han cerrado tus demás sesiones/,
    );
    await expect(section(page, 'Sesiones').getByRole('listitem')).toHaveCount(1);

    await guest.goto(pageRoutes.login);
    await signInByForm(guest, email, 'princess');
    await expectSignedIn(guest, { ...person, name: 'Ana ليلى Belén' });
  });
});

test.describe('sessions', () => {
  test.use({ expectedErrors: [/status of (40[14]|500 .* at \S+\/api\/user\/sessions$)/] });

  test('are listed with their browser, and ended for that browser at once', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person();
    const token = await signInElsewhere(forum, person, firefox);
    await signInElsewhere(forum, person, '<b>Ñandú/1.0</b> '.repeat(40));
    const elsewhere = await openAs({ ...person, token });
    await elsewhere.goto(pageRoutes.profile);
    await expect(elsewhere.getByRole('definition')).toHaveText('0');
    const page = await openAs(person);
    const sessions = section(page, 'Sesiones');
    await failOnce(page, 'GET', `**${apiRoutes.sessions}`, respondWithProblem('internal_error'));
    await page.goto(pageRoutes.settings);
    await sessions.getByRole('button', { name: 'Reintentar' }).press('Enter');
    const current = sessions.getByRole('listitem').filter({ hasText: 'Este navegador' });
    await expect(current).toHaveCount(1);
    await expect(current.getByRole('button')).toHaveCount(0);
    const phone = sessions.getByRole('listitem').filter({ hasText: 'Firefox en Android' });
    await expect(phone).toContainText(/Último uso: .*Primer uso: /s);
    await phone.getByRole('button', { name: 'Cerrar: Firefox en Android' }).press('Enter');
    await expect(phone).toHaveCount(0);
    await expect(heading(page, 'Sesiones')).toBeFocused();
    await expect(page.getByText('Sesión cerrada: Firefox en Android')).toBeVisible();
    await elsewhere.reload();
    await expect(elsewhere).toHaveURL(pageRoutes.login);

    await signInElsewhere(forum, person, firefox);
    await page.reload();
    await sessions.getByRole('button', { name: 'Cerrar las demás' }).press('Enter');
    await expect(sessions.getByRole('listitem')).toHaveCount(1);
    await expect(heading(page, 'Sesiones')).toBeFocused();
    await expect(sessions.getByRole('button')).toHaveCount(0);
  });
});

test.describe('what is removed', () => {
  test.use({ expectedErrors: [/(status of 404|ERR_CONNECTION_FAILED) .*at \S+\/sessions\/\S+$/] });

  test('stays and is said to stay without a connection, and goes when it was removed elsewhere', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person();
    const token = await signInElsewhere(forum, person, firefox);
    const page = await openAs(person);
    await page.goto(pageRoutes.settings);
    const phone = section(page, 'Sesiones').getByRole('listitem').filter({ hasText: 'Firefox' });
    const end = phone.getByRole('button', { name: 'Cerrar: Firefox en Android' });
    const bar = page.getByRole('region', { name: 'Aviso' });
    await failOnce(page, 'DELETE', `**${apiRoutes.sessions}/*`, loseConnection);
    await end.click();
    await expect(bar).toContainText('No hay conexión');
    await expect(end).toBeVisible();
    await endSession(forum, { ...person, token });
    await end.click();
    await expect(bar).toContainText('Sesión cerrada: Firefox en Android');
    await expect(phone).toHaveCount(0);
  });
});

test.describe('recovery codes', () => {
  test('that are left are counted, and new ones are said to end them', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person();
    const { token, password } = person;
    const { codes } = await forum.json<RecoveryCodes>('POST', apiRoutes.recoveryCodes, {
      token,
      body: { currentPassword: password },
    });
    const { db } = forum.services;
    const kept = db
      .selectFrom('recovery_codes')
      .select('code_hash')
      .where('account_id', '=', person.id);
    await db
      .deleteFrom('recovery_codes')
      .where('account_id', '=', person.id)
      .where('code_hash', 'not in', kept.limit(1))
      .execute();
    const page = await openAs(person);
    await page.goto(pageRoutes.settings);
    const part = section(page, 'Códigos de recuperación');
    await expect(part).toContainText(/Te queda 1 código, creado el \d+ \S+ \d{4}\./);
    await part.getByRole('button', { name: 'Crear códigos nuevos' }).click();
    await expect(part).toContainText('Los que tienes ahora dejarán de servir.');
    await currentPassword(page).fill(password);
    await page.keyboard.press('Enter');
    await expect(part).toContainText(`Te quedan ${codes.length} códigos`);
  });
});

test.describe('the deletion of the account without a connection', () => {
  test.use({ expectedErrors: [/ERR_CONNECTION_FAILED .*at \S+\/api\/user\/me/] });

  test('is requested or not as the server has it, and stays when it could not be cancelled', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person();
    const page = await openAs(person);
    await page.goto(pageRoutes.settings);
    await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click();
    await currentPassword(page).fill(person.password);
    await failOnce(page, 'DELETE', `**${apiRoutes.me}`, loseConnection);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('No hay conexión');
    await failOnce(page, 'DELETE', `**${apiRoutes.me}`, loseAnswer);
    await currentPassword(page).press('Enter');
    const receipt = section(page, 'Justificante de la eliminación');
    await expect(receipt).toContainText('Dejar mis comentarios sin mi nombre');
    await failOnce(page, 'POST', `**${apiRoutes.restoreMe}`, loseConnection);
    const cancel = page.getByRole('button', { name: 'Cancelar la eliminación' });
    await cancel.click();
    await expect(page.getByRole('region', { name: 'Aviso' })).toContainText(
      'No se pudo cancelar la eliminación. No hay conexión',
    );
    await expect(receipt).toBeVisible();
    await cancel.click();
    await expect(receipt).toHaveCount(0);
  });
});

test.describe('the deletion of the account', () => {
  test.use({ expectedErrors: [/status of 403 .* at \S+\/api\/user\/me$/] });

  test('asks for the password, gives a receipt that prints alone, and can be cancelled', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person('Gala Núñez');
    const channel = await openChannel(forum, person);
    await writeComments(forum, person, channel, ['Uno', 'Dos']);
    const page = await openAs(person);
    await page.goto(pageRoutes.settings);
    const open = page.getByRole('button', { name: 'Eliminar mi cuenta' });
    await open.press('Enter');
    const anonymous = page.getByLabel('Dejar mis comentarios sin mi nombre');
    await expect(anonymous).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('no es esta');
    await page.keyboard.press('Enter');
    await expect(currentPassword(page)).toHaveAccessibleDescription(/Esa no es tu contraseña/);
    await expect(currentPassword(page)).toBeFocused();
    await expect(page.getByLabel('Borrar todo lo que escribí')).toBeChecked();
    await currentPassword(page).fill(person.password);
    await page.keyboard.press('Enter');

    const receipt = section(page, 'Justificante de la eliminación');
    await expect(heading(page, 'Eliminar la cuenta')).toBeFocused();
    await page.reload();
    for (const [term, value] of [
      ['Comentarios', '2'],
      ['Canales', '1'],
      ['Tu elección', 'Borrar todo lo que escribí'],
    ] as const) {
      const row = receipt.locator('dl > div').filter({ hasText: term });
      await expect(row.getByRole('definition')).toHaveText(value);
    }
    await expect(receipt).toContainText('Copias de seguridad');
    await expect(page.getByText(/^Tu cuenta se eliminará el \S+, \d+ de/)).toHaveCount(2);
    await page.getByRole('link', { name: 'Ver el justificante o cancelar' }).press('Enter');
    await expect(heading(page, 'Eliminar la cuenta')).toBeFocused();
    await page.goto(pageRoutes.home);
    await page.getByRole('link', { name: 'Ver el justificante o cancelar' }).click();
    await expect(receipt).toBeVisible();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(heading(page, 'Sesiones')).toBeHidden();
    await expect(receipt).toBeVisible();
    await expect(receipt).toHaveCSS('color', 'rgb(34, 28, 22)');
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-asked', '');
    });
    await page
      .getByRole('button', { name: 'Imprimir el justificante', includeHidden: true })
      .dispatchEvent('click');
    await expect(page.locator('body')).toHaveAttribute('data-asked');
    await page.emulateMedia({ media: 'screen' });

    await page.getByRole('button', { name: 'Cancelar la eliminación' }).press('Enter');
    await expect(heading(page, 'Eliminar la cuenta')).toBeFocused();
    await expect(receipt).toHaveCount(0);
    await page.reload();
    await expect(open).toBeVisible();
    await expect(page.getByText(/^Tu cuenta se eliminará/)).toHaveCount(0);
  });
});

test.describe('the export', () => {
  test.use({ expectedErrors: [/api\/user\/export/] });

  test('is downloaded, and can be cancelled and tried again', async ({ forum, openAs }) => {
    const person = await forum.person();
    const channel = await openChannel(forum, person);
    await writeComments(forum, person, channel, ['Para llevar']);
    const page = await openAs(person);
    await page.goto(pageRoutes.settings);
    const start = page.getByRole('button', { name: 'Descargar mis datos' });
    const said = (text: string) => page.getByRole('status').filter({ hasText: text });
    await page.route(`**${apiRoutes.export}`, (route) => route.abort(), { times: 1 });
    await start.press('Enter');
    await expect(page.getByRole('alert')).toHaveText(
      /^No se pudo completar la descarga\. No hay conexión/,
    );
    const held = await holdRequests(page, 'GET', `**${apiRoutes.export}`);
    await start.press('Enter');
    const cancel = page.getByRole('button', { name: 'Cancelar' });
    await expect(cancel).toBeFocused();
    await expect(said('Preparando la descarga…')).toBeVisible();
    await cancel.press('Enter');
    await expect(said('Descarga cancelada')).toBeVisible();
    await expect(start).toBeFocused();
    await expect(page.getByRole('alert')).toHaveCount(0);
    held.release();
    await page.unroute(`**${apiRoutes.export}`);

    const download = page.waitForEvent('download');
    await start.press('Enter');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^tertulia-\d{4}-\d\d-\d\d\.zip$/);
    expectComments(await readFile(await file.path()));
    await expect(said('Descarga completada')).toBeVisible();

    await endSession(forum, person);
    await start.press('Enter');
    await expect(page).toHaveURL(pageRoutes.login);
  });
});

function expectComments(zip: Buffer): void {
  const files = [...readZip(zip)];
  expect(files.some(([, bytes]) => bytes.includes('Para llevar'))).toBe(true);
}

test.describe('a password form that is left or whose response is lost', () => {
  test.use({ expectedErrors: [/ERR_CONNECTION_FAILED at \S+\/api\/user\/me$/] });

  test('ends with what the server did', async ({ forum, openAs }) => {
    const person = await forum.person('Ana Belén');
    const page = await openAs(person);
    await page.goto(pageRoutes.home);
    await page.goto(pageRoutes.settings);

    await failOnce(page, 'PATCH', `**${apiRoutes.me}`, loseAnswer);
    await change(page, 'Nombre').click();
    await page.getByLabel('Nombre nuevo').fill('Ana Nueva');
    await currentPassword(page).fill(person.password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Puede que el cambio se haya hecho.');
    await form(page, 'Nombre').getByRole('button', { name: 'Cancelar' }).click();
    await expect(section(page, 'Cuenta')).toContainText('Ana Nueva');

    const codes = await holdRequests(page, 'POST', `**${apiRoutes.recoveryCodes}`);
    await page.getByRole('button', { name: 'Crear códigos' }).click();
    await currentPassword(page).fill(person.password);
    await page.keyboard.press('Enter');
    await expect.poll(() => codes.requests.length).toBe(1);
    const cancel = page.getByRole('button', { name: 'Cancelar' });
    await expect(cancel).toHaveAttribute('aria-disabled', 'true');
    await cancel.dispatchEvent('click');
    await expect(currentPassword(page)).not.toBeEditable();
    await page.getByRole('banner').getByRole('link', { name: 'tertulia' }).click();
    await expect(page).toHaveURL(pageRoutes.home);
    codes.release();
    const notice = page.getByRole('region', { name: 'Aviso' });
    await expect(notice).toContainText('no llegaste a ver los nuevos');
    await notice.getByRole('link').click();
    await expect(section(page, 'Códigos de recuperación')).toContainText('Te quedan');
  });
});
