import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { reviewFirstPosts } from '../../forum/change-settings.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { altLabel, commentField, commentsShown, sendComment, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import {
  coverField,
  createButton,
  descriptionField,
  openCreate,
  titleField,
  uploadedMark,
} from '../create-form.ts';
import { chooseFiles, draftFiles, expectStored, pdf } from '../files.ts';
import { expect, oncePerForum, test } from '../fixtures.ts';
import { plainImage } from '../images.ts';
import { failOnce, loseAnswer, respondWithProblem } from '../network.ts';
import { openWithNews } from '../people.ts';
import { replyButton, replyField, replyForm, replyLines, sendReplyButton } from '../replies.ts';
import { statusBar } from '../status-bar.ts';

test.use({
  forumName: 'pending',
  expectedErrors: [
    /net::ERR_\w+|status of 4(04|12|29) .* at \S+\/(api\/user\/pending|api\/channels|user)\/\S+$/,
  ],
});

const pendingText = 'Pendiente de revisión. Se publicará cuando lo aprueben.';

const firstText =
  'Lo primero que escribas aquí lo revisa antes alguien del equipo de moderación: se publicará cuando lo apruebe.';

const pendingShown = (page: Page) =>
  page.getByRole('list', { name: /^Tus (comentarios|canales) en revisión$/ }).getByRole('listitem');
const button = (page: Page, name: string) => pendingShown(page).getByRole('button', { name });

/** Removes the only refused post. */
async function remove(page: Page) {
  await button(page, 'Quitar').click();
  await expect(pendingShown(page)).toContainText('Su texto se borra.');
  await button(page, 'Quitar').click();
}

/** A channel opened before the forum began to review first posts. */
const channelOf = oncePerForum(async (forum) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['Bienvenidas y bienvenidos']);
  await reviewFirstPosts(forum);
  return channel;
});

/** Opens the channel's page as a newcomer. */
async function openAsNewcomer(forum: Forum, openAs: (person: Person) => Promise<Page>) {
  const channel = await channelOf(forum);
  const luis = await forum.person('Luis Paz');
  const page = await openAs(luis);
  await openWithNews(page, pageRoutes.channel(channel._id));
  return { channel, luis, page };
}

/** Approves or rejects a person's newest pending post. */
async function review(
  forum: Forum,
  { id: accountId }: Person,
  action: 'approve' | 'reject',
): Promise<void> {
  const { token } = await makeStaff(forum);
  const waiting = forum.services.db
    .selectFrom('pending_posts')
    .select(['id', 'kind'])
    .orderBy('id', 'desc');
  const { id, kind } = await waiting.where('account_id', '=', accountId).executeTakeFirstOrThrow();
  const body = { subject: { kind, id }, action, reason: 'Es publicidad de una tienda' };
  await forum.json('POST', apiRoutes.decisions, { token, body });
}

/** Repeats the focus event, because the script that listens for it may still be loading. */
const comeBackToRefusal = (page: Page) =>
  expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(pendingShown(page)).toContainText('No se publicó.', { timeout: 1000 });
  }).toPass();

test('a first comment is pending in its place, for its author only, who withdraws it to continue writing', async ({
  forum,
  openAs,
}) => {
  const { channel, page } = await openAsNewcomer(forum, openAs);
  const count = await commentsShown(page).count();
  await expect(commentField(page)).toHaveAccessibleDescription(firstText);
  await sendComment(page, 'Hola, acabo de llegar');
  await expect(statusBar(page)).toContainText(pendingText);
  await expect(commentField(page)).toHaveValue('');
  await expect(pendingShown(page)).toContainText(pendingText);
  await expect(pendingShown(page)).toContainText('Hola, acabo de llegar');
  await expect(commentsShown(page)).toHaveCount(count);
  const guest = await openAs(null);
  await guest.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(guest)).toHaveCount(count);
  await expect(guest.getByText('acabo de llegar')).toHaveCount(0);

  await page.reload();
  // Uses the keyboard only.
  await button(page, 'Retirar').press('Enter');
  await expect(pendingShown(page)).toHaveCount(0);
  await expect(statusBar(page)).toHaveText(/Ya no se enviará/);
  await expect(commentField(page)).toBeFocused();
  await expect(commentField(page)).toHaveValue('Hola, acabo de llegar');
  await page.reload();
  await expect(commentField(page)).toHaveValue('Hola, acabo de llegar');
  await sendComment(page, 'Hola, llegué ayer');
  await expect(pendingShown(page)).toContainText('Hola, llegué ayer');
});

test('an approved comment appears at once for everybody, with a number, and is no longer pending', async ({
  forum,
  openAs,
}) => {
  const { channel, luis, page } = await openAsNewcomer(forum, openAs);
  const guest = await openAs(null);
  await guest.goto(pageRoutes.channel(channel._id));
  await sendComment(page, 'Ya me dirán');
  await expect(pendingShown(page)).toHaveCount(1);
  await commentField(page).fill('Mientras tanto escribo');
  await review(forum, luis, 'approve');
  for (const one of [page, guest]) {
    const published = commentsShown(one).last();
    await expect(published).toContainText('Ya me dirán');
    await expect(published).toHaveAttribute('id', /^comentario-\d+$/);
  }
  await expect(pendingShown(page)).toHaveCount(0);
  await expect(page.getByText(firstText)).toHaveCount(0);
  await expect(commentField(page)).toHaveValue('Mientras tanto escribo');
  await expect(commentField(page)).toBeFocused();
  // After one approval, the account's comments are published at once.
  await sendComment(page, 'Gracias');
  await expect(commentsShown(page).last()).toContainText('Gracias');
});

test('a refused comment says why, gets the focus, goes back to the form, and can be removed', async ({
  forum,
  openAs,
}) => {
  const { channel, luis, page } = await openAsNewcomer(forum, openAs);
  await sendComment(page, 'Compra en mi tienda');
  await button(page, 'Retirar').focus();
  await review(forum, luis, 'reject');
  await comeBackToRefusal(page);
  await expect(pendingShown(page)).toBeFocused();
  await expect(pendingShown(page)).toContainText('No se publicó. Es publicidad de una tienda');
  await expect(button(page, 'Retirar')).toHaveCount(0);
  await button(page, 'Corregirlo').click();
  await expect(commentField(page)).toHaveValue('Compra en mi tienda');
  await expect(pendingShown(page)).toHaveCount(0);
  await sendComment(page, 'Vengan a mi tienda');
  await expect(button(page, 'Retirar')).toBeVisible();
  await review(forum, luis, 'reject');
  await comeBackToRefusal(page);
  await remove(page);
  await expect(pendingShown(page)).toHaveCount(0);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentField(page)).toHaveValue('');
  await expect(pendingShown(page)).toHaveCount(0);
});

test('a reply with an image and a file says so while it is pending, and is back below its original, with all, when it is withdrawn', async ({
  forum,
  openAs,
}) => {
  const { page } = await openAsNewcomer(forum, openAs);
  await replyButton(page, 1).click();
  await replyField(page).fill('Gracias, mira');
  await replyForm(page)
    .getByLabel('Añadir imágenes')
    .setInputFiles(await plainImage());
  await expect(page.getByRole('button', { name: altLabel() })).toBeVisible();
  await chooseFiles(page, [pdf()]);
  await expectStored(page, 'acta.pdf');
  await sendReplyButton(page).click();
  // Its images are a list within its item.
  const item = pendingShown(page).first();
  await expect(item).toContainText('Es una respuesta a otro comentario');
  await expect(item.getByRole('img')).toHaveCount(1);
  await expect(item.getByRole('link', { name: 'acta.pdf' })).toBeVisible();
  await expect(replyForm(page)).toHaveCount(0);
  await button(page, 'Retirar').click();
  await expect(pendingShown(page)).toHaveCount(0);
  await expect(replyField(page)).toHaveValue('Gracias, mira');
  await expect(replyForm(page).locator('img')).toHaveCount(1);
  await expect(draftFiles(page)).toContainText('acta.pdf');
  await expect(replyLines(page)).toHaveText('En respuesta a Ana Belén');
});

test('a withdrawal whose response is lost, or that is refused, is reported as what it was', async ({
  forum,
  openAs,
}) => {
  const { page } = await openAsNewcomer(forum, openAs);
  await sendComment(page, 'Sin respuesta');
  await failOnce(page, 'DELETE', '**/api/user/pending/*', loseAnswer);
  await button(page, 'Retirar').click();
  await expect(statusBar(page)).toContainText('Ya no se enviará');
  await expect(pendingShown(page)).toHaveCount(0);
  await expect(commentField(page)).toHaveValue('Sin respuesta');

  await sendComment(page, 'Deprisa');
  await failOnce(page, 'DELETE', '**/api/user/pending/*', respondWithProblem('too_many_requests'));
  await button(page, 'Retirar').click();
  await expect(statusBar(page)).toContainText('No se pudo retirar. Vas demasiado deprisa.');
  await expect(pendingShown(page)).toHaveCount(1);
  await expect(commentField(page)).toHaveValue('');
});

test('a first channel is pending on the home page of its author', async ({ forum, openAs }) => {
  await channelOf(forum);
  const page = await openAs(await forum.person('Luis Paz'));
  await openCreate(page);
  await expect(page.getByText(firstText)).toBeVisible();
  await titleField(page).fill('Mi rincón');
  await descriptionField(page).fill('Para hablar de todo');
  await coverField(page).setInputFiles(await plainImage());
  await expect(uploadedMark(page)).toBeVisible();
  await createButton(page).click();
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(statusBar(page)).toContainText(pendingText);
  await expect(pendingShown(page)).toContainText('Mi rincón');
  await expect(page.getByRole('link', { name: 'Mi rincón' })).toHaveCount(0);
  await openCreate(page);
  await expect(titleField(page)).toHaveValue('');
  await page.goto(pageRoutes.home);
  await button(page, 'Retirar').click();
  await expect(page).toHaveURL(pageRoutes.create);
  await expect(titleField(page)).toHaveValue('Mi rincón');
  await expect(descriptionField(page)).toHaveValue('Para hablar de todo');
  await expect(uploadedMark(page)).toBeVisible();
  await createButton(page).click();
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(pendingShown(page)).toContainText('Mi rincón');
});

test.describe('the page of a person without an approved post', () => {
  test.use({ expectedErrors: [/status of 404 .* at \S+\/users?\//] });

  test('says so to this person and to moderators, and is missing for others', async ({
    forum,
    openAs,
  }) => {
    await channelOf(forum);
    const eva = await forum.person('Eva Ruiz');
    const path = pageRoutes.user(eva.id);
    const guestPage = await forum.call('GET', path);
    expect(guestPage.status).toBe(404);
    expect(await guestPage.text()).not.toContain('Eva Ruiz');
    const page = await openAs(eva);
    await page.goto(path);
    await expect(page.getByText('Tu página no se muestra por ahora')).toBeVisible();
    const staff = await openAs(await makeStaff(forum));
    await openWithNews(staff, path);
    const note = 'Nadie ha aprobado nada de Eva Ruiz todavía';
    await expect(staff.getByText(note)).toBeVisible();
  });
});
