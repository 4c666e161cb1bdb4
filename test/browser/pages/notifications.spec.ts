import type { Page } from '@playwright/test';
import { tellOfChannels } from '../../../src/server/notifications/pass/tell-channels.ts';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Channel } from '../../../src/shared/channels.ts';
import type { News } from '../../../src/shared/people.ts';
import { commentLink, homeUrl, pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { openWithNews } from '../people.ts';
import { statusBar } from '../status-bar.ts';

test.use({ forumName: 'notifications' });

const avatar = (page: Page) => page.getByRole('button', { name: 'Menú de usuario' });
const link = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true });
const forMe = (page: Page) => page.getByRole('region', { name: 'Para ti' });
const followed = (page: Page) => page.getByRole('region', { name: 'Canales que sigues' });

const reply = (forum: Forum, person: Person, { _id }: Channel, replyTo: number, text = 'Sí') =>
  forum.comment(person, _id, text, { replyTo });

async function unreadOf(forum: Forum, { token }: Person): Promise<number> {
  return (await forum.json<News>('GET', apiRoutes.news, { token })).unreadNotifications;
}

/** Writes the notifications of channels, as they are due so much later. */
const tellLater = ({ services }: Forum, ms: number) =>
  tellOfChannels({ ...services, now: () => services.now() + ms });

/** A channel opened by this person, with one comment by them. */
async function begun(forum: Forum, person: Person, name = 'Cine de verano'): Promise<Channel> {
  const channel = await openChannel(forum, person, { name });
  await forum.comment(person, channel._id, 'Empiezo yo');
  return channel;
}

test('replies and thanks lead from home to their comment, and are then seen', async ({
  forum,
  openAs,
}) => {
  const [ana, bea, eva] = [
    await forum.person('Ana'),
    await forum.person('Bea'),
    await forum.person('Eva'),
  ];
  const channel = await begun(forum, ana);
  await reply(forum, bea, channel, 1, 'La del río');
  await reply(forum, eva, channel, 1, 'La de la plaza');
  await forum.json('PUT', apiRoutes.thanks(channel._id, 1), { token: eva.token });

  const page = await openAs(ana);
  await page.goto(pageRoutes.home);
  await expect(avatar(page)).toHaveAccessibleDescription('2 avisos sin leer');
  await link(page, '2 avisos').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Avisos' })).toBeFocused();
  const lines = forMe(page).getByRole('listitem');
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText('Eva te dio las gracias en Cine de verano');
  await expect(lines.last()).toContainText('Eva y Bea te respondieron en Cine de verano');
  await expect(lines.last()).toContainText('La del río');
  await expect(lines.last()).toContainText('Nuevo');
  await expect(avatar(page)).toHaveAccessibleDescription('');
  await expect.poll(() => unreadOf(forum, ana)).toBe(0);

  await lines.last().getByRole('link').press('Enter');
  await expect(page.locator('#comentario-2')).toBeInViewport();
  await page.goto(pageRoutes.notifications);
  await expect(lines).toHaveCount(2);
  await expect(forMe(page)).not.toContainText('Nuevo');
});

test('pages of an account show what has changed when they are seen again', async ({
  forum,
  openAs,
}) => {
  const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const channel = await begun(forum, ana);
  const page = await openAs(ana);
  const seeAgain = () =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await page.goto(pageRoutes.notifications);
  await expect(forMe(page)).toContainText('No tienes avisos');
  await reply(forum, bea, channel, 1, 'La del río');
  await seeAgain();
  await expect(forMe(page)).toContainText('La del río');

  await page.goto(pageRoutes.settings);
  const items = (name: string) => page.getByRole('region', { name }).getByRole('listitem');
  await expect(items('Sesiones')).toHaveCount(1);
  await expect(items('Papelera')).toHaveCount(0);
  const { token } = await forum.newSession(ana);
  await forum.json('DELETE', apiRoutes.channelComment(channel._id, 1), { token });
  await seeAgain();
  await expect(items('Sesiones')).toHaveCount(2);
  await expect(items('Papelera')).toHaveCount(1);
});

test('a decision leads from the list to its reason', async ({ forum, openAs }) => {
  const ana = await forum.person('Ana');
  const channel = await begun(forum, ana, 'Debates');
  const mara = await makeStaff(forum);
  const subject = { kind: 'comment', id: `${channel._id}-1` };
  for (const [action, reason, on] of [
    ['silence', 'Descansa un poco', { kind: 'user', id: ana.id }],
    ['hide', 'Insulta a otra persona', subject],
  ] as const) {
    const body = { subject: on, action, days: 1, reason };
    await forum.json('POST', apiRoutes.decisions, { token: mara.token, body });
  }
  const page = await openAs(ana);
  await page.goto(pageRoutes.home);
  await link(page, '2 avisos').click();
  const lines = forMe(page).getByRole('listitem');
  await expect(lines.first()).toContainText('El equipo de moderación ha ocultado tu comentario');
  await expect(lines.first()).toContainText('Motivo: Insulta a otra persona');
  await expect.poll(() => unreadOf(forum, ana)).toBe(0);
  await lines.nth(1).getByRole('link').click();
  const decisions = page.getByRole('region', { name: 'Decisiones sobre tu cuenta' });
  const silenced = decisions.getByRole('listitem').filter({ hasText: 'Descansa un poco' });
  await expect(silenced).toBeFocused();
});

test('a followed channel is one line with those who wrote, which leads to the first unread comment', async ({
  forum,
  openAs,
}) => {
  const [ana, bea, eva] = [
    await forum.person('Ana'),
    await forum.person('Bea'),
    await forum.person('Eva'),
  ];
  const { _id } = await openChannel(forum, bea, { name: 'Ensayos' });
  for (let number = 1; number <= 12; number++) await forum.comment(bea, _id, `Día ${number}`);
  const { token } = ana;
  await forum.json('PUT', apiRoutes.level(_id), { token, body: { level: 'all' } });
  for (let number = 13; number <= 14; number++) await forum.comment(bea, _id, `Día ${number}`);
  await forum.comment(eva, _id, 'Yo no puedo');
  await tellLater(forum, 21_000);
  const page = await openAs(ana);
  await page.goto(pageRoutes.notifications);
  const lines = forMe(page).getByRole('listitem');
  await expect(lines).toHaveCount(1);
  await expect(lines).toContainText('Eva y Bea escribieron en Ensayos');
  await expect(lines).toContainText('Día 13');
  await lines.getByRole('link').click();
  await expect(page).toHaveURL(commentLink(_id, 13));
  await expect(page.locator('#comentario-13')).toBeInViewport();
});

test.describe('new channels', () => {
  test.use({ forumName: 'new channels' });

  test('are one line, which leads to home with the newest first', async ({ forum, openAs }) => {
    const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
    for (const name of ['Ensayos', 'Conciertos', 'Ropa']) await openChannel(forum, bea, { name });
    await tellLater(forum, 11 * 60_000);
    const page = await openAs(ana);
    await page.goto(pageRoutes.notifications);
    const lines = forMe(page).getByRole('listitem');
    await expect(lines).toHaveCount(1);
    await expect(lines).toContainText('3 canales nuevos');
    await lines.getByRole('link').click();
    await expect(page).toHaveURL(homeUrl('new'));
    await expect(page.getByRole('article').first()).toContainText('Ropa');
  });
});

test('a channel can be followed, kept from notifying or neither by its menu, and says which beside its author', async ({
  forum,
  openAs,
}) => {
  const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const channel = await begun(forum, ana, 'Libros prestados');
  const page = await openAs(bea);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Opciones del canal' }).click();
    await page.getByRole('button', { name, exact: true }).click();
  };
  // The first comment may be half below the window, and so unread.
  const body = { channelId: channel._id, number: 1 };
  await forum.json('PUT', apiRoutes.reads, { token: bea.token, body });
  await openWithNews(page, pageRoutes.channel(channel._id));
  await choose('Seguir');
  await expect(statusBar(page)).toContainText('Sigues este canal');
  await forum.comment(ana, channel._id, 'Llegó uno nuevo');
  await page.goto(pageRoutes.notifications);
  await expect(followed(page).getByRole('listitem')).toHaveText('Libros prestados1 nuevo');
  await followed(page).getByRole('link').click();
  await expect(page).toHaveURL(pageRoutes.channel(channel._id));
  await expect(page.locator('header').getByText('Lo sigues')).toBeVisible();
  await choose('Dejar de seguir');
  await expect(statusBar(page)).toContainText('Recibirás las respuestas');
  await expect(page.locator('header').getByText('Lo sigues')).toHaveCount(0);
  await choose('Silenciar este canal');
  await expect(statusBar(page)).toContainText('No recibirás avisos de este canal');
  await expect(page.locator('header').getByText('Sin avisos')).toBeVisible();
  await choose('Activar sus avisos');
  await expect(statusBar(page)).toContainText('Recibirás las respuestas');
  await expect(page.locator('header').getByText('Sin avisos')).toHaveCount(0);
  await page.goto(pageRoutes.notifications);
  await expect(followed(page)).toContainText('No sigues ningún canal');
});
