import { pageRoutes } from '../../../src/shared/routes.ts';
import { Forum } from '../../forum/forum.ts';
import { staff } from '../../forum/moderators.ts';
import { mailAll } from '../../mail/mail-all.ts';
import { MailServer } from '../../mail/mail-server.ts';
import { test as base, expect } from '../fixtures.ts';
import { statusBar } from '../status-bar.ts';

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

test('a moderator pastes a list, sees what was understood, and later who has come; the link fills in the address', async ({
  forum,
  server,
  openAs,
  page: guest,
}) => {
  const [eva, beto] = [await staff(forum), await forum.person('Beto')];
  const page = await openAs(eva);
  await page.goto(pageRoutes.members);
  await page.getByText('Invitar por correo a una lista').click();
  const field = page.getByLabel('Direcciones');
  await field.fill(
    `Nombre\tCorreo\n"Soler, Ana" <ana@correo.example>; ANA@correo.example\n${beto.email}\nLuz Prado\tluz@correo.example`,
  );
  await expect(page.getByText('Se entiende: 3 personas.')).toBeVisible();
  await expect(page.getByText('Repetidas: 1.')).toBeVisible();
  await expect(page.getByText('Líneas sin dirección: 1 («Nombre Correo»).')).toBeVisible();
  const understood = page.getByRole('list', { name: 'Lo que se entiende' });
  await expect(understood.getByRole('listitem').first()).toHaveText('Soler Ana ana@correo.example');
  await page.getByRole('button', { name: 'Invitar a 3 personas' }).click();
  await expect(statusBar(page)).toContainText('Se ha invitado a 2 personas. 1 ya es miembro.');
  await expect(field).toHaveValue('');
  await expect(page.getByText('0 de 2 han entrado.')).toBeVisible();

  await mailAll(forum.services);
  await guest.goto(server.linkTo('luz@correo.example', pageRoutes.register));
  await expect(guest.getByText('te invita')).toBeVisible();
  await expect(guest.getByLabel('Correo')).toHaveValue('luz@correo.example');
  await guest.getByLabel('Nombre').fill('Luz');
  await guest.getByLabel('Contraseña', { exact: true }).fill('una clave larga');
  await guest.getByRole('button', { name: 'Registrarse' }).click();
  await expect(guest).toHaveURL(pageRoutes.login);
  await page.reload();
  await page.getByText('Invitar por correo a una lista').click();
  await expect(page.getByText('1 de 2 ha entrado.')).toBeVisible();
  await expect(page.getByText('Ha entrado.', { exact: true })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Enviar otra vez' })).toHaveCount(0);
});
