import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { commentLink, pageRoutes } from '../../../src/shared/routes.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { decided, undone, user } from '../../forum/moderators.ts';
import { fillWithComments, numberedComments, writeComments } from '../comments.ts';
import { openChannel, openChannels } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { openHome } from '../hydration.ts';

test.use({ forumName: 'person', expectedErrors: [/status of (404|503)/] });

const path = (id: string) => pageRoutes.user(id);
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `Canal ${index + 1}`);

test('an entry leads to its comment, the name of the channel and links in the text to theirs; more comments and channels are shown on demand', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Ana Belén');
  const [channel] = await openChannels(forum, ana, numbered(10));
  if (!channel) throw new Error('no channel');
  await fillWithComments(forum, ana, channel, numberedComments(23));
  await writeComments(forum, ana, channel, [
    '> ¿Qué crece?\n\nTomates rojos',
    'Mirad http://localhost:1/huerto',
  ]);
  await page.goto(path(ana.id));
  const comments = page.getByRole('region', { name: 'Últimos comentarios' }).getByRole('listitem');
  const entry = comments.filter({ hasText: 'Tomates rojos' });
  await expect(entry).not.toContainText('¿Qué crece?');
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

  await entry.click({ position: { x: 400, y: 10 } });
  await expect(page).toHaveURL(commentLink(channel._id, 24));
  await page.goBack();
  await entry.getByText('Tomates rojos').click();
  await expect(page).toHaveURL(commentLink(channel._id, 24));
  await page.goBack();
  await entry.getByRole('link', { name: 'Canal 1' }).click();
  await expect(page).toHaveURL(pageRoutes.channel(channel._id));
  await page.goBack();
  await page.route('http://localhost:1/huerto', (route) => route.fulfill({ body: 'Huerto' }));
  await page.getByRole('link', { name: 'http://localhost:1/huerto' }).click();
  await expect(page).toHaveURL('http://localhost:1/huerto');
});

test('a page that is opened from another offers to retry what cannot be fetched, is NotFound while moderators hide its content, and appears at the next visit once they show it again', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana, { name: 'Huertos' });
  const moderator = await makeStaff(forum);
  const pages = { [path(ana.id)]: 'Ana Belén', [pageRoutes.channel(_id)]: 'Huertos' };
  const open = (to: string) => page.evaluate((to) => history.pushState(null, '', to), to);
  const expectAll = async (titleOf: (to: string) => string | undefined) => {
    for (const to of Object.keys(pages)) {
      await open(to);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(titleOf(to) ?? '');
    }
    await page.getByRole('link', { name: 'tertulia', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bienvenidos a tertulia');
  };
  await openHome(page);
  const calls = `**${apiRoutes.user(ana.id)}`;
  await page.route(calls, (route) => route.fulfill({ status: 503, json: {} }));
  await open(path(ana.id));
  await expect(page.getByRole('alert')).toHaveText('No se pudo cargar esta página');
  await page.unroute(calls);
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ana Belén' })).toBeVisible();

  await expectAll((to) => pages[to]);
  const hidden = await decided(forum, moderator, { subject: user(ana), action: 'hideAll' });
  await expectAll(() => 'Página no encontrada');
  await undone(forum, moderator, hidden);
  await expectAll((to) => pages[to]);
});
