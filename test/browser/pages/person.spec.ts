import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { Subject } from '../../../src/shared/moderation.ts';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { decided, undone, user } from '../../forum/moderators.ts';
import { fillWithComments, numberedComments, writeComments } from '../comments.ts';
import { openChannel, openChannels } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { openHome } from '../hydration.ts';
import { openWithNews, staffMember } from '../people.ts';

test.use({ forumName: 'person', expectedErrors: [/status of 404 .* at \S+\/api\/users\/\S+$/] });

const path = (id: string) => pageRoutes.user(id);

test('an entry leads to its comment, the name of the channel and links in the text to theirs', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana, { name: 'Huertos' });
  await writeComments(forum, ana, channel, [
    '> ¿Qué crece?\n\nTomates rojos',
    'Mirad http://localhost:1/huerto',
  ]);
  await page.goto(path(ana.id));
  const entry = page.getByRole('listitem').filter({ hasText: 'Tomates rojos' });
  const link = page.getByRole('link', { name: 'http://localhost:1/huerto' });

  await expect(entry).not.toContainText('¿Qué crece?');
  await entry.click({ position: { x: 400, y: 10 } });
  await expect(page).toHaveURL(commentLink(channel._id, 1));
  await page.goBack();
  await entry.getByText('Tomates rojos').click();
  await expect(page).toHaveURL(commentLink(channel._id, 1));
  await page.goBack();
  await entry.getByRole('link', { name: 'Huertos' }).click();
  await expect(page).toHaveURL(pageRoutes.channel(channel._id));
  await page.goBack();
  await page.route('http://localhost:1/huerto', (route) => route.fulfill({ body: 'Huerto' }));
  await link.click();
  await expect(page).toHaveURL('http://localhost:1/huerto');
});

test('more comments and channels of a person are shown on demand', async ({ page, forum }) => {
  const ana = await forum.person('Ana');
  const names = Array.from({ length: 10 }, (_, index) => `Canal ${index + 1}`);
  const [channel] = await openChannels(forum, ana, names);
  if (channel) await fillWithComments(forum, ana, channel, numberedComments(25));
  await page.goto(path(ana.id));
  const comments = page.getByRole('region', { name: 'Últimos comentarios' }).getByRole('listitem');
  await expect(comments).toHaveCount(20);
  const more = page.getByRole('link', { name: 'Ver más comentarios' });
  await more.click();
  await expect(comments).toHaveCount(25);
  await expect(comments.nth(20)).toBeFocused();
  await expect(more).toBeHidden();
  const first = page
    .getByRole('region', { name: 'Canales' })
    .getByRole('link', { name: 'Canal 1', exact: true });
  await expect(first).toBeHidden();
  await page.getByText('Ver 2 canales más').click();
  await expect(first).toBeVisible();
});

test.describe(() => {
  test.use({ expectedErrors: [/status of (404|400|503)/] });

  test('a person’s page that is opened from another is NotFound for an unknown person, and offers to retry what cannot be fetched', async ({
    page,
    forum,
  }) => {
    const unknown = path('00000000-0000-7000-8000-000000000000');
    await openHome(page);
    await page.evaluate((to) => history.pushState(null, '', to), unknown);
    await expect(page.getByRole('heading', { name: 'Página no encontrada' })).toBeVisible();
    await expect(page).toHaveTitle('NotFound · tertulia');

    const ana = await forum.person('Ana Belén');
    const calls = `**${apiRoutes.user(ana.id)}`;
    await page.route(calls, (route) => route.fulfill({ status: 503, json: {} }));
    await page.evaluate((to) => history.pushState(null, '', to), path(ana.id));
    await expect(page.getByRole('alert')).toHaveText('No se pudo cargar esta página');
    await page.unroute(calls);
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Ana Belén' })).toBeVisible();
  });
});

test.describe('a page that was missing', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('appears at the next visit, without a reload, once moderators show its content again', async ({
    page,
    forum,
  }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana, { name: 'Huertos' });
    const moderator = await staffMember(forum);
    const pages = { [path(ana.id)]: 'Ana Belén', [pageRoutes.channel(_id)]: 'Huertos' };
    const expectAll = async (titleOf: (to: string) => string | undefined) => {
      for (const to of Object.keys(pages)) {
        await page.evaluate((to) => history.pushState(null, '', to), to);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(titleOf(to) ?? '');
      }
      await page.getByRole('link', { name: 'tertulia', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bienvenidos a tertulia');
    };
    await openHome(page);
    await expectAll((to) => pages[to]);
    const hidden = await decided(forum, moderator, { subject: user(ana), action: 'hideAll' });
    await expectAll(() => 'Página no encontrada');
    await undone(forum, moderator, hidden);
    await expectAll((to) => pages[to]);
  });
});

test('an open page of a person follows what moderators hide, when the window gets the focus and each minute', async ({
  page: guest,
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana, { name: 'Huertos' });
  await writeComments(forum, ana, channel, ['Hola']);
  const { token } = await staffMember(forum);
  const hide = (action: string, subject: Subject) =>
    forum.json('POST', apiRoutes.decisions, { token, body: { subject, action, reason: 'Spam' } });
  const member = await openAs(await forum.person('Luis Paz'));
  await guest.clock.install();
  await guest.goto(path(ana.id));
  await openWithNews(member, path(ana.id));
  const comments = member.getByRole('region', { name: 'Últimos comentarios' });
  await expect(comments).toContainText('Hola');
  await hide('hide', { kind: 'comment', id: `${channel._id}-1` });
  await member.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(comments).toContainText('Aún no ha escrito ningún comentario.');
  await hide('hideAll', { kind: 'user', id: ana.id });
  await guest.clock.runFor(60_000);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Página no encontrada');
});
