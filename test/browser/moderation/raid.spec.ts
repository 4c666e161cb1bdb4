import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { PendingPost } from '../../../src/shared/pending.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings, reviewFirstPosts } from '../../forum/change-settings.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { statusBar } from '../status-bar.ts';

test.use({
  forumName: 'raid',
  expectedErrors: [/status of 40[49]/],
});

const openRaid = (page: Page) => page.goto(`${pageRoutes.moderation}?state=raid`);

/** Makes all accounts too old for the list, and these ones recent. */
async function openedLately(forum: Forum, accounts: { id: string }[]): Promise<void> {
  const { db } = forum.services;
  const old = { created_at_ms: Date.now() - 86_400_000 };
  await db.updateTable('accounts').set(old).execute();
  // The page knows the server's time only to the second, and requests accounts from the certain past.
  const ids = accounts.map(({ id }) => id);
  const lately = { created_at_ms: Date.now() - 60_000 };
  await db.updateTable('accounts').set(lately).where('id', 'in', ids).execute();
}

test('a raid is hidden by one decision, except for approved accounts, and shown again by one undo', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const marta = await makeStaff(forum);
  const channel = await openChannel(forum, ana);
  await reviewFirstPosts(forum);
  const carla = await forum.person('Carla');
  const body = { id: channel._id, comment: 'Hola, soy nueva' };
  const { id } = await forum.json<PendingPost>('PUT', apiRoutes.comment, {
    token: carla.token,
    body,
  });
  await forum.json('POST', apiRoutes.decisions, {
    token: marta.token,
    body: { subject: { kind: 'comment', id }, action: 'approve' },
  });
  const raiders: Person[] = [];
  for (let index = 0; index < 3; index++) raiders.push(await forum.person(`Oferta ${index}`));
  const [waiting, ...writers] = raiders as [Person, ...Person[]];
  const { token } = waiting;
  const ad = { id: channel._id, comment: 'Gana dinero, dice quien espera' };
  await forum.json('PUT', apiRoutes.comment, { token, body: ad });
  await changeSettings(forum, {});
  for (const one of writers) await forum.comment(one, channel._id, `Gana dinero, ${one.name}`);
  await openedLately(forum, [carla, ...raiders]);

  const page = await openAs(marta);
  await openRaid(page);
  await expect(page.getByText('3 de 4 cuentas')).toBeVisible();
  await expect(page.getByText('Gana dinero, dice quien espera')).toBeVisible();
  await expect(page.getByText('1 por aprobar')).toBeVisible();
  const box = page.getByRole('checkbox', { name: 'Carla' });
  await expect(box).not.toBeChecked();
  await page.getByRole('checkbox', { name: 'Oferta 2' }).uncheck();
  await expect(page.getByText('2 de 4 cuentas')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Oferta 2' }).check();
  const hide = page.getByRole('button', { name: 'Ocultar todo lo de estas 3 cuentas' });
  await hide.click();
  await page.keyboard.press('Escape');
  await expect(hide).toBeFocused();
  await hide.click();
  await expect(page.getByLabel('Categoría')).toHaveValue('spam');

  await page.getByLabel('Motivo').fill('Una oleada de anuncios');
  await hide.click();
  await expect(statusBar(page)).toContainText('Se ha ocultado todo lo de 3 cuentas.');
  await expect(page.getByText('0 de 1 cuenta')).toBeVisible();
  await expect(page.getByText('0 de 1 cuenta')).toBeFocused();
  const guest = await openAs(null);
  await guest.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(guest)).toHaveCount(1);

  await statusBar(page).getByRole('button', { name: 'Deshacer' }).click();
  await expect(statusBar(page)).toContainText('Decisión deshecha');
  await expect(page.getByText('3 de 4 cuentas')).toBeVisible();
  await guest.reload();
  await expect(commentsShown(guest)).toHaveCount(3);
});

test('a time without new accounts says so and is kept by Back; an account that another moderator hid first is left as decided', async ({
  forum,
  openAs,
}) => {
  const luis = await makeStaff(forum, 'moderator', 'Luis');
  const spammer = await forum.person('Oferta');
  await openedLately(forum, [spammer]);
  const page = await openAs(await makeStaff(forum));
  await openRaid(page);
  await expect(page.getByText('1 de 1 cuenta, ')).toBeVisible();
  const [from, to] = [page.getByLabel('Abiertas desde'), page.getByLabel('Hasta (vacío: ahora)')];
  const show = page.getByRole('button', { name: 'Ver las cuentas' });
  await expect(to).toHaveValue('');
  const begin = await from.inputValue();
  await from.fill('2001-01-01T10:00');
  await to.fill('2001-01-01T11:30');
  await show.click();
  await expect(page.getByText('No se abrió ninguna cuenta en ese tiempo.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Ocultar todo/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Registro de moderación' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registro de moderación');
  await page.goBack();
  await expect(to).toHaveValue('2001-01-01T11:30');
  await expect(page.getByText('No se abrió ninguna cuenta en ese tiempo.')).toBeVisible();
  await from.fill(begin);
  await to.fill('');
  await show.click();

  const hide = page.getByRole('button', { name: 'Ocultar todo lo de esta cuenta' });
  await hide.click();
  await page.getByLabel('Motivo').fill('Una oleada');
  await forum.json('POST', apiRoutes.decisions, {
    token: luis.token,
    body: { subject: { kind: 'user', id: spammer.id }, action: 'hideAll', reason: 'Anuncios' },
  });
  await hide.click();
  await expect(statusBar(page)).toContainText(
    'Ya estaba decidido: Cuenta ocultada por completo · Luis',
  );
  await expect(page.getByText('No se abrió ninguna cuenta en ese tiempo.')).toBeFocused();
  await expect(statusBar(page).getByRole('button', { name: 'Deshacer' })).toHaveCount(0);
});
