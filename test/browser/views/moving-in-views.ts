import { expect } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { zipOf } from '../../attacks/hostile-files.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import type { Forum } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { bringChat, uploadChat } from '../../moving-in/bring-chat.ts';
import { insertImported } from '../../moving-in/imported-people.ts';
import { button, openChannelPage, openPage, type Visits } from './view.ts';

/** A chat with everything that a summary can say, and with unruly names. */
const chat = [
  '3/4/24, 9:04 - Los mensajes y las llamadas están cifrados de extremo a extremo.',
  '3/4/24, 9:05 - Ana Belén: Hola 👋🏽',
  `3/4/24, 9:06 - ${'m'.repeat(60)}: <Multimedia omitido>`,
  '3/4/24, 9:07 - +34 600 333 444: Se eliminó este mensaje.',
  `3/4/24, 9:08 - مرحبا: ${'x'.repeat(9000)}`,
  '3/4/24, 9:09 - +34 600 333 444: Vale',
].join('\n');
const exported = zipOf({ 'Chat de WhatsApp con Vecinos.txt': chat });

const settings = { readers: 'members', contact: 'Llama a Marga', zone: 'Europe/Madrid' } as const;

/** Shows the only import as if it were in this state. */
const setState = (forum: Forum, state: 'running' | 'full') =>
  forum.services.db.updateTable('imports').set({ state, done: 2, total: 12_345 }).execute();

/** Visits of an admin who brings a chat. */
export const movingInVisits: Visits = {
  async 'the page that brings a chat, where everybody reads and where members do; its decisions; its progress, its end, and its channel'({
    forum,
    openAs,
    check,
  }) {
    const admin = await makeStaff(forum, 'admin');
    const page = await openAs(admin);
    await openPage(page, pageRoutes.movingIn, 'Traer un grupo');
    await expect(page.getByText('Elígelo antes en')).toBeVisible();
    await check(page);

    await changeSettings(forum, settings);
    await page.reload();
    await expect(page.getByText('Elegir el archivo del chat')).toBeVisible();
    await check(page);

    await uploadChat(forum, admin, exported);
    await page.reload();
    await page.getByRole('checkbox').first().check();
    await page.getByLabel('+34 600 333 444', { exact: true }).fill('+34 600 333 444');
    await page.getByRole('radio').first().check();
    await button(page, 'Traer el grupo').click();
    await expect(page.getByText('Un teléfono no puede ser un nombre.')).toBeVisible();
    await check(page);

    const { channelId } = await bringChat(forum, admin, exported, { dates: 'day-month' });
    await setState(forum, 'running');
    await page.reload();
    await expect(page.getByRole('progressbar')).toBeVisible();
    await check(page);

    await setState(forum, 'full');
    await page.reload();
    await page.getByText('Sus personas').click();
    await button(page, 'Enlace para recuperar: Persona 1').click();
    await expect(page.getByLabel('Mensaje con el enlace')).toBeVisible();
    await button(page, 'Deshacer').click();
    await expect(button(page, 'Dejarlo')).toBeFocused();
    await check(page);

    await openChannelPage(page, { _id: channelId });
    await expect(page.getByText('del grupo de antes').first()).toBeVisible();
    await check(page);
  },
  async 'signing up to get words, and settings with words to claim and to give back'({
    forum,
    openAs,
    check,
  }) {
    const admin = await makeStaff(forum, 'admin');
    const [claimed, offered] = [
      await insertImported(forum, admin),
      await insertImported(forum, admin),
    ];
    const guest = await openAs(null);
    await guest.goto(`${pageRoutes.register}#${offered.code}`);
    await expect(guest.getByText('Con tu cuenta recuperas 1 comentario')).toBeVisible();
    await check(guest);
    const person = await forum.person('Guadalupe Ríos Peralta');
    const body = { invitation: claimed.code };
    await forum.json('POST', apiRoutes.claims, { token: person.token, body });
    const page = await openAs(person);
    await page.goto(`${pageRoutes.register}#${offered.code}`);
    await expect(button(page, 'Estos mensajes los escribí yo')).toBeVisible();
    await expect(button(page, 'Devolver los mensajes de Zenobia')).toBeVisible();
    await check(page);
  },
};
