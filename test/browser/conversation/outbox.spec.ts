import type { BrowserContext, Page, Request, Response } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { problems } from '../../../src/shared/errors.ts';
import { pageRoutes, writeAnchor } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { commentField, commentsShown, commentTexts, sendButton, sendComment } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { failOnce, holdRequests, loseConnection, respondWithProblem } from '../network.ts';
import { endSession, openWithNews, signInByForm, signOut } from '../people.ts';
import { openChannelWith, replyButton, replyForm } from '../replies.ts';
import { statusBar } from '../status-bar.ts';

/** Errors that the browser logs for requests that fail or are rejected. */
test.use({ expectedErrors: [/net::ERR_\w+|status of (400|503) .* at \S+\/api\/channels\S*$/] });

const alert = (page: Page) => page.getByRole('alert');

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

/** Collects the responses to comments, in all tabs of a browser. */
function watchResponses(context: BrowserContext): Response[] {
  const answers: Response[] = [];
  context.on('response', (response) => {
    if (isCommentCall(response.request())) answers.push(response);
  });
  return answers;
}

/** Opens a channel of her own as Ana, ready to write in it. */
async function openOwnChannel(forum: Forum, openAs: (person: Person) => Promise<Page>) {
  const person = await forum.person('Ana Belén');
  const { _id: channelId } = await openChannel(forum, person);
  const page = await openAs(person);
  await page.goto(pageRoutes.channel(channelId));
  await expect(sendButton(page)).toBeEnabled();
  return { person, channelId, page };
}

test('the draft of a comment outlives a reload, another page, the tab and the session', async ({
  forum,
  openAs,
}) => {
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

test('what is typed in one tab stays when another tab stores its draft at the same moment', async ({
  forum,
  openAs,
}) => {
  const { person, channelId, page } = await openOwnChannel(forum, openAs);
  const key = `comment-draft ${person.id} ${channelId}`;
  await commentField(page).fill('Una');
  const stored = () => page.evaluate((key) => localStorage.getItem(key), key);
  await expect.poll(stored).toContain('"Una"');
  await commentField(page).evaluate((field, key) => {
    document.execCommand('insertText', false, ' frase');
    const draft = localStorage.getItem(key) ?? '';
    localStorage.setItem(key, draft.replace('"Una"', '"Otra"'));
    dispatchEvent(new StorageEvent('storage', { key }));
    return field.isConnected;
  }, key);
  await expect(commentField(page)).toHaveValue('Una frase');
  await expect.poll(stored).toContain('"Una frase"');
});

test.describe('a comment is stored once', () => {
  test('when the server stored it but a proxy responded with an error, while after a rejection it is another comment', async ({
    forum,
    openAs,
  }) => {
    const { person, channelId, page } = await openOwnChannel(forum, openAs);
    const keys = watchKeys(page.context());
    const gateway = { status: 503, contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
    await page.route(`**${apiRoutes.comment}`, async (route) => {
      await route.fetch();
      await route.fulfill(gateway);
    });
    await sendComment(page, 'Una vez');
    await expect(page.getByText('Se enviará en cuanto responda el servidor')).toBeVisible();
    await page.unroute(`**${apiRoutes.comment}`);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(commentField(page)).toHaveValue('');
    await expect(commentsShown(page)).toHaveCount(1);
    expect(await writtenIn(forum, channelId)).toEqual([`${person.name}: Una vez`]);
    expect(keys[0]).toMatch(/^\w{32}$/);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);

    // The same text written again is a separate comment.
    await failOnce(page, 'PUT', `**${apiRoutes.comment}`, respondWithProblem('invalid_fields'));
    await sendComment(page, 'Una vez');
    await expect(alert(page)).toContainText(problems.invalid_fields.detail);
    await expect(commentField(page)).toHaveValue('Una vez');
    await sendButton(page).click();
    await expect(commentsShown(page)).toHaveCount(2);
    const [rejected, other] = keys.slice(-2);
    expect(new Set([keys[0], rejected, other]).size).toBe(3);
  });
});

async function openAgain(closed: Page, channelId: string): Promise<Page> {
  const page = await closed.context().newPage();
  await page.goto(pageRoutes.channel(channelId));
  await expect(commentField(page)).toBeVisible();
  return page;
}

test.describe('a comment sent without a connection', () => {
  test('can be withdrawn, outlives the tab, and is sent once there is a connection', async ({
    forum,
    openAs,
  }) => {
    const { channelId, page } = await openOwnChannel(forum, openAs);
    const answers = watchResponses(page.context());
    await page.context().setOffline(true);
    await sendComment(page, 'uno');
    await expect(page.getByText(/^Se enviará en cuanto vuelva la conexión/)).toBeVisible();
    await expect(alert(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Cambiar', exact: true }).press('Enter');
    await sendComment(page, 'dos');
    await expect(commentField(page)).toHaveAttribute('readonly');
    await page.getByRole('button', { name: 'Enviar ahora' }).click();
    await expect(page.getByRole('button', { name: 'Cambiar', exact: true })).toBeVisible();
    // A page that is being closed is online again for a moment.
    await page.context().route(`**${apiRoutes.comment}`, loseConnection);
    await page.close();
    expect(await writtenIn(forum, channelId)).toEqual([]);

    await page.context().unrouteAll();
    await page.context().setOffline(false);
    const second = await openAgain(page, channelId);
    await expect(commentsShown(second)).toHaveCount(1);
    expect(await commentTexts(second)).toEqual(['dos']);
    await expect(statusBar(second).getByRole('link', { name: 'Ver el comentario' })).toBeVisible();
    await expect(commentField(second)).toHaveValue('');
    expect(answers).toHaveLength(1);
    expect(await writtenIn(forum, channelId)).toEqual(['Ana Belén: dos']);
  });

  test('is not replaced by a reply, which asks to wait and leads to the form', async ({
    forum,
    openAs,
  }) => {
    const { page } = await openChannelWith({ forum, openAs }, ['Uno']);
    await expect(sendButton(page)).toBeEnabled();
    await page.context().setOffline(true);
    await sendComment(page, 'Dos');
    await expect(commentField(page)).toHaveAttribute('readonly');
    await replyButton(page, 1).click();
    await expect(statusBar(page)).toContainText('Espera a que se envíe lo que has escrito.');
    await expect(page.locator(`#${writeAnchor}`)).toBeFocused();
    await expect(replyForm(page)).toHaveCount(0);
  });

  test('is followed by a tab in which nobody types, and stored once when both tabs send it', async ({
    forum,
    openAs,
  }) => {
    const { person, channelId, page } = await openOwnChannel(forum, openAs);
    const second = await page.context().newPage();
    await second.goto(pageRoutes.channel(channelId));
    await expect(sendButton(second)).toBeEnabled();
    await commentField(page).fill('Desde el tren');
    await expect(commentField(second)).toHaveValue('Desde el tren');
    await page.context().setOffline(true);
    await sendButton(page).click();
    await expect(commentField(second)).toHaveAttribute('readonly');
    const held = await Promise.all(
      [page, second].map((tab) => holdRequests(tab, 'PUT', `**${apiRoutes.comment}`)),
    );
    await page.context().setOffline(false);
    for (const { requests } of held) await expect.poll(() => requests.length).toBe(1);
    for (const { release } of held) release();
    for (const tab of [page, second]) {
      await expect(commentField(tab)).toHaveValue('');
      await expect(commentsShown(tab)).toHaveCount(1);
    }
    expect(await writtenIn(forum, channelId)).toEqual([`${person.name}: Desde el tren`]);
  });

  test('is sent and shown only while its author is signed in', async ({ forum, openAs }) => {
    const { person: ana, channelId, page } = await openOwnChannel(forum, openAs);
    const bruno = await forum.person('Bruno Paz');
    await page.context().setOffline(true);
    await sendComment(page, 'De Ana');
    await expect(commentField(page)).toHaveAttribute('readonly');
    await page.evaluate(() => sessionStorage.clear());
    await page.context().setOffline(false);

    const signInAs = async ({ email, password }: typeof ana) => {
      await page.goto(pageRoutes.login);
      await signInByForm(page, email, password);
      await expect(page).toHaveURL('/');
    };
    await signInAs(bruno);
    await page.goto(pageRoutes.channel(channelId));
    await sendComment(page, 'De Bruno');
    await expect(commentsShown(page)).toHaveCount(1);
    await expect(page.getByText('De Ana')).toHaveCount(0);
    expect(await writtenIn(forum, channelId)).toEqual(['Bruno Paz: De Bruno']);

    await signOut(page);
    await signInAs(ana);
    await expect.poll(() => writtenIn(forum, channelId)).toHaveLength(2);
    expect(await writtenIn(forum, channelId)).toEqual(['Bruno Paz: De Bruno', 'Ana Belén: De Ana']);
  });

  test('is not sent once another tab has withdrawn it while an earlier one was being sent', async ({
    forum,
    openAs,
  }) => {
    const { person, channelId, page } = await openOwnChannel(forum, openAs);
    const { _id: otherId } = await openChannel(forum, person, { name: 'Otro' });
    const tab = await page.context().newPage();
    const empty = { contentType: 'text/html', body: '' };
    await tab.route('**/vacia', (route) => route.fulfill(empty));
    await tab.goto('/vacia');
    const keyOf = (id: string) => `comment-draft ${person.id} ${id}`;
    const changeState = (id: string, state: string) =>
      tab.evaluate(
        ([key, state]) => {
          const draft = JSON.parse(localStorage.getItem(key) ?? '');
          localStorage.setItem(key, JSON.stringify({ ...draft, state }));
        },
        [keyOf(id), state] as const,
      );
    await page.goto(pageRoutes.channel(otherId));
    await commentField(page).fill('dos');
    await page.goto(pageRoutes.channel(channelId));
    await expect(sendButton(page)).toBeEnabled();
    const { requests, release } = await holdRequests(page, 'PUT', `**${apiRoutes.comment}`);
    await page.context().setOffline(true);
    await sendComment(page, 'uno');
    await expect(commentField(page)).toHaveAttribute('readonly');
    await changeState(otherId, 'waiting');
    await page.context().setOffline(false);
    await expect.poll(() => requests.length).toBe(1);
    const sentId = requests[0]?.postDataJSON().id;
    const [withdrawnId = ''] = [channelId, otherId].filter((id) => id !== sentId);
    await changeState(withdrawnId, 'typing');
    release();
    const draftOf = (id: string) => tab.evaluate((key) => localStorage.getItem(key), keyOf(id));
    await expect.poll(() => draftOf(sentId)).toBeNull();
    await page.evaluate(async () => void (await fetch('/healthz')));
    expect(requests.map((request) => request.postDataJSON().id)).not.toContain(withdrawnId);
    expect(await draftOf(withdrawnId)).toContain('"typing"');
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
    await expect(page.getByText(/^Se enviará en cuanto vuelva la conexión/)).toBeVisible();
    const sentAt: number[] = [];
    let seconds = 0;
    page.on('request', (request) => isCommentCall(request) && sentAt.push(seconds));
    for (seconds = 1; seconds < 15; seconds += 1) {
      await page.clock.runFor(1_000);
      // Once this is answered, the page has sent its earlier requests.
      await page.evaluate(async () => void (await fetch('/healthz')));
    }
    expect(sentAt).toEqual([2, 6, 14]);
  });

  test('is freed when the server or a proxy rejects it, with the reason, and the button keeps the focus', async ({
    forum,
    openAs,
  }) => {
    const { page } = await openOwnChannel(forum, openAs);
    const tooLong = 'x'.repeat(10_001);
    await page.context().setOffline(true);
    await sendComment(page, tooLong);
    await page.context().setOffline(false);
    await expect(alert(page)).toContainText('No se pudo enviar el comentario');
    await expect(alert(page)).toContainText(/Como mucho 10.000 caracteres/);
    await page.reload();
    await expect(alert(page)).toContainText(/Como mucho 10.000 caracteres/);
    await expect(commentField(page)).toHaveValue(tooLong);
    // A proxy refuses in its own words.
    const refused = { status: 400, json: { status: 400, detail: {}, errors: {} } };
    await failOnce(page, 'PUT', `**${apiRoutes.comment}`, (route) => route.fulfill(refused));
    await sendComment(page, 'Con una palabra prohibida');
    await expect(alert(page)).toContainText('No se ha aceptado la petición.');
    await commentField(page).fill('   ');
    await sendButton(page).press('Enter');
    await expect(alert(page)).toContainText('Este campo no puede quedar vacío.');
    await expect(sendButton(page)).toBeFocused();
    await sendComment(page, 'este sí');
    await expect(commentsShown(page)).toHaveCount(1);
    await expect(alert(page)).toHaveCount(0);
  });
});

test.describe('a comment queued in a session that has ended', () => {
  test.use({ expectedErrors: [/net::ERR_\w+|status of 401/] });

  test('offers to reload the page when it is sent again, and is sent after signing in', async ({
    forum,
    openAs,
  }) => {
    const person = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, person);
    const page = await openAs(person);
    await openWithNews(page, pageRoutes.channel(_id));
    await page.context().setOffline(true);
    await sendComment(page, 'Para luego');
    await expect(commentField(page)).toHaveAttribute('readonly');
    await endSession(forum, person);
    await page.context().setOffline(false);
    await expect(statusBar(page)).toContainText('Tu sesión ha terminado.');
    await expect(page).toHaveURL(pageRoutes.channel(_id));
    await statusBar(page).getByRole('button', { name: 'Recargar' }).click();
    await expect(page.getByText('Si deseas comentar debes')).toBeVisible();
    await page.goto(pageRoutes.login);
    await signInByForm(page, person.email, person.password);
    await expect.poll(() => writtenIn(forum, _id)).toEqual(['Ana Belén: Para luego']);
  });
});
