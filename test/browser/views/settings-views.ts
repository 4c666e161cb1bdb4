import { expect, type Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { comment, decided } from '../../forum/moderators.ts';
import { browserSubscription, remembered } from '../../push/remembered.ts';
import { writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { report } from '../moderation.ts';
import { longWord } from '../sample-forum.ts';
import { button, openPage, type Visits } from './view.ts';

const openSettings = async (page: Page) => {
  await openPage(page, pageRoutes.settings, 'Ajustes');
  await expect(page.getByRole('heading', { name: 'Sesiones', exact: true })).toBeVisible();
};

/** Gives a person something for every list of the settings. */
async function fillLists(forum: Forum, person: Person): Promise<void> {
  const { token } = person;
  const channel = await openChannel(forum, person);
  const emptyChannel = await openChannel(forum, person, { name: 'Vacío' });
  await writeComments(forum, person, channel, ['Uno', 'Tonto', 'Se fue sin querer']);
  await decided(forum, await makeStaff(forum), {
    subject: comment(channel._id, 2),
    action: 'hide',
    category: 'abuse',
  });
  for (const name of ['Luis Paz', 'Bea']) {
    await report(forum, person, { kind: 'user', id: (await forum.person(name)).id });
  }
  await forum.json('DELETE', apiRoutes.channelComment(channel._id, 3), { token });
  await forum.json('DELETE', apiRoutes.channel(emptyChannel._id), { token });
  await forum.signIn(person.email, person.password);
  const passkey = { account_id: person.id, public_key: '', counter: 0, transports: '[]' };
  await forum.services.db
    .insertInto('passkeys')
    .values({ ...passkey, id: person.id, name: 'Móvil ليلى', created_at_ms: 1, last_used_at_ms: 2 })
    .execute();
}

/** Visits of the settings of a forum without mail. */
export const settingsVisits: Visits = {
  async 'settings with something in every list and every form open'({ forum, openAs, check }) {
    const name = longWord.repeat(3).slice(0, 80);
    const email = `${longWord.repeat(8).slice(0, 190)}${crypto.randomUUID()}@ejemplo.es`;
    const person = await forum.person(name, email);
    await fillLists(forum, person);
    const page = await openAs(person);
    await openSettings(page);
    await button(page, 'Crear invitación').click();
    await expect(page.getByRole('img', { name: /^Código QR/ })).toBeVisible();
    await button(page, 'Crear códigos').click();
    const codes = page.getByRole('region', { name: 'Códigos de recuperación' });
    await codes.getByLabel('Contraseña actual').fill(person.password);
    await page.keyboard.press('Enter');
    await expect(codes.getByRole('listitem')).toHaveCount(10);
    for (const change of ['Nombre', 'Correo electrónico', 'Contraseña']) {
      await button(page, `Cambiar: ${change}`).click();
    }
    for (const form of [
      'Añadir una llave de acceso',
      'Eliminar mi cuenta',
      /^Pedir que se revise:/,
    ]) {
      await button(page, form).click();
    }
    await expect(page.getByLabel('Borrar todo lo que escribí')).toBeVisible();
    await expect(page.getByLabel('Por qué crees que es un error')).toBeFocused();
    await check(page);
  },
  async 'settings with the receipt of a deletion'({ forum, openAs, check }) {
    const person = await forum.person('Gala Núñez');
    const body = { currentPassword: person.password, content: 'erase' };
    await forum.json('DELETE', apiRoutes.me, { token: person.token, body });
    const page = await openAs(person);
    await openSettings(page);
    await expect(
      page.getByRole('region', { name: 'Justificante de la eliminación' }),
    ).toBeVisible();
    await check(page);
  },
};

/** Visits to the settings of a forum that sends mail. */
export const mailSettingsVisits: Visits = {
  async 'settings of a moderator with a confirmed address that refuses mail'({
    forum,
    openAs,
    check,
  }) {
    const person = await makeStaff(forum);
    const { db } = forum.services;
    const refused = { email_confirmed_at_ms: 1, mail_refused_at_ms: 2 };
    await db.updateTable('accounts').set(refused).where('id', '=', person.id).execute();
    const page = await openAs(person);
    await openSettings(page);
    await expect(page.getByRole('group', { name: 'Lo que espera a quien modera' })).toBeVisible();
    await check(page);
  },
  async 'invitations to a list'({ forum, openAs, check }) {
    const person = await makeStaff(forum);
    const long = `${'m'.repeat(60)}@${'n'.repeat(60)}.example`;
    const invitees = [{ email: long, name: 'ليلى' }, { email: 'luz@correo.example' }];
    const body = { invitees };
    await forum.json('POST', apiRoutes.mailedInvitations, { token: person.token, body });
    const created_at_ms = Date.now() - 4 * 86_400_000;
    const { db } = forum.services;
    await db.updateTable('mails').set({ next_try_at_ms: null }).execute();
    await db
      .updateTable('mailed_invitations')
      .set({ created_at_ms, sent_at_ms: created_at_ms })
      .execute();
    const page = await openAs(person);
    await openPage(page, pageRoutes.members, 'Moderación');
    await page.getByText('Invitar por correo a una lista').click();
    await page.getByLabel('Direcciones').fill(`Nadie\n${'w'.repeat(80)} <o${long}>`);
    await expect(page.getByText('Se entiende: 1 persona.')).toBeVisible();
    await expect(button(page, 'Enviar otra vez').first()).toBeVisible();
    await check(page);
  },
  async 'settings of a person whose mails were given up'({ forum, openAs, check }) {
    const person = await forum.person('Marta Sanz');
    const { db } = forum.services;
    const full = { email_confirmed_at_ms: 1, mails_given_up: 3 };
    await db.updateTable('accounts').set(full).where('id', '=', person.id).execute();
    const page = await openAs(person);
    await openSettings(page);
    await expect(page.getByText('no ha admitido nuestros últimos mensajes')).toBeVisible();
    await check(page);
  },
  async 'settings and notifications of a person whose other browser is pushed to'({
    forum,
    openAs,
    check,
  }) {
    const person = await forum.person('Marta Sanz');
    const { token } = await remembered(forum, person);
    await forum.json('POST', apiRoutes.push, { token, body: browserSubscription() });
    const page = await openAs(await remembered(forum, person));
    await page.addInitScript((id) => {
      localStorage.setItem('remembered', id);
      // The headless shell denies notifications.
      Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    }, person.id);
    const start = button(page, 'Activar avisos en este dispositivo');
    await openSettings(page);
    await expect(start).toBeVisible();
    await expect(page.getByText('Los recibes en 1 dispositivo:')).toBeVisible();
    await check(page);
    await openPage(page, pageRoutes.notifications, 'Avisos');
    await expect(start).toBeVisible();
    await check(page);
    // As in a browser whose push messages were switched on and have ended.
    await page.addInitScript(() => localStorage.setItem('push', 'true'));
    await openSettings(page);
    await expect(page.getByText('Este dispositivo ha dejado de recibir los avisos')).toBeVisible();
    await check(page);
  },
};
