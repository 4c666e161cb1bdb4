import { moveWords } from '../../../src/server/moving-in/claims/move-words.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { insertImported } from '../../moving-in/imported-people.ts';
import { expect, test } from '../fixtures.ts';
import { statusBar } from '../status-bar.ts';

test.use({ forumName: 'claims' });

test('an admin gives a link to somebody of the old group, who signs up with it and has their words', async ({
  forum,
  openAs,
}) => {
  await changeSettings(forum, { readers: 'members', contact: 'Marga' });
  const admin = await makeStaff(forum, 'admin', 'Alba');
  const { channelId } = await insertImported(forum, admin);
  const staffPage = await openAs(admin);
  await staffPage.goto(pageRoutes.movingIn);
  await staffPage.getByText('Sus personas').click();
  await staffPage.getByRole('button', { name: 'Enlace para recuperar: Zenobia' }).click();
  const message = staffPage.getByLabel('Mensaje con el enlace');
  await expect(message).toHaveValue(/^Zenobia, esto lo escribiste tú: /);
  const link = (await message.inputValue()).replace(/^.*: /, '');

  const page = await openAs(null);
  await page.goto(link);
  await expect(page.getByText('Con tu cuenta recuperas 1 comentario de Zenobia')).toBeVisible();
  await page.getByLabel('Nombre').fill('Zenobia Paz');
  await page.getByLabel('Correo electrónico').fill(`${crypto.randomUUID()}@ejemplo.es`);
  await page.getByLabel('Contraseña', { exact: true }).fill('una contraseña: larga');
  await page.getByRole('button', { name: 'Registrarse' }).click();
  await expect(statusBar(page)).toContainText('llevará tu nombre en menos de un minuto');
  await moveWords(forum.services);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page).toHaveURL(pageRoutes.channel(channelId));
  await expect(page.getByRole('link', { name: 'Zenobia Paz' }).first()).toBeVisible();
  await expect(page.getByText('del grupo de antes')).toHaveCount(0);

  await staffPage.reload();
  await staffPage.getByText('Sus personas').click();
  await expect(staffPage.getByText('1 comentario · es de Zenobia Paz')).toBeVisible();
  await expect(staffPage.getByRole('button', { name: 'Deshacer' })).toHaveCount(0);
  await staffPage.getByRole('button', { name: 'Devolver los mensajes de Zenobia' }).click();
  await expect(statusBar(staffPage)).toContainText('Devueltos');
  await expect(
    staffPage.getByRole('button', { name: 'Enlace para recuperar: Zenobia' }),
  ).toBeVisible();
});

test('a member who opens such a link says that the words are theirs, and gives them back', async ({
  forum,
  openAs,
}) => {
  const { channelId, code } = await insertImported(forum, await makeStaff(forum));
  const page = await openAs(await forum.person('Berta'));
  await page.goto(`${pageRoutes.register}#${code}${pageRoutes.channel(channelId)}`);
  const section = page.getByRole('region', { name: 'Mensajes del grupo de antes' });
  await expect(section).toContainText('¿Lo escribiste tú? Es 1 comentario de Zenobia');
  await section.getByRole('button', { name: 'Estos mensajes los escribí yo' }).click();
  await expect(statusBar(page)).toContainText('Ya son tuyos');
  await moveWords(forum.services);
  await expect(section.getByRole('button', { name: 'Estos mensajes' })).toHaveCount(0);
  await expect(section.getByRole('listitem')).toContainText('Si no es tuyo, devuélvelo hasta');
  await page.reload();
  await section.getByRole('button', { name: 'Devolver los mensajes de Zenobia' }).click();
  await expect(section).toHaveCount(0);
  await moveWords(forum.services);
  await page.goto(pageRoutes.channel(channelId));
  await expect(page.getByText('del grupo de antes')).toBeVisible();
});

test('whoever has no account withdraws their words by a link, and cancels that', async ({
  forum,
  page,
}) => {
  const { withdraw } = await insertImported(forum, await makeStaff(forum));
  await page.goto(`/withdraw/${withdraw}`);
  await expect(page.getByText('hay 1 mensaje de Zenobia, del grupo de antes')).toBeVisible();
  await page.getByRole('button', { name: 'Borrar todo lo que escribí' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Se retiran el /);
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('¿Retirar mis mensajes?');
});
