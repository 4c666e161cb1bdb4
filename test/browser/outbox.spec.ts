import type { BrowserContext, Page, Request, Response } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { problems } from '../../src/shared/errors.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import type { Forum } from '../forum/forum.ts';
import {
  commentField,
  commentsShown,
  commentTexts,
  queuedComments,
  sendButton,
  sendComment,
} from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import { failOnce, holdRequests, loseConnection, respondWithProblem } from './network.ts';
import { endSession, openWithNews, signInByForm, signOut } from './people.ts';
import { replyButton, replyField, replyForm } from './replies.ts';
import { statusBar } from './status-bar.ts';

/** Errors that the browser logs for requests that fail or are rejected. */
test.use({ expectedErrors: [/net::ERR_\w+|status of (400|500) .* at \S+\/api\/channels\S*$/] });

const alert = (page: Page) => page.getByRole('alert');
const status = (page: Page) => page.getByRole('status').first();

async function writtenIn(forum: Forum, channelId: string): Promise<string[]> {
  const path = `${apiRoutes.channelComments(channelId)}?limit=100`;
  const { data } = await forum.json<{ data: { comment: string; autor: string }[] }>(
    'GET',
    path,
    {},
  );
  return data.map(({ comment, autor }) => `${autor}: ${comment}`);
}

const isCommentCall = (request: Request) =>
  request.method() === 'PUT' && new URL(request.url()).pathname === apiRoutes.comment;

/** Collects the idempotency keys of sent comments, in all tabs of a browser. */
function watchKeys(context: BrowserContext): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  context.on('request', (request) => {
    if (isCommentCall(request)) keys.push(request.headers()['idempotency-key']);
  });
  return keys;
}

/** Lets the server store the next comment, and calls `instead` in place of its response. */
async function loseResponse(page: Page, instead: Parameters<typeof failOnce>[3]): Promise<void> {
  await failOnce(page, 'PUT', `**${apiRoutes.comment}`, async (route) => {
    await route.fetch();
    await instead(route);
  });
}

/** Collects the responses to comments, in all tabs of a browser. */
function watchResponses(context: BrowserContext): Response[] {
  const answers: Response[] = [];
  context.on('response', (response) => {
    if (isCommentCall(response.request())) answers.push(response);
  });
  return answers;
}

const tabsWaitingForLock = (page: Page) =>
  page.evaluate(async () => (await navigator.locks.query()).pending?.length);

test.describe('the draft of a comment', () => {
  test('outlives a reload, another page, the tab and the session', async ({ forum, openAs }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const other = await openChannel(forum, person, { name: 'Otro' });
    const page = await openAs(person);
    await page.goto(pageRoutes.channel(_id));
    await commentField(page).fill('Lo que costó pensar');
    await page.reload();
    await expect(commentField(page)).toHaveValue('Lo que costó pensar');
    await page.goto(pageRoutes.channel(other._id));
    await expect(commentField(page)).toHaveValue('');

    const second = await page.context().newPage();
    await page.close();
    await second.goto(pageRoutes.channel(_id));
    await expect(commentField(second)).toHaveValue('Lo que costó pensar');
    await signOut(second);
    await second.goto(pageRoutes.login);
    await signInByForm(second, person.email, person.password);
    await expect(second).toHaveURL('/');
    await second.goto(pageRoutes.channel(_id));
    await expect(commentField(second)).toHaveValue('Lo que costó pensar');
    await sendButton(second).click();
    await expect(commentsShown(second)).toHaveCount(1);
    await second.reload();
    await expect(commentField(second)).toHaveValue('');
  });

  test('and its reply are not shown to another user in another tab', async ({ forum, openAs }) => {
    const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
    const { _id } = await openChannel(forum, ana);
    await forum.comment(ana, _id, 'Uno');
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    await commentField(page).fill('Solo mío');
    await replyButton(page, 1).click();
    await replyField(page).fill('También solo mío');

    const second = await page.context().newPage();
    // Unlike others, this page does not ask for news, without a session then.
    await second.goto(pageRoutes.create);
    await second.evaluate(() => sessionStorage.clear());
    await second.goto(pageRoutes.login);
    await signInByForm(second, bruno.email, bruno.password);
    await expect(second).toHaveURL('/');
    await second.goto(pageRoutes.channel(_id));
    await expect(commentField(second)).toHaveValue('');
    await expect(replyForm(second)).toHaveCount(0);
    await sendComment(second, 'De Bruno');
    await expect(commentsShown(second)).toHaveCount(2);
    await expect(commentField(page)).toHaveValue('Solo mío');
    await expect(replyField(page)).toHaveValue('También solo mío');
    await sendButton(page).click();
    await expect(commentsShown(page)).toHaveCount(3);
    expect(await writtenIn(forum, _id)).toEqual([
      'Ana Belén: Uno',
      'Bruno Paz: De Bruno',
      'Ana Belén: Solo mío',
    ]);
  });

  test('is not sent by another tab with what was typed after sending it', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    const second = await page.context().newPage();
    const held = await holdRequests(page, 'PUT', `**${apiRoutes.comment}`);
    for (const tab of [page, second]) await tab.goto(pageRoutes.channel(_id));
    await commentField(page).fill('primero');
    await expect(commentField(second)).toHaveValue('primero');
    await sendButton(page).click();
    await expect.poll(() => held.requests.length).toBe(1);
    await sendButton(second).click();
    await expect(sendButton(second)).toHaveAttribute('aria-busy', 'true');
    await commentField(page).fill('segu');
    held.release();
    await expect(sendButton(second)).not.toHaveAttribute('aria-busy');
    await expect(commentsShown(second)).toHaveText([/primero/]);
    await expect(commentField(second)).toHaveValue('segu');
  });
});

test.describe('a comment is stored once', () => {
  test('when the server stored it but responded with an error; sent again after a rejection it is another', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    const keys = watchKeys(page.context());
    await loseResponse(page, respondWithProblem('internal_error'));
    await page.goto(pageRoutes.channel(_id));
    await sendComment(page, 'Una vez');
    await expect(alert(page)).toContainText('No se pudo enviar el comentario');
    await expect(commentField(page)).toHaveValue('Una vez');
    await page.reload();
    await sendButton(page).click();
    await expect(commentField(page)).toHaveValue('');
    await expect(commentsShown(page)).toHaveCount(1);
    expect(await writtenIn(forum, _id)).toEqual(['Ana Belén: Una vez']);
    const [first, again] = keys;
    expect(first).toMatch(/^\w{32}$/);
    expect(again).toBe(first);

    // The same text written again is another comment.
    await failOnce(page, 'PUT', `**${apiRoutes.comment}`, respondWithProblem('invalid_fields'));
    await sendComment(page, 'Una vez');
    await expect(alert(page)).toContainText(problems.invalid_fields.detail);
    await expect(commentField(page)).toHaveValue('Una vez');
    await sendButton(page).click();
    await expect(commentsShown(page)).toHaveCount(2);
    const [, , rejected, other] = keys;
    expect(new Set([first, rejected, other]).size).toBe(3);
  });

  test('when the page was closed before the response', async ({ forum, openAs }) => {
    const person = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    const { promise: isWritten, resolve: reportWritten } = Promise.withResolvers<void>();
    await failOnce(page, 'PUT', `**${apiRoutes.comment}`, async (route) => {
      await route.fetch();
      reportWritten();
    });
    const keys = watchKeys(page.context());
    await page.goto(pageRoutes.channel(_id));
    await sendComment(page, 'Una vez');
    await isWritten;
    await page.close();
    const second = await openAgain(page, _id);
    // If the closing page has noticed the failure, the comment is queued and sent by itself.
    if (await commentField(second).inputValue()) await sendButton(second).click();
    await expect.poll(() => keys.length).toBe(2);
    const [first, again] = keys;
    expect(first).toMatch(/^\w{32}$/);
    expect(again).toBe(first);
    await expect(commentField(second)).toHaveValue('');
    await expect(queuedComments(second)).toHaveCount(0);
    expect(await writtenIn(forum, _id)).toEqual(['Ana Belén: Una vez']);
  });

  test('and shown once when the response was lost', async ({ forum, openAs }) => {
    const person = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    const answers = watchResponses(page.context());
    await loseResponse(page, loseConnection);
    await page.goto(pageRoutes.channel(_id));
    await sendComment(page, 'Una vez');
    await expect(queuedComments(page)).toContainText(['Una vez']);
    await expect(commentField(page)).toHaveValue('');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(queuedComments(page)).toHaveCount(0);
    await expect(commentsShown(page)).toHaveCount(1);
    expect(answers.map((answer) => answer.status())).toEqual([200]);
    expect(await writtenIn(forum, _id)).toEqual(['Ana Belén: Una vez']);
  });
});

async function openAgain(closed: Page, channelId: string): Promise<Page> {
  const page = await closed.context().newPage();
  await page.goto(pageRoutes.channel(channelId));
  await expect(sendButton(page)).toBeEnabled();
  return page;
}

test.describe('a comment sent without a connection', () => {
  test('is queued, outlives the tab, and is sent once there is a connection', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    const answers = watchResponses(page.context());
    await page.goto(pageRoutes.channel(_id));
    await expect(sendButton(page)).toBeEnabled();
    await page.context().setOffline(true);
    for (const [index, text] of ['uno', 'dos'].entries()) {
      await sendComment(page, text);
      await expect(queuedComments(page)).toHaveCount(index + 1);
      await expect(commentField(page)).toHaveValue('');
    }
    await expect(queuedComments(page)).toContainText(['uno', 'dos']);
    await expect(queuedComments(page).first()).toContainText('Pendiente de envío');
    await expect(status(page)).toHaveText('2 comentarios pendientes de envío');
    await expect(alert(page)).toHaveCount(0);
    await page.close();
    expect(await writtenIn(forum, _id)).toEqual([]);

    await page.context().setOffline(false);
    const second = await openAgain(page, _id);
    await expect(commentsShown(second)).toHaveCount(2);
    expect(await commentTexts(second)).toEqual(['uno', 'dos']);
    await expect(queuedComments(second)).toHaveCount(0);
    await second.reload();
    await expect(commentsShown(second)).toHaveCount(2);
    expect(answers).toHaveLength(2);
    expect(await writtenIn(forum, _id)).toEqual(['Ana Belén: uno', 'Ana Belén: dos']);
  });

  test('is sent by one of two tabs when the network is back', async ({ forum, openAs }) => {
    const person = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    const second = await page.context().newPage();
    for (const tab of [page, second]) {
      await tab.goto(pageRoutes.channel(_id));
      await expect(sendButton(tab)).toBeEnabled();
    }
    await page.context().setOffline(true);
    await sendComment(page, 'Desde el tren');
    await expect(queuedComments(page)).toHaveCount(1);
    await sendComment(second, 'Otro');
    for (const tab of [page, second]) await expect(queuedComments(tab)).toHaveCount(2);

    const held = await Promise.all(
      [page, second].map((tab) => holdRequests(tab, 'PUT', `**${apiRoutes.comment}`)),
    );
    const heldCount = () => held.reduce((count, { requests }) => count + requests.length, 0);
    await page.context().setOffline(false);
    await expect.poll(() => tabsWaitingForLock(page)).toBeGreaterThan(0);
    await expect.poll(heldCount).toBe(1);
    for (const { release } of held) release();
    for (const tab of [page, second]) {
      await expect(queuedComments(tab)).toHaveCount(0);
      await expect(status(tab)).toHaveText('Ya no hay comentarios pendientes de envío');
      await expect(commentsShown(tab)).toHaveCount(2);
    }
    expect(await writtenIn(forum, _id)).toEqual(['Ana Belén: Desde el tren', 'Ana Belén: Otro']);
  });

  test('is sent and shown only while its author is signed in', async ({ forum, openAs }) => {
    const [ana, bruno] = [await forum.person('Ana Belén'), await forum.person('Bruno Paz')];
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    await expect(sendButton(page)).toBeEnabled();
    await page.context().setOffline(true);
    await sendComment(page, 'De Ana');
    await expect(queuedComments(page)).toHaveCount(1);
    await signOut(page);
    await expect(queuedComments(page)).toHaveCount(0);
    await page.context().setOffline(false);

    const signInAs = async ({ email, password }: typeof ana) => {
      await page.goto(pageRoutes.login);
      await signInByForm(page, email, password);
      await expect(page).toHaveURL('/');
    };
    await signInAs(bruno);
    await page.goto(pageRoutes.channel(_id));
    await sendComment(page, 'De Bruno');
    await expect(commentsShown(page)).toHaveCount(1);
    await expect(page.getByText('De Ana')).toHaveCount(0);
    await expect(queuedComments(page)).toHaveCount(0);
    expect(await writtenIn(forum, _id)).toEqual(['Bruno Paz: De Bruno']);

    await signOut(page);
    await signInAs(ana);
    await expect.poll(() => writtenIn(forum, _id)).toHaveLength(2);
    expect(await writtenIn(forum, _id)).toEqual(['Bruno Paz: De Bruno', 'Ana Belén: De Ana']);
  });

  test('can be sent at once or discarded, by keyboard too', async ({ forum, openAs }) => {
    const person = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await page.goto(pageRoutes.channel(_id));
    await page.route(`**${apiRoutes.comment}`, loseConnection);
    for (const [index, text] of ['uno', 'dos'].entries()) {
      await sendComment(page, text);
      await expect(queuedComments(page)).toHaveCount(index + 1);
    }
    const button = (index: number, name: string) =>
      queuedComments(page).nth(index).getByRole('button', { name });
    await button(0, 'Enviar ahora').click();
    await expect(queuedComments(page).first()).toContainText('No hay conexión con el servidor');
    await expect(button(1, 'Descartar')).toHaveAccessibleDescription('dos');
    await button(1, 'Descartar').press('Enter');
    await expect(queuedComments(page)).toContainText(['uno']);
    await expect(queuedComments(page)).toBeFocused();

    await button(0, 'Enviar ahora').focus();
    await page.unroute(`**${apiRoutes.comment}`);
    // The queue may send it by itself meanwhile, and its button would be gone.
    await page.keyboard.press('Enter');
    await expect(commentsShown(page)).toHaveCount(1);
    await expect(queuedComments(page)).toHaveCount(0);
    await expect(commentField(page)).toBeFocused();
    expect(await writtenIn(forum, _id)).toEqual(['Ana Belén: uno']);
  });

  test('is sent again at growing intervals', async ({ forum, openAs }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await page.clock.install();
    await openWithNews(page, pageRoutes.channel(_id));
    await expect(sendButton(page)).toBeEnabled();
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    await page.route(`**${apiRoutes.comment}`, loseConnection);
    await sendComment(page, 'Desde el tren');
    await expect(queuedComments(page)).toHaveCount(1);
    const sentAt: number[] = [];
    let seconds = 0;
    page.on('request', (request) => isCommentCall(request) && sentAt.push(seconds));
    for (seconds = 1; seconds < 31; seconds += 1) {
      await page.clock.runFor(1_000);
      // The page has made its other requests before this one.
      await page.evaluate(async () => void (await fetch('/healthz')));
    }
    expect(sentAt).toEqual([2, 6, 14, 30]);
  });

  test('is kept when the server rejects it for good, shows the reason and can be changed', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await page.goto(pageRoutes.channel(_id));
    await expect(sendButton(page)).toBeEnabled();
    const tooLong = 'x'.repeat(10_001);
    await page.context().setOffline(true);
    await sendComment(page, tooLong);
    await expect(queuedComments(page)).toHaveCount(1);
    await sendComment(page, 'este sí');
    await expect(queuedComments(page)).toHaveCount(2);
    await page.context().setOffline(false);
    await expect(queuedComments(page)).toHaveCount(1);
    await expect(alert(page)).toContainText('No se pudo enviar el comentario');
    await expect(alert(page)).toContainText(/Como mucho 10.000 caracteres/);
    await expect(queuedComments(page)).toContainText([tooLong]);
    await expect(queuedComments(page).getByRole('button', { name: 'Enviar ahora' })).toHaveCount(0);
    await expect(commentsShown(page)).toHaveCount(1);
    await page.reload();
    await expect(queuedComments(page)).toContainText([tooLong]);
    await queuedComments(page).getByRole('button', { name: 'Editar' }).press('Enter');
    await expect(queuedComments(page)).toHaveCount(0);
    await expect(commentField(page)).toBeFocused();
    await expect(commentField(page)).toHaveValue(tooLong);
    await page.reload();
    await expect(sendButton(page)).toBeEnabled();
    await expect(queuedComments(page)).toHaveCount(0);
    await expect(commentField(page)).toHaveValue(tooLong);
  });
});

test.describe('a comment queued in a session that has ended', () => {
  test.use({ expectedErrors: [/net::ERR_\w+|status of 401/] });

  test('leaves a guest on the page when the queue sends it, and is sent after signing in', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await openWithNews(page, pageRoutes.channel(_id));
    await page.context().setOffline(true);
    await sendComment(page, 'Para luego');
    await expect(queuedComments(page)).toHaveCount(1);
    await endSession(forum, person);
    await page.context().setOffline(false);
    await expect(statusBar(page)).toContainText('Tu sesión ha terminado.');
    await expect(page).toHaveURL(pageRoutes.channel(_id));
    await expect(page.getByText('Si deseas comentar debes')).toBeVisible();
    await statusBar(page).getByRole('link', { name: 'Iniciar sesión' }).click();
    await signInByForm(page, person.email, person.password);
    await expect.poll(() => writtenIn(forum, _id)).toEqual(['Ana Belén: Para luego']);
  });

  test('leads to the login page when a person sends it', async ({ forum, openAs }) => {
    const person = await forum.person();
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await page.clock.install();
    const held = page.waitForResponse(`**${apiRoutes.held}`);
    const decisions = page.waitForResponse(`**${apiRoutes.ownDecisions}`);
    await openWithNews(page, pageRoutes.channel(_id));
    await Promise.all([held, decisions]);
    await endSession(forum, person);
    await failOnce(page, 'PUT', `**${apiRoutes.comment}`, loseConnection);
    await expect(sendButton(page)).toBeEnabled();
    // The queue sends nothing by itself meanwhile.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    await sendComment(page, 'Para luego');
    await queuedComments(page).getByRole('button', { name: 'Enviar ahora' }).click();
    await expect(page).toHaveURL(pageRoutes.login);
    await page.clock.resume();
    await expect(alert(page)).toHaveText(/^Tu sesión ha terminado\./);
  });
});
