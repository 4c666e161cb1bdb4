import type { Page } from '@playwright/test';
import type { Updateable } from 'kysely';
import type { Tables } from '../../../src/server/database/tables.ts';
import type { SignedIn } from '../../../src/shared/accounts.ts';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { NotificationSettings } from '../../../src/shared/notification-settings.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { Forum } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { mailAll } from '../../mail/mail-all.ts';
import { MailServer } from '../../mail/mail-server.ts';
import { openChannel } from '../community.ts';
import { test as base, expect } from '../fixtures.ts';
import { statusBar } from '../status-bar.ts';

const viewport = { width: 375, height: 800 };

/** Each test has its own forum, which sends mail to a real server. */
const test = base.extend<{ server: MailServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
  server: async ({}, use) => {
    await using server = await MailServer.start();
    await use(server);
  },
  forum: async ({ server }, use) => {
    const forum = await Forum.start('sqlite', server.settings);
    await use(forum);
    await forum.stop();
  },
});

const deliver = (forum: Forum) => mailAll(forum.services);
const section = (page: Page) => page.getByRole('region', { name: 'Avisos por correo' });
const title = (page: Page) => page.getByRole('heading', { level: 1 });

test.use({ viewport, expectedErrors: [/status of 4(03|29) .* at \S+\/email\/confirm(ation)?$/] });

test('an address is confirmed by a button, and its owner, whom a link leads to that section, chooses how often news is sent', async ({
  forum,
  server,
  openAs,
  page: guest,
}) => {
  const person = await forum.person('Ana Belén');
  const page = await openAs(person, { viewport });
  await page.goto(pageRoutes.notifications);
  await page.getByRole('link', { name: 'Recibirlos por correo' }).click();
  const heading = section(page).getByRole('heading', { level: 2 });
  await expect(heading).toBeInViewport();
  await expect(section(page)).toContainText(`${person.email} está sin confirmar`);
  await section(page).getByRole('button', { name: 'Reenviar el enlace' }).click();
  await expect(statusBar(page)).toContainText(`Enviado a ${person.email}.`);
  await deliver(forum);
  expect(server.received.map(({ subject }) => subject)).toEqual(['Confirma tu correo en tertulia']);

  // The link is opened in another browser.
  await guest.goto(server.linkTo(person.email, pageRoutes.confirm));
  const button = guest.getByRole('button', { name: 'Confirmar mi correo' });
  await button.click();
  await expect(title(guest)).toHaveText('Correo confirmado');
  await expect(title(guest)).toBeFocused();
  await guest.reload();
  await button.click();
  await expect(title(guest)).toHaveText('Enlace no válido');

  await page.reload();
  await expect(heading, 'also after a reload').toBeInViewport();
  const choice = (name: string) => section(page).getByRole('radio', { name });
  await expect(choice('Cada día')).toBeChecked();
  await choice('En la próxima hora').check();
  await section(page).getByRole('button', { name: 'Guardar' }).click();
  await expect(statusBar(page)).toContainText('Guardado');
  await page.reload();
  await expect(choice('En la próxima hora')).toBeChecked();
});

test.describe('in another zone than the community', () => {
  test.use({ timezoneId: 'America/Caracas' });

  test('the browser names its zone with the rhythm of mails, and with nothing else', async ({
    forum,
    openAs,
  }) => {
    await changeSettings(forum, { zone: 'Europe/Madrid' });
    const person = await makeStaff(forum);
    const { db } = forum.services;
    await db
      .updateTable('accounts')
      .set({ email_confirmed_at_ms: 1 })
      .where('id', '=', person.id)
      .execute();
    const page = await openAs(person, { viewport });
    const zone = async () => {
      const { token } = person;
      const settings = apiRoutes.notificationSettings;
      const { email } = await forum.json<NotificationSettings>('GET', settings, { token });
      return email?.zone;
    };
    const save = async () => {
      const saved = page.waitForResponse(
        (response) => response.request().method() === 'PATCH' && response.ok(),
      );
      await section(page).getByRole('button', { name: 'Guardar' }).click();
      await saved;
    };
    await page.goto(pageRoutes.settings);
    const daily = 'Todos juntos, a las 8 de la mañana, en la hora de';
    await expect(section(page)).toContainText(`${daily} Europe/Madrid.`);
    await section(page).getByRole('group', { name: 'a quien modera' }).getByLabel('Nunca').check();
    await save();
    expect(await zone()).toBe('Europe/Madrid');
    await section(page).getByRole('radio', { name: 'Cada semana' }).check();
    await save();
    expect(await zone()).toBe('America/Caracas');
    await expect(section(page)).toContainText(
      'los lunes a las 8 de la mañana, según la hora de este dispositivo.',
    );
  });
});

test('an address without a valid link, or whose server refused a message, is said to be so with what to do; a moderator also chooses when cases are mailed', async ({
  forum,
  openAs,
}) => {
  const person = await makeStaff(forum);
  const change = (values: Updateable<Tables['accounts']>) =>
    forum.services.db.updateTable('accounts').set(values).where('id', '=', person.id).execute();
  await forum.services.db.deleteFrom('email_confirmations').execute();
  const page = await openAs(person, { viewport });
  await page.goto(pageRoutes.settings);
  await expect(section(page)).toContainText('Ahora no hay ningún enlace con el que confirmarla');
  await section(page).getByRole('button', { name: 'Enviar el enlace', exact: true }).click();
  await expect(section(page)).toContainText('Confírmala con el enlace que te hemos enviado.');
  await change({ mail_refused_at_ms: 1 });
  await page.reload();
  await expect(section(page)).toContainText('su servidor dice que no existe');
  await expect(section(page)).toContainText('si está bien, pide otro enlace.');
  await expect(section(page).getByRole('button', { name: 'Reenviar el enlace' })).toBeVisible();
  await change({ email_confirmed_at_ms: 1, mail_refused_at_ms: null, mails_given_up: 3 });
  await page.reload();
  await expect(section(page)).toContainText('no ha admitido nuestros últimos mensajes');
  await change({ mail_refused_at_ms: 1 });
  await page.reload();
  await expect(section(page)).toContainText(
    'guarda otra vez cada cuánto la usamos; si no, probamos una vez por semana.',
  );
  await expect(section(page).getByRole('button', { name: /enlace/ })).toHaveCount(0);
  const cases = section(page).getByRole('group', { name: 'Lo que espera a quien modera' });
  await cases.getByLabel('Si espera más de una hora').check();
  await section(page).getByRole('button', { name: 'Guardar' }).click();
  await expect(statusBar(page)).toContainText('Guardado');
  await expect(section(page)).not.toContainText('no existe');
  await page.reload();
  await expect(cases.getByLabel('Si espera más de una hora')).toBeChecked();
});

test('home says that an address is not confirmed until that is closed or done, and founders find it among the first steps', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const admin = await makeStaff(forum, 'admin');
  await openChannel(forum, ana);
  const page = await openAs(ana, { viewport });
  const line = page.getByText('Confirma tu correo: sin eso no podrás recuperar el acceso.');
  await page.goto(pageRoutes.home);
  await expect(line).toBeVisible();
  await page.getByRole('button', { name: 'Ahora no' }).click();
  await expect(line).toHaveCount(0);
  await expect(title(page)).toBeFocused();
  const profile = page.waitForResponse((response) => response.url().endsWith(apiRoutes.me));
  await page.reload();
  await profile;
  await expect(page.getByRole('link', { name: 'Avisos', exact: true })).toBeVisible();
  await expect(line).toHaveCount(0);

  const founder = await openAs(admin, { viewport });
  await founder.goto(pageRoutes.home);
  const steps = founder.getByRole('region', { name: 'Para empezar' });
  await expect(steps.getByRole('link', { name: 'Confirma tu correo' })).toBeVisible();
  await forum.services.db
    .updateTable('accounts')
    .set({ email_confirmed_at_ms: 1 })
    .where('id', '=', admin.id)
    .execute();
  await founder.reload();
  await expect(steps.getByText('✓ Tu correo confirmado')).toHaveCount(1);
  await expect(founder.getByText('sin eso no podrás recuperar')).toHaveCount(0);
});

test('the links of mails open a tab that leads back to the page before signing up or requesting the link, which says what a new password ended', async ({
  forum,
  server,
  page,
  context,
}) => {
  const { _id } = await openChannel(forum, await forum.person());
  await changeSettings(forum, { contact: 'hola@ejemplo.es' });
  const email = 'nadia@ejemplo.es';
  const password = 'una contraseña larga';
  const open = async (name: string) => {
    await page.goto(pageRoutes.channel(_id));
    await page.getByRole('main').getByRole('link', { name, exact: true }).click();
  };
  const openMail = async (path: string) => {
    const tab = await context.newPage();
    // The requested mail is queued after the response.
    await expect(async () => {
      await deliver(forum);
      await tab.goto(server.linkTo(email, path));
    }).toPass();
    return tab;
  };

  await open('Crear cuenta');
  await page.getByLabel('Nombre').fill('Nadia Sanz');
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Registrarse' }).click();
  await expect(page).toHaveURL(
    `${pageRoutes.login}?${new URLSearchParams({ next: pageRoutes.channel(_id) })}`,
  );
  const confirming = await openMail(pageRoutes.confirm);
  await confirming.getByRole('button', { name: 'Confirmar mi correo' }).click();
  await expect(title(confirming)).toHaveText('Correo confirmado');

  await addWaysIn(forum, email, password);
  const ask = async () => {
    await open('Iniciar sesión');
    await page.getByLabel('Correo electrónico').fill(email);
    await page.getByRole('link', { name: 'Recuperar el acceso' }).click();
    await expect(title(page)).toHaveText('Recuperar el acceso');
    await expect(page).not.toHaveURL(/nadia/);
    await expect(page.getByLabel('Correo electrónico')).toHaveValue(email);
    await page.getByRole('button', { name: 'Enviar el enlace' }).click();
    await expect(title(page)).toHaveText('Revisa tu correo');
    await expect(page.getByText('pide un enlace a quien administra el foro')).toBeVisible();
    await expect(page.getByText('Escribe a hola@ejemplo.es.')).toBeVisible();
  };
  await ask();
  await page.getByRole('button', { name: 'Usar un código impreso' }).click();
  await expect(page.getByLabel('Correo electrónico')).toBeFocused();
  await expect(page.getByLabel('Código de recuperación')).toBeVisible();
  const recovering = await openMail(pageRoutes.password);
  await recovering.getByLabel('Contraseña', { exact: true }).fill(`${password}!`);
  await recovering.getByRole('button', { name: 'Guardar la contraseña' }).click();
  await expect(title(recovering)).toHaveText('Iniciar sesión');
  await expect(
    recovering.getByText(
      'Tampoco sirven ya las llaves de acceso (1) ni los códigos de recuperación (10) que tenía la cuenta.',
    ),
  ).toBeVisible();
  // Neither is typed again.
  await expect(recovering.getByLabel('Correo electrónico')).toHaveValue(email);
  await expect(recovering.getByLabel('Contraseña')).toHaveValue(`${password}!`);
  expect(await recovering.content()).not.toContain(`${password}!`);
  await recovering.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(recovering).toHaveURL(pageRoutes.home);
});

/** Gives an account a passkey and recovery codes. */
async function addWaysIn(forum: Forum, email: string, password: string): Promise<void> {
  const { token, user } = (await (await forum.signIn(email, password)).json()) as SignedIn;
  await forum.json('POST', apiRoutes.recoveryCodes, { token, body: { currentPassword: password } });
  const passkey = { account_id: user.id, public_key: '', counter: 0, transports: '[]' };
  await forum.services.db
    .insertInto('passkeys')
    .values({ ...passkey, id: 'x', name: 'x', created_at_ms: 1, last_used_at_ms: null })
    .execute();
}
