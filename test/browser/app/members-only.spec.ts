import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import type { Forum } from '../../forum/forum.ts';
import { decided, staff, user } from '../../forum/moderators.ts';
import { expect, oncePerForum, test as shared } from '../fixtures.ts';
import { afterFrames, holdRequests, watchRequests } from '../network.ts';
import { expectSignedIn, openWithNews, signInByForm, signOut, stayIn } from '../people.ts';

const test = shared.extend({ forumName: 'members-only' });

// The browser logs refused reads.
test.use({ expectedErrors: [/status of 40[13]/] });

const closed = oncePerForum(async (forum: Forum) => {
  const author = await forum.person('Marga Soler');
  const channel = await forum.channel(author, 'Ensayos');
  await forum.comment(author, channel._id, 'Traed la partitura.');
  await changeSettings(forum, { readers: 'members', name: 'Coro', contact: 'Llama a Marga' });
  return { author, channel, admin: await staff(forum, 'admin') };
});

const guestText = 'Esta comunidad solo la leen sus miembros.';

test('a guest who follows a link is told who reads, signs in, and goes where the link leads', async ({
  page,
  forum,
}) => {
  const { author, channel } = await closed(forum);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Coro');
  await expect(page.getByText(guestText)).toBeVisible();
  await expect(page.getByText('Llama a Marga')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
  await signInByForm(page, author.email, author.password);
  await expect(page).toHaveURL(pageRoutes.channel(channel._id));
  await expect(page.getByText('Traed la partitura.')).toBeVisible();

  await signOut(page);
  await expect(page.getByText(guestText)).toBeVisible();
  await page.goBack();
  await expect(page.getByText(guestText)).toBeVisible();
  await expect(page.getByText(/Ensayos|partitura/)).toHaveCount(0);
});

test('a tab that is signed in reads without a cookie, and receives one', async ({
  forum,
  openAs,
}) => {
  const { author, channel } = await closed(forum);
  const page = await openAs(author);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(page.getByText('Traed la partitura.')).toBeVisible();
  // As a document is requested: with the browser's cookies and without the session's token. Requests of the page that
  // were sent at the same time may each have replaced the cookie.
  const read = async () => (await page.request.get(pageRoutes.channel(channel._id))).text();
  await expect.poll(read).toContain('Traed la partitura.');
});

test('a remembered member reads without JavaScript', async ({ page, forum, browser }) => {
  const { author, channel } = await closed(forum);
  await stayIn(page, author);
  const storageState = await page.context().storageState();
  const context = await browser.newContext({
    baseURL: forum.url,
    storageState,
    javaScriptEnabled: false,
  });
  const plain = await context.newPage();
  await plain.goto(pageRoutes.channel(channel._id));
  await expect(plain.getByText('Traed la partitura.')).toBeVisible();
  await context.close();
});

test('an open channel shows nothing any more when its reader is suspended, who is told so', async ({
  page,
  forum,
}) => {
  const { channel, admin } = await closed(forum);
  const reader = await forum.person('Bea');
  await page.goto(pageRoutes.login);
  await signInByForm(page, reader.email, reader.password);
  await expectSignedIn(page, reader);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(page.getByText('Traed la partitura.')).toBeVisible();
  await decided(forum, admin, { subject: user(reader), action: 'suspend', days: 1 });
  await expect(page.getByText('Traed la partitura.')).toBeHidden();
  for (const path of [pageRoutes.channel(channel._id), pageRoutes.home]) {
    await page.goto(path);
    await expect(page.getByText(/Tu cuenta está suspendida/)).toBeVisible();
  }
});

test('open pages of an account show nothing of it any more when it is suspended', async ({
  forum,
  openAs,
}) => {
  const { author, channel, admin } = await closed(forum);
  const reader = await staff(forum, 'moderator', 'Clara');
  const comment = await forum.comment(reader, channel._id, '¿A qué hora?');
  const answer = await forum.comment(author, channel._id, 'A las siete.', {
    replyTo: comment.number,
  });
  await forum.json('POST', apiRoutes.reports, {
    token: (await forum.person()).token,
    body: { kind: 'comment', id: answer.id, reason: 'spam' },
  });
  const page = await openAs(reader);
  const queue = await page.context().newPage();
  await openWithNews(page, pageRoutes.notifications);
  await expect(page.getByText(/te respondió/)).toBeVisible();
  const news = await holdRequests(queue, 'GET', `**${apiRoutes.news}*`);
  const documents = watchRequests(queue, 'GET', pageRoutes.moderation);
  await queue.goto(pageRoutes.moderation);
  await expect(queue.getByText('A las siete.')).toBeVisible();
  await decided(forum, admin, { subject: user(reader), action: 'suspend', days: 1 });
  // Already the first news of this page tells of the decision.
  news.release();
  // A page that is asking for news at that moment asks again at the next return to it.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(page.getByText(/Tu cuenta está suspendida/)).toBeVisible({ timeout: 5_000 });
  }).toPass();
  for (const tab of [page, queue]) {
    await expect(tab.getByText(/Tu cuenta está suspendida/)).toBeVisible();
    await expect(tab.getByText(/te respondió|A las siete/)).toHaveCount(0);
  }
  const answered = queue.waitForResponse(`**${apiRoutes.news}*`);
  await queue.evaluate(() => dispatchEvent(new Event('focus')));
  await (await answered).finished();
  await afterFrames(queue);
  expect(documents).toHaveLength(2);
});

test('whoever signs out leaves nothing to read in that tab and in those that read by the cookie, before the server answers', async ({
  page,
  forum,
}) => {
  const { author, channel } = await closed(forum);
  await page.goto(pageRoutes.login);
  await signInByForm(page, author.email, author.password);
  await expect(page).toHaveURL('/');
  const tab = await page.context().newPage();
  await tab.goto(pageRoutes.channel(channel._id));
  await expect(tab.getByText('Traed la partitura.')).toBeVisible();
  // The server accepts no report without a session here.
  await expect(tab.getByRole('main').getByRole('button', { name: 'Denunciar' })).toHaveCount(0);
  await page.getByRole('link', { name: /Ensayos/ }).click();
  await expect(page.getByText('Traed la partitura.')).toBeVisible();
  const asked = page.waitForRequest(`**${apiRoutes.signOut}`);
  await page.route(`**${apiRoutes.signOut}`, () => {});
  await page.getByRole('button', { name: 'Menú de usuario' }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await asked;
  await expect(page.getByText(guestText)).toBeVisible();
  await page.goBack();
  await expect(page.getByText(guestText)).toBeVisible();
  await expect(tab.getByText(guestText)).toBeVisible();
  await expect(tab.getByText(/Ensayos|partitura/)).toHaveCount(0);
});

test('a tab that reads by the cookie alone can sign out, and so does the tab whose session it is', async ({
  page,
  forum,
}) => {
  const { author, channel } = await closed(forum);
  await page.goto(pageRoutes.login);
  await signInByForm(page, author.email, author.password);
  await expect(page).toHaveURL('/');
  const tab = await page.context().newPage();
  await tab.goto(pageRoutes.channel(channel._id));
  await expect(tab.getByText('Traed la partitura.')).toBeVisible();
  await tab.getByRole('button', { name: 'Menú de usuario' }).click();
  const signsOut = tab.getByRole('button', { name: 'Cerrar sesión' });
  await signsOut.click();
  await expect(tab.getByText(guestText)).toBeVisible();
  await expect(page.getByText('Has cerrado sesión.')).toBeVisible();
  await expect(page.getByText(guestText)).toBeVisible();
  await tab.goto(pageRoutes.home);
  await expect(tab.getByText(guestText)).toBeVisible();
  await tab.getByRole('button', { name: 'Menú de usuario' }).click();
  await expect(tab.getByRole('link', { name: 'Registarse' })).toBeVisible();
  await expect(signsOut).toHaveCount(0);
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/net::ERR_|status of 40[13]|dynamically imported module/] });

  test('whoever signs out and closes the tab leaves nothing that the next person can read', async ({
    page,
    forum,
  }) => {
    const { author, channel } = await closed(forum);
    await page.goto(pageRoutes.login);
    await signInByForm(page, author.email, author.password);
    await expect(page).toHaveURL('/');
    const context = page.context();
    const next = await context.newPage();
    await context.setOffline(true);
    await signOut(page);
    await page.close();
    await context.setOffline(false);
    await next.goto(pageRoutes.channel(channel._id));
    await expect(next.getByText(guestText)).toBeVisible();
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('tertulia-reader');
    expect(await next.evaluate(() => ({ ...localStorage }))).not.toHaveProperty('leaving');
  });
});
