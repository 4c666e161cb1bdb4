import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import type { PendingList, PendingPost } from '../../../src/shared/pending.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings, reviewFirstPosts } from '../../forum/change-settings.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, oncePerForum, test } from '../fixtures.ts';
import { caseHeading, casesShown, decide, report } from '../moderation.ts';
import { failOnce, holdRequests, loseConnection } from '../network.ts';
import { statusBar } from '../status-bar.ts';

test.use({
  forumName: 'pending-queue',
  expectedErrors: [/status of 4(04|09)/],
});

const channelOf = oncePerForum(async (forum) => openChannel(forum, await makeStaff(forum)));

/** Empties the queue, then lets newcomers post these comments. */
async function fillQueue(forum: Forum, texts: string[]): Promise<Person[]> {
  const { db } = forum.services;
  await db.deleteFrom('pending_posts').execute();
  await reviewFirstPosts(forum);
  const authors: Person[] = [];
  for (const text of texts) {
    const author = await forum.person(`Persona ${authors.length + 1}`);
    await send(forum, author, text);
    authors.push(author);
  }
  return authors;
}

async function send(forum: Forum, { token }: Person, comment: string): Promise<PendingPost> {
  const { _id: id } = await channelOf(forum);
  return forum.json('PUT', apiRoutes.comment, { token, body: { id, comment } });
}

async function openPending(page: Page) {
  await page.goto(`${pageRoutes.moderation}?state=pending`);
  await expect(page.getByRole('heading', { level: 1, name: 'Moderación' })).toBeVisible();
}

/** Presses a button of a case with the keyboard. */
const press = (one: Locator, name: string) => one.getByRole('button', { name }).press('Enter');

const tab = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('posts are approved at once, the next while the first is still on its way, and one is refused for good, by keyboard alone', async ({
  forum,
  openAs,
}) => {
  await fillQueue(forum, ['Buenas tardes', 'Buenas noches', 'Compra ya', 'Otra']);
  const { db } = forum.services;
  await db.updateTable('pending_posts').set({ reason: 'first_post' }).execute();
  const page = await openAs(await makeStaff(forum));
  await openPending(page);
  const cases = casesShown(page);
  await expect(cases).toHaveCount(4);
  await expect(tab(page, 'Por aprobar (4)')).toBeVisible();
  await expect(cases.first()).toContainText(/Comentario de Persona 1.*Primera publicación/s);
  const { requests, release } = await holdRequests(page, 'POST', `**${apiRoutes.decisions}`);
  await press(cases.nth(0), 'Aprobar');
  await press(cases.nth(0), 'Aprobar');
  await press(cases.nth(1), 'Aprobar');
  release();
  for (const index of [0, 1]) await expect(cases.nth(index)).toContainText('Aprobado');
  await expect(cases.nth(0)).not.toContainText('Otra cosa');
  await expect(caseHeading(cases.nth(2))).toBeFocused();
  expect(requests).toHaveLength(2);
  await expect(statusBar(page)).toContainText('Aprobado');
  await expect(tab(page, 'Por aprobar (2)')).toBeVisible();
  await expect(cases.nth(0).getByRole('button')).toHaveCount(0);

  await press(cases.nth(2), 'Rechazar');
  await expect(page.getByLabel('Categoría')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Es publicidad');
  await page.keyboard.press('Control+Enter');
  await expect(cases.nth(2)).toContainText('Rechazado');
  await expect(caseHeading(cases.nth(3))).toBeFocused();
  await expect(cases.nth(2).getByRole('button', { name: 'Deshacer' })).toHaveCount(0);
  await expect(tab(page, 'Por aprobar (1)')).toBeVisible();

  await page.goto(pageRoutes.channel((await channelOf(forum))._id));
  await expect(commentsShown(page).last()).toContainText('Buenas noches');
});

test('people who ask to be let in and channels wait there too', async ({ forum, openAs }) => {
  const [author] = await fillQueue(forum, ['Uno']);
  const body = { name: 'Tienda', description: 'Ofertas', cover: '/default-avatar.svg' };
  await forum.json('POST', apiRoutes.channels, { token: author?.token ?? '', body });
  const asking = await forum.person('Quien Pide');
  const { db } = forum.services;
  const pending = { admission: 'pending' as const };
  await db.updateTable('accounts').set(pending).where('id', '=', asking.id).execute();
  const page = await openAs(await makeStaff(forum));
  await openPending(page);
  const cases = casesShown(page);
  await expect(cases).toHaveCount(3);
  await expect(cases.filter({ hasText: 'Canal de' })).toContainText(/Tienda.*Ofertas/s);
  const person = cases.filter({ hasText: 'Quien Pide pide entrar' });
  await expect(person.getByRole('button')).toHaveCount(2);
  await person.getByRole('button', { name: 'Rechazar' }).click();
  await expect(person).toContainText('No podrá entrar.');
  await page.getByLabel('Motivo').fill('Es un robot');
  await person.getByRole('button', { name: 'Rechazar' }).click();
  await expect(person).toContainText('Rechazado');
  await person.getByRole('button', { name: 'Deshacer' }).click();
  await page.getByLabel('Motivo').fill('No lo era');
  await page.keyboard.press('Control+Enter');
  await person.getByRole('button', { name: 'Aprobar' }).click();
  await expect(person).toContainText('Aprobado');
  await cases.nth(0).getByRole('button', { name: 'Aprobar' }).click();
  await cases.nth(1).getByRole('button', { name: 'Aprobar' }).click();
  await page.reload();
  await expect(page.getByText('Todo al día.')).toBeVisible();
  await expect(tab(page, 'Por aprobar (0)')).toBeVisible();
});

test('home leads to the list that has something: to waiting accounts, and to cases once there are some; the first spam of an open forum suggests the setting against it', async ({
  forum,
  openAs,
}) => {
  const { db } = forum.services;
  for (const table of ['reports', 'cases', 'pending_posts'] as const)
    await db.deleteFrom(table).execute();
  await changeSettings(forum, {});
  const [ana, bea] = [await forum.person('Ana Belén'), await forum.person('Bea')];
  const asking = await forum.person('Quien Pide');
  const pending = { admission: 'pending' as const };
  await db.updateTable('accounts').set(pending).where('id', '=', asking.id).execute();
  const page = await openAs(await makeStaff(forum));
  const link = page.getByRole('main').getByRole('link', { name: '1 pendiente', exact: true });
  await page.goto(pageRoutes.home);
  await link.click();
  await expect(casesShown(page)).toContainText('Quien Pide pide entrar');
  await expect(tab(page, 'Por aprobar (1)')).toHaveAttribute('aria-current', 'page');
  await tab(page, 'Pendientes (0)').click();
  await expect(page.getByText('Todo al día.')).toBeVisible();
  await db.updateTable('accounts').set({ admission: null }).where('id', '=', asking.id).execute();
  await report(forum, bea, { kind: 'user', id: ana.id });
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(pageRoutes.home);
  // The page's own list of cases is older.
  await link.click();
  await expect(casesShown(page)).toContainText('Persona: Ana Belén');
  await expect(tab(page, 'Pendientes (1)')).toHaveAttribute('aria-current', 'page');

  const advice = page.getByRole('link', { name: 'puedes revisar la primera publicación' });
  await expect(advice).toHaveCount(0);
  const spam = await openChannel(forum, ana);
  await report(forum, bea, { kind: 'channel', id: spam._id }, { reason: 'spam' });
  await page.reload();
  await expect(advice).toHaveAttribute('href', pageRoutes.siteSettings);
  await reviewFirstPosts(forum);
  await page.reload();
  await expect(casesShown(page)).toHaveCount(2);
  await expect(advice).toHaveCount(0);
});

test.describe('a post that cannot be approved', () => {
  test.use({ expectedErrors: [/status of 4(04|09)|net::ERR_/] });

  test('stays if the connection is lost, leaves the list once withdrawn, or shows the decision of another moderator', async ({
    forum,
    openAs,
  }) => {
    const writers = await fillQueue(forum, ['Uno', 'Dos']);
    const [first, second] = writers as [Person, Person];
    const luis = await makeStaff(forum, 'moderator', 'Luis');
    const page = await openAs(await makeStaff(forum));
    await openPending(page);
    const cases = casesShown(page);
    await expect(cases).toHaveCount(2);
    const approve = cases.first().getByRole('button', { name: 'Aprobar' });
    await failOnce(page, 'POST', `**${apiRoutes.decisions}`, loseConnection);
    await approve.click();
    await expect(statusBar(page)).toContainText('No se pudo aprobar. ');
    await expect(cases).toHaveCount(2);

    const pending = async ({ token }: Person) =>
      (await forum.json<PendingList>('GET', apiRoutes.pendingPosts, { token })).data[0]?.id ?? '';
    await forum.json('DELETE', apiRoutes.pendingPost(await pending(first)), { token: first.token });
    await approve.click();
    await expect(cases).toHaveCount(1);
    await expect(statusBar(page)).toContainText('No se pudo aprobar. ');

    const subject = { kind: 'comment', id: await pending(second) };
    await decide(forum, luis, { subject, action: 'reject', reason: 'Es publicidad' });
    await approve.click();
    await expect(cases.first()).toContainText(/Rechazado.*Luis.*Es publicidad/s);
    await expect(statusBar(page)).toContainText('Ya estaba decidido: Rechazado · Luis');
  });
});

test('a thousand waiting posts or more are counted as 999+', async ({ forum, openAs }) => {
  await fillQueue(forum, ['Uno']);
  const { db } = forum.services;
  const post = await db.selectFrom('pending_posts').selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: 1000 }, () => ({ ...post, id: crypto.randomUUID() }));
  for (let start = 0; start < copies.length; start += 100)
    await db
      .insertInto('pending_posts')
      .values(copies.slice(start, start + 100))
      .execute();
  const page = await openAs(await makeStaff(forum));
  await openPending(page);
  await expect(tab(page, 'Por aprobar (999+)')).toBeVisible();
  await db.deleteFrom('pending_posts').where('account_id', '=', post.account_id).execute();
  await page.getByRole('button', { name: 'Actualizar' }).click();
  await expect(statusBar(page)).toContainText('Por aprobar (0).');
});
