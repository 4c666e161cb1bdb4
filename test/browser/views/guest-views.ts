import { expect } from '@playwright/test';
import type { StoredFile } from '../../../src/shared/images.ts';
import {
  assetRoutes,
  commentLink,
  documentsUrl,
  pageRoutes,
  searchUrl,
  withQuery,
} from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { decideRow } from '../../forum/decide-row.ts';
import { commentWithFiles, mp3, pdf } from '../files.ts';
import { openHome } from '../hydration.ts';
import { plainImage } from '../images.ts';
import { signInByForm } from '../people.ts';
import { longWord, sampleOf } from '../sample-forum.ts';
import { field } from '../search-page.ts';
import {
  button,
  channelWith,
  channelWithPolls,
  openChannelPage,
  openForm,
  openMenu,
  openPage,
  openWithTimes,
  title,
  type Visits,
} from './view.ts';

/** Visits of guests to a community of members. */
export const closedVisits: Visits = {
  async 'a channel that members alone read, and a dead link to join'({ forum, openAs, check }) {
    // Another visit may have closed the forum.
    await changeSettings(forum, {});
    const { channel } = await channelWith(forum, ['Traed la partitura.']);
    await changeSettings(forum, {
      readers: 'members',
      registration: 'request',
      contact: 'coro@ejemplo.es',
      welcome: 'Ensayamos los lunes a las ocho.',
    });
    const page = await openAs(null);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(page.getByText('Esta comunidad solo la leen sus miembros.')).toBeVisible();
    await expect(page.getByText('Traed la partitura.')).toHaveCount(0);
    await check(page);
    await changeSettings(forum, { readers: 'members', registration: 'closed', contact: 'Marga' });
    await page.goto(`${pageRoutes.register}#invitación`);
    await expect(page.getByText('no está completo o ya no vale')).toBeVisible();
    await check(page);
  },
};

/** Visits of guests to forms, and to no page. */
export const formVisits: Visits = {
  async 'sign in, and its error modal'({ openAs, check }) {
    const page = await openAs(null);
    await openForm(page, pageRoutes.login, 'Iniciar sesión');
    await check(page);
    await signInByForm(page, 'nadie@ejemplo.es', 'no es esta');
    await expect(page.getByRole('dialog', { name: 'Error' })).toBeVisible();
    await check(page);
  },
  async register({ openAs, check }) {
    const page = await openAs(null);
    await openForm(page, pageRoutes.register, 'Registrarse');
    await check(page);
  },
  async 'a new password'({ openAs, check }) {
    const page = await openAs(null);
    await openForm(page, `${pageRoutes.password}#enlace`, 'Guardar la contraseña');
    await check(page);
  },
  async 'the recovery of an account, with a long address to ask'({ forum, openAs, check }) {
    await changeSettings(forum, { contact: `${'larguisima'.repeat(8)}@foro.example` });
    const page = await openAs(null);
    await openPage(page, pageRoutes.recover, 'Recuperar el acceso');
    await expect(page.getByRole('link', { name: /^larguisima/ })).toBeVisible();
    await check(page);
  },
  async NotFound({ openAs, check }) {
    const page = await openAs(null);
    await openPage(page, '/nada', 'Página no encontrada');
    await check(page);
  },
};

/** Visits of guests to pages with channels, comments and people. */
export const guestVisits: Visits = {
  async 'home with the menu open'({ forum, openAs, check }) {
    await sampleOf(forum);
    const page = await openAs(null);
    await openHome(page);
    await openMenu(page);
    await check(page);
  },
  async 'a channel of unruly texts, where a comment is gone'({ forum, openAs, check }) {
    const { unruly } = await sampleOf(forum);
    const page = await openAs(null);
    await openWithTimes(page, commentLink(unruly._id, 5000));
    await check(page);
  },
  async 'a person with unruly texts'({ forum, openAs, check }) {
    const { longNamed } = await sampleOf(forum);
    const page = await openAs(null);
    await openWithTimes(page, pageRoutes.user(longNamed.id));
    await check(page);
  },
  async 'the log of moderation and the rules'({ forum, openAs, check }) {
    const { ana } = await sampleOf(forum);
    for (const action of ['hide', 'silence'] as const) {
      await decideRow(forum, { action, accountId: ana.id });
    }
    await changeSettings(forum, { rules: 'x'.repeat(500) });
    const page = await openAs(null);
    await openPage(page, pageRoutes.log, 'Registro de moderación');
    await check(page);
    await page.getByRole('main').getByRole('link', { name: 'normas' }).click();
    await expect(title(page)).toHaveText('Normas');
    await check(page);
  },
};

/** Visits of guests who read on, report and search. */
export const readerVisits: Visits = {
  async 'a channel with answers, and an image, which is opened'({ forum, openAs, check }) {
    const { ana, channel } = await channelWith(forum, ['Hola a todos los de la azotea']);
    const { buffer } = await plainImage();
    const response = await forum.upload(ana, buffer, { filename: 'mar.png', use: 'comment' });
    const { fullPath } = (await response.json()) as StoredFile;
    const alt = 'Una ola rompe contra el espigón. '.repeat(9).trim();
    const images = [{ url: assetRoutes.file(fullPath), alt }];
    await forum.comment(ana, channel._id, 'Una foto', { images, replyTo: 1 });
    await forum.comment(ana, channel._id, 'Sí', { replyTo: 1 });
    const page = await openAs(null);
    await openChannelPage(page, channel);
    await button(page, /^2 respuestas/).click();
    await expect(page.getByRole('list', { name: /^2 respuestas/ })).toBeVisible();
    await check(page);
    await page.getByRole('link', { name: alt, exact: true }).first().click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cerrar' })).toBeFocused();
    await check(page);
  },
  async 'an open poll and a closed one'({ forum, openAs, check }) {
    const { channel } = await channelWithPolls(forum);
    const page = await openAs(null);
    await openChannelPage(page, channel);
    await expect(page.getByText('Ha votado 1 persona.')).toBeVisible();
    await check(page);
  },
  async 'a later page of a channel, with a report of illegal content and the receipt of another'({
    forum,
    openAs,
    check,
  }) {
    const { channel } = await sampleOf(forum);
    const page = await openAs(null);
    const after = `${channel._id}-1`;
    await openWithTimes(page, withQuery(pageRoutes.channel(channel._id), { after }));
    await expect(page.getByRole('link', { name: 'Ver desde el principio' })).toBeVisible();
    await button(page, /^Más acciones: n\.º 2, /).click();
    await button(page, 'Denunciar').click();
    await page.getByRole('radio', { name: 'Contenido ilegal' }).check();
    await expect(page.getByLabel('Explica por qué es ilegal')).toBeVisible();
    await check(page);
    await page.getByRole('radio', { name: 'Publicidad' }).check();
    await button(page, 'Enviar').click();
    await expect(page.getByText('Gracias. El equipo de moderación lo va a mirar.')).toBeVisible();
    await check(page);
  },
  async 'a channel with files, their list, and a name that no file has'({ forum, openAs, check }) {
    const { ana, channel } = await channelWith(forum, []);
    const files = [mp3(), pdf(`${longWord.repeat(6)}.pdf`), pdf('Acta de la junta.pdf')];
    await commentWithFiles(forum, ana, channel._id, '', files);
    const page = await openAs(null);
    await openChannelPage(page, channel);
    await expect(page.getByLabel('ensayo.mp3')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Documentos' })).toBeVisible();
    await check(page);
    await openPage(page, documentsUrl({ channel: channel._id }), 'Documentos');
    await expect(page.getByRole('link', { name: 'Acta de la junta.pdf' })).toBeVisible();
    await check(page);
    await page.getByRole('link', { name: 'Ver los de todos los canales' }).click();
    await expect(page.getByRole('link', { name: channel.name }).first()).toBeVisible();
    await check(page);
    await page.getByRole('searchbox').fill('nada');
    await page.getByRole('searchbox').press('Enter');
    await expect(page.getByText('Ningún documento tiene eso en el nombre.')).toBeVisible();
    await check(page);
  },
  async 'searches that find something, are corrected, are for a person and find nothing'({
    forum,
    openAs,
    check,
  }) {
    await sampleOf(forum);
    const page = await openAs(null);
    await openWithTimes(page, searchUrl({ q: 'ejemplo' }));
    await expect(page.getByRole('region', { name: 'Canales' }).getByRole('link')).toHaveCount(2);
    await check(page);
    await field(page).fill('amparro');
    await field(page).press('Enter');
    await expect(page.getByText('Resultados de amparo')).toBeVisible();
    const people = page.getByRole('region', { name: 'Personas' }).getByRole('listitem');
    await expect(people).toHaveCount(3);
    await check(page);
    await people
      .filter({ hasText: longWord.slice(0, 20) })
      .getByRole('link', { name: 'Buscar en sus comentarios' })
      .click();
    await expect(field(page)).toBeFocused();
    await check(page);
    await page.getByRole('link', { name: 'Buscar en los comentarios de todos' }).click();
    await field(page).fill('wkzq'.repeat(40));
    await field(page).press('Enter');
    await expect(page.getByRole('heading', { name: /^No hay resultados/ })).toBeVisible();
    await check(page);
  },
};

/** Visits of guests to a forum in which moderators approve accounts. */
export const applicantVisits: Visits = {
  async 'a request to be let in, and its answer'({ forum, openAs, check }) {
    await changeSettings(forum, { registration: 'request' });
    const page = await openAs(null);
    await openForm(page, pageRoutes.register, 'Registrarse');
    await check(page);
    await page.getByLabel('Nombre').fill('Nadia Sanz');
    await page.getByLabel('Correo electrónico').fill(`${crypto.randomUUID()}@ejemplo.es`);
    await page.getByLabel('Contraseña', { exact: true }).fill('una contraseña: ñandú');
    await page.getByLabel('¿Quién eres?').fill('La vecina del tercero');
    await button(page, 'Registrarse').click();
    await expect(title(page)).toHaveText('Tu cuenta está pendiente de aprobación');
    await check(page);
  },
};

/** Visits of guests to a forum that sends mail. */
export const mailVisits: Visits = {
  async 'the recovery of an account by mail, and its answer'({ openAs, check }) {
    const page = await openAs(null);
    await openForm(page, pageRoutes.recover, 'Enviar el enlace');
    await check(page);
    await page.getByLabel('Correo electrónico').fill('nadie@ejemplo.es');
    await button(page, 'Enviar el enlace').click();
    await expect(title(page)).toHaveText('Revisa tu correo');
    await check(page);
  },
  async 'a link that confirms an address, and one that does not'({ openAs, check }) {
    const page = await openAs(null);
    await openForm(page, `${pageRoutes.confirm}#enlace`, 'Confirmar mi correo');
    await check(page);
    await button(page, 'Confirmar mi correo').click();
    await expect(title(page)).toHaveText('Enlace no válido');
    await check(page);
  },
};
