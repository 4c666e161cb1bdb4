import { expect } from '@playwright/test';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings, reviewFirstPosts } from '../../forum/change-settings.ts';
import type { Forum } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { decided, user } from '../../forum/moderators.ts';
import { writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { mp3, pdf, uploadFiles } from '../files.ts';
import { casesShown, report } from '../moderation.ts';
import { openWithNews } from '../people.ts';
import { button, openPage, type Visits } from './view.ts';

const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);

/** Reports three comments, one of them with a date and files, their channel and their author. */
async function fillQueue(forum: Forum) {
  const [ana, bea] = [await forum.person('Ana Belén'), await forum.person('Bea')];
  const channel = await openChannel(forum, ana);
  const texts = [`https://ejemplo.com/${'oferta'.repeat(300)}`, 'y\n'.repeat(900)];
  for (const { id } of await writeComments(forum, ana, channel, texts)) {
    await report(forum, bea, { kind: 'comment', id }, { text: 'No me gusta' });
  }
  const event = { title: 'Ensayo', location: 'Local', allDay: true, dates: [{ start: soon }] };
  const files = await uploadFiles(forum, ana, [pdf(`${'acta'.repeat(20)}.pdf`), mp3()]);
  const { id } = await forum.comment(ana, channel._id, 'Venid', { event, files });
  await report(forum, bea, { kind: 'comment', id });
  await report(forum, bea, { kind: 'channel', id: channel._id }, { reason: 'spam' });
  await report(forum, bea, user(ana));
  return { ana, bea, channel };
}

/** Visits of moderators to lists. */
export const queueVisits: Visits = {
  async 'the notifications and the profile of a moderator, the queue with a decision, and what is decided'({
    forum,
    openAs,
    check,
  }) {
    const { ana, bea } = await fillQueue(forum);
    const mara = await makeStaff(forum);
    const silence = { action: 'silence', days: 1, reason: 'Descansa' };
    for (const one of [ana, bea]) await decided(forum, mara, { subject: user(one), ...silence });
    const page = await openAs(mara);
    await openWithNews(page, pageRoutes.notifications);
    await expect(page.getByRole('region', { name: 'Por moderar' })).toBeVisible();
    await check(page);
    await page.goto(pageRoutes.profile);
    const toQueue = page.getByRole('link', { name: /^Moderación \d+ pendientes?$/ });
    await expect(toQueue).toBeVisible();
    await check(page);
    await toQueue.click();
    const cases = casesShown(page);
    await cases
      .first()
      .getByRole('button', { name: /^No dejar escribir a / })
      .click();
    await expect(page.getByLabel('Motivo')).toBeVisible();
    await expect(page.getByRole('link', { name: 'ensayo.mp3' })).toBeVisible();
    // A long text scrolls, so that the buttons stay near.
    for (const one of await cases.all()) {
      expect((await one.boundingBox())?.height).toBeLessThan(1800);
    }
    await check(page);
    await page.getByRole('link', { name: 'Decididas' }).click();
    await expect(page.getByText('Descansa').filter({ visible: true }).first()).toBeVisible();
    await check(page);
  },
  async 'posts, channels and people that wait, with a refusal; members, some of them marked, with a decision'({
    forum,
    openAs,
    check,
  }) {
    const mara = await makeStaff(forum);
    const channel = await openChannel(forum, mara);
    await reviewFirstPosts(forum);
    const luis = await forum.person('Única y larga');
    await forum.comment(luis, channel._id, 'Hola');
    await openChannel(forum, luis, { name: 'Tienda', description: 'Ofertas' });
    await decided(forum, mara, { subject: user(luis), action: 'silence', days: 1 });
    const { id } = await forum.person('Quien Pide');
    await changeSettings(forum, {});
    const { db } = forum.services;
    await db.updateTable('accounts').set({ admission: 'pending' }).where('id', '=', id).execute();
    const page = await openAs(mara);
    await openPage(page, `${pageRoutes.moderation}?state=pending`, 'Moderación');
    const person = casesShown(page).filter({ hasText: 'pide entrar' });
    await person.getByRole('button', { name: 'Rechazar' }).click();
    await expect(person).toContainText('No podrá entrar.');
    await check(page);
    await page.getByRole('link', { name: 'Miembros' }).click();
    await page.getByRole('link', { name: 'Sin aprobar' }).click();
    await button(page, 'Marcar las que se ven').click();
    await button(page, 'Ocultar todo lo de las marcadas').click();
    await expect(page.getByLabel('Categoría')).toHaveValue('spam');
    await check(page);
    await button(page, 'Cancelar').click();
    await page.getByLabel('Nombre').fill('unica');
    await button(page, 'Buscar').click();
    const found = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Única' });
    await expect(found).toContainText('No puede escribir');
    await check(page);
  },
};

/** Visits of moderators and admins to other pages. */
export const moderatorVisits: Visits = {
  async 'a comment that is hidden, and its earlier versions'({ forum, openAs, check }) {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await forum.comment(ana, channel._id, 'Sois unos necios');
    await forum.edit(ana, channel._id, 1, 'Sois unos soles');
    const page = await openAs(await makeStaff(forum));
    await openWithNews(page, pageRoutes.channel(channel._id));
    const menu = button(page, /^Más acciones: n\.º 1,/);
    await menu.click();
    await button(page, 'Ocultar').click();
    await expect(page.getByLabel('Categoría')).toBeFocused();
    await check(page);
    await button(page, 'Cancelar').click();
    await menu.click();
    await button(page, 'Versiones anteriores').click();
    await expect(page.getByRole('list', { name: 'Versiones anteriores' })).toBeVisible();
    await check(page);
  },
  async 'an announcement that is written, who has read it, and how the community goes'({
    forum,
    openAs,
    check,
  }) {
    const mara = await makeStaff(forum);
    const channel = await openChannel(forum, mara);
    const page = await openAs(mara);
    await openWithNews(page, pageRoutes.channel(channel._id));
    await button(page, 'Añadir…').click();
    await button(page, 'Comunicado').click();
    await expect(page.getByText(/^Llegará a /)).toBeVisible();
    await check(page);
    await button(page, 'Que no sea un comunicado').click();
    const announcement = { confirm: true };
    await forum.comment(mara, channel._id, `Asamblea ${'m'.repeat(300)}`, { announcement });
    const other = await makeStaff(forum);
    await forum.comment(other, channel._id, 'Otra', { announcement });
    await page.reload();
    await expect(button(page, 'Leído')).toBeVisible();
    await page.getByText('Quién lo ha leído').first().click();
    await expect(page.getByText(/^Lo han leído 0 de /)).toBeVisible();
    await check(page);
    await openWithNews(page, pageRoutes.home);
    await expect(button(page, 'Leído').first()).toBeVisible();
    await check(page);
    await openPage(page, pageRoutes.summary, 'Moderación');
    await page.getByText('Ver los números').click();
    await expect(page.getByRole('table')).toBeVisible();
    await check(page);
  },
  async 'a person of whom all is hidden'({ forum, openAs, check }) {
    const [ana, mara] = [await forum.person('Ana Oculta'), await makeStaff(forum)];
    await decided(forum, mara, { subject: user(ana), action: 'hideAll' });
    const page = await openAs(mara);
    await openWithNews(page, pageRoutes.user(ana.id));
    await expect(page.getByText('Todo lo de Ana Oculta está oculto')).toBeVisible();
    await check(page);
  },
  async 'the settings of the community, with the first steps and a preview'({
    forum,
    openAs,
    check,
  }) {
    const links = [1, 2, 3].map((number) => ({
      label: `${'m'.repeat(35)}${number}`,
      href: `https://ejemplo.es/${number}`,
    }));
    const words = { welcome: 'w'.repeat(60), contact: 'm'.repeat(60), rules: 'x'.repeat(500) };
    await changeSettings(forum, { ...words, links });
    forum.services.releases.newest = {
      title: 'm'.repeat(100),
      url: 'https://git.example/',
      at: '2100-01-01T00:00:00.000Z',
    };
    const page = await openAs(await makeStaff(forum, 'admin'));
    await page.goto(pageRoutes.siteSettings);
    await expect(button(page, 'Guardar')).toBeEnabled();
    await page.getByLabel('Frase de bienvenida').fill('مرحبا');
    await page.getByText('Vista previa').click();
    await button(page, 'Invita a tu grupo').click();
    await expect(page.getByRole('img', { name: /^Código QR/ })).toBeVisible();
    await expect(page.getByText('Hay una versión más reciente')).toBeVisible();
    await check(page);
  },
};
