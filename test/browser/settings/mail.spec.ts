import type { Page } from '@playwright/test';
import { mailInOneProcess } from '../../../src/server/mail/start-mailing.ts';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { Forum, type Person } from '../../forum/forum.ts';
import { MailServer } from '../../mail/mail-server.ts';
import { openChannel } from '../community.ts';
import { test as base, expect } from '../fixtures.ts';
import { expectSignedIn, signInByForm, signOut } from '../people.ts';
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

const deliver = (forum: Forum) => mailInOneProcess(forum.services, false);
const section = (page: Page) => page.getByRole('region', { name: 'Avisos por correo' });
const title = (page: Page) => page.getByRole('heading', { level: 1 });

async function confirm(forum: Forum, server: MailServer, { email }: Person): Promise<void> {
  await deliver(forum);
  const token = server.linkTo(email, pageRoutes.confirm).split('#')[1];
  await forum.json('POST', apiRoutes.confirmEmail, { body: { token } });
}

test.use({ viewport, expectedErrors: [/status of 4(03|29) .* at \S+\/email\/confirm(ation)?$/] });

test('links to a section of the settings show it, when they are opened and when they are followed', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person());
  await page.goto(pageRoutes.notifications);
  await page.getByRole('link', { name: 'Recibirlos por correo' }).click();
  const heading = section(page).getByRole('heading', { level: 2 });
  await expect(heading).toBeInViewport();
  await page.reload();
  await expect(heading).toBeInViewport();
});

test('an address is confirmed by a button, and its owner chooses how often news is sent', async ({
  forum,
  server,
  openAs,
  page: guest,
}) => {
  const person = await forum.person('Ana Belén');
  const page = await openAs(person, { viewport });
  await page.goto(pageRoutes.settings);
  await expect(section(page)).toContainText(`${person.email} está sin confirmar`);
  await section(page).getByRole('button', { name: 'Reenviar el enlace' }).click();
  await expect(statusBar(page)).toContainText(`Enviado a ${person.email}.`);
  await deliver(forum);
  expect(server.received.map(({ subject }) => subject)).toEqual(['Confirma tu correo en tertulia']);

  // The link is opened in another browser.
  const link = server.linkTo(person.email, pageRoutes.confirm);
  await guest.goto(link);
  const button = guest.getByRole('button', { name: 'Confirmar mi correo' });
  await button.click();
  await expect(title(guest)).toHaveText('Correo confirmado');
  await expect(title(guest)).toBeFocused();
  await guest.reload();
  await button.click();
  await expect(title(guest)).toHaveText('Enlace no válido');

  await page.reload();
  const choice = (name: string) => section(page).getByRole('radio', { name });
  await expect(choice('Cada día')).toBeChecked();
  await choice('Al rato').check();
  await section(page).getByRole('button', { name: 'Guardar' }).click();
  await expect(statusBar(page)).toContainText('Guardado');
  await page.reload();
  await expect(choice('Al rato')).toBeChecked();
});

test('a person whose mailbox has reached its daily limit of links is told so, and requests one later', async ({
  forum,
  openAs,
}) => {
  for (const tag of [1, 2, 3]) await forum.person('Otra', `ana+${tag}@ejemplo.es`);
  const person = await forum.person('Ana Belén', 'ana@ejemplo.es');
  const page = await openAs(person, { viewport });
  await page.goto(pageRoutes.settings);
  await expect(section(page)).toContainText('Ahora no hay ningún enlace con el que confirmarla');
  const send = section(page).getByRole('button', { name: 'Enviar el enlace', exact: true });
  await send.click();
  await expect(statusBar(page)).toContainText('No se pudo enviar el enlace. A ese buzón');
  // Clears the limits, as if a day had passed.
  await forum.services.db.deleteFrom('rate_limits').execute();
  await send.click();
  await expect(statusBar(page)).toContainText('Enviado a ana@ejemplo.es.');
  await expect(section(page)).toContainText('Confírmala con el enlace que te hemos enviado.');
});

test('an address that refuses mail is named, and tried again once its owner says so', async ({
  forum,
  openAs,
}) => {
  const person = await forum.person('Ana Belén');
  const { db } = forum.services;
  const refused = { email_confirmed_at_ms: 1, mail_refused_at_ms: 2 };
  await db.updateTable('accounts').set(refused).where('id', '=', person.id).execute();
  const page = await openAs(person, { viewport });
  await page.goto(pageRoutes.settings);
  await expect(section(page)).toContainText('ha rechazado nuestro último mensaje');
  await section(page).getByRole('button', { name: 'Guardar' }).click();
  await expect(section(page)).not.toContainText('ha rechazado');
});

test('an access is recovered by mail, which ends all other ways in and says so', async ({
  forum,
  server,
  page,
}) => {
  const person = await forum.person('Ana Belén');
  await confirm(forum, server, person);
  await forum.json('POST', apiRoutes.recoveryCodes, {
    token: person.token,
    body: { currentPassword: person.password },
  });
  const passkey = { account_id: person.id, public_key: '', counter: 0, transports: '[]' };
  await forum.services.db
    .insertInto('passkeys')
    .values({ ...passkey, id: 'x', name: 'x', created_at_ms: 1, last_used_at_ms: null })
    .execute();
  await page.goto(pageRoutes.recover);
  const send = page.getByRole('button', { name: 'Enviar el enlace' });
  await expect(send).toBeEnabled();
  await page.getByLabel('Correo electrónico').fill(person.email);
  await send.click();
  await expect(title(page)).toHaveText('Revisa tu correo');
  await page.reload();
  await page.getByRole('button', { name: 'Usar un código impreso' }).click();
  await expect(page.getByLabel('Correo electrónico')).toBeFocused();
  await expect(page.getByLabel('Código de recuperación')).toBeVisible();

  // The requested mail is queued after the response.
  await expect(async () => {
    await deliver(forum);
    await page.goto(server.linkTo(person.email, pageRoutes.password));
  }).toPass();
  await page.getByLabel('Contraseña', { exact: true }).fill('otra contraseña larga');
  await page.getByLabel('Repite la contraseña').fill('otra contraseña larga');
  await page.getByRole('button', { name: 'Guardar la contraseña' }).click();
  await expect(title(page)).toHaveText('Iniciar sesión');
  const ended = page.getByText(
    'Tampoco sirven ya las llaves de acceso (1) ni los códigos de recuperación (10) que tenía la cuenta.',
  );
  await expect(ended).toBeVisible();
  await page.reload();
  await expect(ended).toBeVisible();
  await signInByForm(page, person.email, 'otra contraseña larga');
  await expectSignedIn(page, person);
});

test('the links of mails open a tab that leads back to the page before signing up or requesting the link', async ({
  forum,
  server,
  page,
  context,
}) => {
  const { _id } = await openChannel(forum, await forum.person());
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
  const kept = () => page.evaluate(() => Object.keys(localStorage));

  await open('Crear cuenta');
  await page.getByLabel('Nombre').fill('Nadia Sanz');
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Registrarse' }).click();
  await expect(page).toHaveURL(pageRoutes.login);
  const confirming = await openMail(pageRoutes.confirm);
  await confirming.getByRole('button', { name: 'Confirmar mi correo' }).click();
  await expect(title(confirming)).toHaveText('Correo confirmado');
  await confirming.getByRole('link', { name: 'Volver a donde estabas' }).click();
  await expect(confirming).toHaveURL(pageRoutes.channel(_id));
  expect(await kept()).toEqual([]);

  const ask = async () => {
    await open('Iniciar sesión');
    await page.getByRole('link', { name: 'Recuperar el acceso' }).click();
    await page.getByLabel('Correo electrónico').fill(email);
    await page.getByRole('button', { name: 'Enviar el enlace' }).click();
    await expect(title(page)).toHaveText('Revisa tu correo');
  };
  await ask();
  const recovering = await openMail(pageRoutes.password);
  await recovering.getByLabel('Contraseña', { exact: true }).fill(`${password}!`);
  await recovering.getByLabel('Repite la contraseña').fill(`${password}!`);
  await recovering.getByRole('button', { name: 'Guardar la contraseña' }).click();
  await signInByForm(recovering, email, `${password}!`);
  await statusBar(recovering).getByRole('link', { name: 'Volver a donde estabas' }).click();
  await expect(recovering).toHaveURL(pageRoutes.channel(_id));
  expect(await kept()).toEqual([]);

  await ask();
  expect(await kept()).toEqual(['place']);
  await signOut(recovering);
  await expect(statusBar(recovering).getByRole('status')).toHaveText('Has cerrado sesión.');
  expect(await kept()).toEqual([]);
});

test('a new address is to be confirmed', async ({ forum, server, openAs }) => {
  const person = await forum.person('Ana Belén');
  await confirm(forum, server, person);
  const page = await openAs(person);
  await page.goto(pageRoutes.settings);
  await page.getByRole('button', { name: 'Cambiar: Correo electrónico' }).click();
  await page.getByLabel('Correo electrónico nuevo').fill('nueva@ejemplo.es');
  await page.getByLabel('Contraseña actual').fill(person.password);
  await page.getByRole('button', { name: 'Guardar' }).first().click();
  await expect(statusBar(page)).toContainText('Te hemos enviado un enlace para confirmarlo.');
  await expect(section(page)).toContainText('nueva@ejemplo.es está sin confirmar');
});

base('a site without mail shows nothing of it', async ({ forum, openAs }) => {
  const page = await openAs(await forum.person());
  await page.goto(pageRoutes.settings);
  await expect(page.getByRole('region', { name: 'Códigos de recuperación' })).toBeVisible();
  await expect(section(page)).toHaveCount(0);
  await page.goto(pageRoutes.recover);
  await expect(page.getByLabel('Código de recuperación')).toBeVisible();
  await expect(page.getByRole('button', { name: /correo/ })).toHaveCount(0);
});
