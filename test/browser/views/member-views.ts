import { expect, type Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import { calendarUrl, homeUrl, pageRoutes } from '../../../src/shared/routes.ts';
import { reviewFirstPosts } from '../../forum/change-settings.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { comment, type Draft, decided } from '../../forum/moderators.ts';
import { commentField } from '../comments.ts';
import { openChannel } from '../community.ts';
import { createButton, descriptionField, openCreate, titleField } from '../create-form.ts';
import { chooseFiles, expectStored, pdf } from '../files.ts';
import { oncePerForum } from '../fixtures.ts';
import { openHome } from '../hydration.ts';
import { holdRequests } from '../network.ts';
import { replyButton, replyField, select } from '../replies.ts';
import { longWord, sampleOf, unrulyTexts } from '../sample-forum.ts';
import { showStatus } from '../status-bar.ts';
import {
  button,
  channelWith,
  channelWithPolls,
  openChannelPage,
  openMenu,
  type Visit,
  type Visits,
} from './view.ts';

async function openAsLongNamed({ forum, openAs }: Visit): Promise<Page> {
  const { longNamed } = await sampleOf(forum);
  return openAs(longNamed);
}

const moderatorOf = oncePerForum((forum) => makeStaff(forum));

async function hide(forum: Forum, subject: Draft['subject']): Promise<void> {
  const reason = `Insulta: ${longWord.repeat(4)}`;
  const draft = { subject, action: 'hide', category: 'abuse', reason };
  await decided(forum, await moderatorOf(forum), draft);
}

function read(forum: Forum, { token }: Person, { _id: channelId }: Channel, number: number) {
  return forum.json('PUT', apiRoutes.reads, { token, body: { channelId, number } });
}

/** Stores a draft as a page does when its comment was not answered or was refused. */
function storeDraft(page: Page, channel: Channel, state: 'sending' | 'refused'): Promise<void> {
  const text = unrulyTexts.comments.at(-1) ?? '';
  const refusal = state === 'refused' ? 'No puede quedar vacío.' : '';
  const draft = JSON.stringify({ text, state, refusal, key: crypto.randomUUID() });
  return page.evaluate(
    ([id, json]) =>
      localStorage.setItem(`comment-draft ${sessionStorage.getItem('id')} ${id}`, json),
    [channel._id, draft] as const,
  );
}

async function visitUnsent(visit: Visit, state: 'sending' | 'refused'): Promise<void> {
  const { emptyChannel } = await sampleOf(visit.forum);
  const page = await openAsLongNamed(visit);
  // The request that sends it gets no response.
  await page.route(`**${apiRoutes.comment}`, () => {});
  // From another page: one of the channel would write its own draft when it is left.
  await page.goto(pageRoutes.rules);
  await storeDraft(page, emptyChannel, state);
  await page.goto(pageRoutes.channel(emptyChannel._id));
  const said =
    state === 'sending' ? /^Se enviará en cuanto vuelva la conexión/ : /No puede quedar vacío/;
  await expect(page.getByText(said)).toBeVisible();
  await visit.check(page);
  // Otherwise the page would send the draft once requests pass again.
  await page.evaluate(() => localStorage.clear());
  await page.goto(pageRoutes.rules);
  await page.unroute(`**${apiRoutes.comment}`);
}

/** Visits of a person with a name and texts that are hard to lay out. */
export const memberVisits: Visits = {
  async 'home with a message and the menu open'(visit) {
    const page = await openAsLongNamed(visit);
    await openHome(page);
    await expect(page.getByRole('link', { name: 'Crear Canal' })).toBeVisible();
    const links = [{ href: '/', label: 'Volver a donde estabas' }];
    await showStatus(page, { text: 'Comentario eliminado', links }, 'Deshacer');
    await openMenu(page);
    await visit.check(page);
  },
  async 'the form for a channel, with its error'(visit) {
    const page = await openAsLongNamed(visit);
    await openCreate(page);
    await titleField(page).fill('Sin portada');
    await descriptionField(page).fill('Falta la imagen.');
    await createButton(page).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await visit.check(page);
  },
  async 'the profile'(visit) {
    const page = await openAsLongNamed(visit);
    await page.goto(pageRoutes.profile);
    await expect(page.getByRole('definition')).toHaveText(/^\d+$/);
    await visit.check(page);
  },
  'a channel with a comment that is being sent': (visit) => visitUnsent(visit, 'sending'),
  'a channel with a comment that was refused': (visit) => visitUnsent(visit, 'refused'),
};

/** Visits of authors to what they wrote. */
export const authorVisits: Visits = {
  async 'home with what is new, and notifications'({ forum, openAs, check }) {
    const { ana, channel } = await channelWith(forum, ['Uno', 'Dos']);
    await read(forum, ana, channel, 2);
    await hide(forum, comment(channel._id, 2));
    const bea = await forum.person('Bea Ñíguez de la Torre');
    await forum.comment(bea, channel._id, longWord.repeat(8), { replyTo: 1 });
    await openChannel(forum, bea, { name: 'Sin abrir' });
    const page = await openAs(ana);
    await page.goto(homeUrl('new'));
    await expect(page.getByRole('link', { name: /^1 nuevo en / })).toBeVisible();
    await expect(button(page, 'Marcar todo como leído')).toBeVisible();
    await expect(page.getByText('Nuevo', { exact: true }).first()).toBeVisible();
    await check(page);
    await page.getByRole('link', { name: '2 avisos', exact: true }).click();
    const forMe = page.getByRole('region', { name: 'Para ti' });
    await expect(forMe.getByRole('listitem')).toHaveCount(2);
    await check(page);
  },
  async 'a reply to discard and text to quote, and the form that changes a channel'({
    forum,
    openAs,
    check,
  }) {
    const { ana, channel } = await channelWith(forum, [`Uno ${longWord.repeat(7)}`]);
    const page = await openAs(ana);
    await openChannelPage(page, channel);
    await replyButton(page, 1).click();
    await replyField(page).fill('Dos');
    await page.keyboard.press('Escape');
    await expect(button(page, 'Descartar')).toBeVisible();
    await select(page, 1, 'Uno');
    await expect(button(page, /^Citar/)).toBeVisible();
    await check(page);
    await button(page, 'Opciones del canal').click();
    await button(page, 'Editar canal').click();
    await expect(page.getByRole('form', { name: 'Editar canal' })).toBeVisible();
    await check(page);
  },
  async 'an appeal in the place of a hidden comment'({ forum, openAs, check }) {
    const { ana, channel } = await channelWith(forum, ['Uno', 'Tonto', 'Tres']);
    await hide(forum, comment(channel._id, 2));
    const page = await openAs(ana);
    await openChannelPage(page, channel);
    await button(page, /^Pedir que se revise:/).click();
    await expect(page.getByLabel('Por qué crees que es un error')).toBeFocused();
    await check(page);
  },
  async 'dates in a channel, on home and in the calendar, and their forms'({
    forum,
    openAs,
    check,
  }) {
    const { ana, channel } = await channelWith(forum, []);
    const bea = await forum.person('Bea Ñíguez de la Torre');
    const days = [3, 10, 17, 24].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
    );
    const { number } = await forum.comment(ana, channel._id, '', {
      event: {
        title: `Ensayo ${longWord}`,
        location: longWord.repeat(2),
        allDay: false,
        capacity: 1,
        dates: days.map((day) => ({ start: `${day}T20:30`, end: `${day}T22:00` })),
      },
    });
    for (const { token } of [bea, ana]) {
      const body = { date: 0, answer: 'yes' };
      await forum.json('PUT', apiRoutes.rsvp(channel._id, number), { token, body });
    }
    const page = await openAs(ana);
    await openChannelPage(page, channel);
    await expect(page.getByText('No quedan sitios: te avisaremos')).toBeVisible();
    await page.getByText('Ver quiénes').click();
    await expect(page.getByText('espera sitio')).toBeVisible();
    await page.getByText('Ver la otra fecha').click();
    await check(page);

    await button(page, 'Cambiar o cancelar').click();
    const editor = page.getByRole('form', { name: 'Cambiar las fechas' });
    await editor.getByText('20:30–22:00').nth(2).click();
    await editor.getByLabel('Cancelada').filter({ visible: true }).check();
    await editor.getByLabel('Por qué se cancela (opcional)').fill(longWord.repeat(3));
    await check(page);
    await editor.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText(/^Se ha cancelado/).first()).toBeVisible();

    await button(page, 'Repetir').click();
    await expect(page.getByLabel('Qué es')).toBeFocused();
    await page.getByLabel('Repetición').selectOption('Cada semana');
    const [day = ''] = days;
    const last = new Date(Date.parse(`${day}T00:00Z`) + 42 * 86_400_000).toISOString();
    await page.getByLabel('Hasta', { exact: true }).fill(last.slice(0, 10));
    await button(page, /^Quitar: /)
      .first()
      .click();
    await check(page);

    await page.goto(pageRoutes.home);
    await expect(page.getByText('Sin responder').first()).toBeVisible();
    await check(page);
    await page.goto(calendarUrl(day.slice(0, 7)));
    await expect(page.getByRole('link', { name: /^Ensayo/ }).first()).toBeVisible();
    await check(page);
  },
  async 'polls before and after a vote, and their form'({ forum, openAs, check }) {
    const { ana, channel } = await channelWithPolls(forum);
    const page = await openAs(ana);
    await openChannelPage(page, channel);
    await page.getByRole('radio').first().check();
    await check(page);
    await button(page, 'Votar').click();
    for (const index of [0, 1]) await page.getByText('Ver quiénes').nth(index).click();
    await expect(page.getByText('tú', { exact: true })).toHaveCount(2);
    await button(page, 'Añadir…').click();
    await button(page, 'Encuesta').click();
    await button(page, 'Añadir día y hora').click();
    await page.getByLabel('Voto secreto').check();
    await check(page);
  },

  async 'files that are stored and uploaded, in a form'({ forum, openAs, check }) {
    const { ana, channel } = await channelWith(forum, []);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(channel._id));
    const name = `${longWord.repeat(6)}.pdf`;
    await chooseFiles(page, [pdf(name)]);
    await expectStored(page, `${longWord}electro`);
    const held = await holdRequests(page, 'POST', `**${apiRoutes.uploads}`);
    await chooseFiles(page, [pdf('acta.pdf')]);
    await expect(page.getByRole('progressbar', { name: 'Subida de acta.pdf' })).toBeVisible();
    await check(page);
    held.release();
    await expectStored(page, 'acta.pdf');
  },
  async 'a hidden channel, for its author'({ forum, openAs, check }) {
    const { ana, channel } = await channelWith(forum, []);
    await hide(forum, { kind: 'channel', id: channel._id });
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(button(page, /^Pedir que se revise:/)).toBeVisible();
    await check(page);
  },
};

const pendingItems = (page: Page) =>
  page.getByRole('list', { name: /^Tus (comentarios|canales) en revisión$/ }).getByRole('listitem');

/** Visits of newcomers to a forum that reviews first posts. */
export const newcomerVisits: Visits = {
  async 'a channel and home with posts that wait for review or were refused'({
    forum,
    openAs,
    check,
  }) {
    const moderator = await moderatorOf(forum);
    const channel = await openChannel(forum, moderator);
    await reviewFirstPosts(forum);
    const luis = await forum.person('Luis Paz');
    const { id } = await forum.comment(luis, channel._id, 'Compra en mi tienda');
    const subject = { kind: 'comment', id } as const;
    await decided(forum, moderator, { subject, action: 'reject', reason: 'Es publicidad' });
    await forum.comment(luis, channel._id, `https://ejemplo.com/${'largo'.repeat(40)}`);
    await openChannel(forum, luis, { name: 'Mi rincón' });
    const page = await openAs(luis);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(pendingItems(page)).toHaveCount(2);
    await expect(commentField(page)).toBeEditable();
    await check(page);
    await page.getByRole('link', { name: 'tertulia', exact: true }).click();
    await expect(pendingItems(page)).toContainText('Mi rincón');
    await check(page);
  },
};
