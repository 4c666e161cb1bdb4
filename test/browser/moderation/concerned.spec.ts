import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { commentId } from '../../../src/shared/comment-id.ts';
import type { Decision, NewDecision, Queue } from '../../../src/shared/moderation.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { commentField, commentsShown, sendComment, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, oncePerForum, test } from '../fixtures.ts';
import { failOnce } from '../network.ts';
import { openWithNews, signInByForm, untilReloaded } from '../people.ts';
import { statusBar } from '../status-bar.ts';

test.use({ forumName: 'concerned' });

const moderator = oncePerForum((forum) => makeStaff(forum));

async function decide(forum: Forum, decision: NewDecision): Promise<Decision> {
  const { token } = await moderator(forum);
  const body = { category: 'abuse', reason: 'Insulta a otra persona', ...decision };
  return forum.json('POST', apiRoutes.decisions, { token, body });
}

/** Grants the only open appeal. */
async function grantAppeal(forum: Forum): Promise<void> {
  const { token } = await makeStaff(forum);
  const { data } = await forum.json<Queue>('GET', `${apiRoutes.queue}?state=open`, { token });
  for (const { appeal } of data) {
    if (!appeal) continue;
    const body = { reason: 'Era una cita' };
    await forum.json('POST', apiRoutes.undoDecision(appeal.decision.id), { token, body });
  }
}

const section = (page: Page) => page.getByRole('region', { name: 'Decisiones sobre tu cuenta' });
const note = (page: Page) =>
  commentsShown(page).filter({ hasText: 'El equipo de moderación ha ocultado tu comentario' });

test('the author of a hidden comment reads the reason in its place, appeals there, and reads the answer in the settings', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const luis = await forum.person('Luis Paz');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, luis, channel, ['Uno', 'Tonto', 'Tres']);
  const id = commentId(channel._id, 2);
  const page = await openAs(luis);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(page)).toHaveCount(3);
  await decide(forum, { subject: { kind: 'comment', id }, action: 'hide' });
  // The note appears on the open page, and is still there after a reload.
  await expect(note(page)).toContainText('Insultos o acoso');
  await page.reload();

  await expect(note(page)).toContainText('Insultos o acoso');
  await expect(note(page)).toContainText('Insulta a otra persona');
  expect(await commentsShown(page).allInnerTexts()).toEqual([
    expect.stringContaining('Uno'),
    expect.stringContaining('ha ocultado'),
    expect.stringContaining('Tres'),
  ]);
  const appeal = page.getByRole('button', { name: /^Pedir que se revise:/ });
  await appeal.focus();
  await page.keyboard.press('Enter');
  const field = page.getByLabel('Por qué crees que es un error');
  await expect(field).toBeFocused();
  await page.keyboard.type('Citaba a otra persona');

  await page.getByRole('button', { name: 'Pedir que se revise', exact: true }).click();
  await expect(note(page)).toContainText('Has pedido que se revise: aún no hay respuesta.');
  await expect(appeal).toHaveCount(0);

  await page.goto(pageRoutes.settings);
  await expect(section(page)).toContainText('Has pedido que se revise: aún no hay respuesta.');
  await grantAppeal(forum);
  await page.reload();
  await expect(section(page)).toContainText(
    'Se ha revisado: la decisión se ha anulado. Era una cita',
  );
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(page)).toHaveCount(3);
  await expect(note(page)).toHaveCount(0);
});

async function undo(forum: Forum, { id }: Decision): Promise<void> {
  const { token } = await moderator(forum);
  const body = { reason: 'Fue un error' };
  await forum.json('POST', apiRoutes.undoDecision(id), { token, body });
}

test.describe('a hidden channel', () => {
  test.use({ expectedErrors: [/status of 40[49]/] });

  test('tells its author the reason in its place; an appeal that comes after the undo says so', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    const decision = await decide(forum, {
      subject: { kind: 'channel', id: channel._id },
      action: 'hide',
    });
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(page.getByText('El equipo de moderación ha ocultado tu canal')).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Insulta a otra persona');
    await expect(page.getByRole('button', { name: /^Pedir que se revise:/ })).toBeVisible();

    await page.goto(pageRoutes.settings);
    await page.getByRole('button', { name: /^Pedir que se revise:/ }).click();
    const field = page.getByLabel('Por qué crees que es un error');
    await field.fill('Era una cita');
    await undo(forum, decision);
    await field.press('Control+Enter');
    await expect(statusBar(page)).toContainText('Esa decisión ya no está en vigor');
    await expect(field).toHaveCount(0);
  });
});

test.describe('a person who is silenced', () => {
  test.use({ expectedErrors: [/status of 403|net::ERR_\w+/] });

  test('reads the reason when sending, and loses neither typed text nor waiting comments', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const luis = await forum.person('Luis Paz');
    const channel = await openChannel(forum, ana);
    const page = await openAs(luis);
    await openWithNews(page, pageRoutes.channel(channel._id));
    await failOnce(page, 'PUT', `**${apiRoutes.comment}`, (route) => route.abort());
    await sendComment(page, 'Espera en la cola');
    await expect(commentField(page)).toHaveAttribute('readonly');
    await decide(forum, { subject: { kind: 'user', id: luis.id }, action: 'silence', days: 7 });
    const reason = page.locator('form').getByRole('alert');
    await expect(reason).toContainText('Dura hasta el');
    await expect(reason).toContainText('Insulta a otra persona');
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().endsWith(apiRoutes.comment)) sent += 1;
    });
    const refused = page.waitForResponse(
      (response) => response.url().endsWith(apiRoutes.comment) && response.status() === 403,
    );
    await sendComment(page, 'Otra cosa');
    await refused;
    await expect(page.locator('form').getByRole('alert')).toContainText('No puedes escribir en el');
    await expect(commentField(page)).toHaveValue('Otra cosa');
    await page.reload();
    await expect(commentField(page)).toHaveValue('Otra cosa');
    expect(sent).toBe(1);
    await expect(
      page.getByText('El equipo de moderación ha decidido que no puedas escribir'),
    ).toBeVisible();
  });
});

test.describe('a person who is suspended', () => {
  test.use({ expectedErrors: [/status of 403/] });

  test('signs in, reads public pages, and finds the decision in the settings, without endless requests', async ({
    forum,
    page,
  }) => {
    const luis = await forum.person('Luis Paz');
    const channel = await openChannel(forum, luis);
    await writeComments(forum, luis, channel, ['Uno']);
    await decide(forum, { subject: { kind: 'user', id: luis.id }, action: 'suspend' });
    let requests = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) requests += 1;
    });
    await page.goto(pageRoutes.login);
    await signInByForm(page, luis.email, luis.password);
    await expect(page).toHaveURL(pageRoutes.home);
    // Each document is loaded once more when it learns of the decision.
    await untilReloaded(page);
    await page.goto(pageRoutes.channel(channel._id));
    await expect(commentsShown(page).first()).toContainText('Uno');
    await untilReloaded(page);
    await page.goto(pageRoutes.profile);
    await untilReloaded(page);
    await page.getByRole('link', { name: 'Ajustes' }).click();
    await expect(section(page)).toContainText('El equipo de moderación ha suspendido tu cuenta');
    await expect(section(page)).toContainText('Sin fecha de fin.');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Tus datos' })).toBeVisible();
    await page.getByRole('button', { name: /^Pedir que se revise:/ }).click();
    await page.getByLabel('Por qué crees que es un error').fill('No fui yo');
    await page.getByRole('button', { name: 'Pedir que se revise', exact: true }).click();
    await expect(section(page)).toContainText('Has pedido que se revise: aún no hay respuesta.');
    expect(requests).toBeLessThan(60);
  });
});

test.describe('somebody whose appeal is upheld', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('appeals only once, also from a second tab, reads the answer with the own words, and sees what is no longer in force', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await writeComments(forum, ana, channel, ['Tonto']);
    const id = commentId(channel._id, 1);
    const silenced = { kind: 'user', id: ana.id } as const;
    await decide(forum, { subject: silenced, action: 'silence', days: 1, reason: 'Descansa' });
    await decide(forum, { subject: { kind: 'comment', id }, action: 'hide' });
    const { db } = forum.services;
    const over = { until_ms: Date.now() - 1000 };
    await db.updateTable('decisions').set(over).where('subject_id', '=', ana.id).execute();

    const tabs = [await openAs(ana), await openAs(ana)] as const;
    const item = (page: Page, text: string) =>
      section(page).getByRole('listitem').filter({ hasText: text });
    const hidden = (page: Page) => item(page, 'Insulta a otra persona');
    const start = (page: Page) => section(page).getByRole('button', { name: /^Pedir que se rev/ });
    const field = (page: Page) => page.getByLabel('Por qué crees que es un error');
    for (const page of tabs) {
      await page.goto(pageRoutes.settings);
      await start(page).click();
    }
    const [page, second] = tabs;
    await expect(item(page, 'Descansa')).toContainText('Ya no está en vigor.');
    await expect(item(page, 'Descansa')).not.toContainText('Hasta el');
    await page.keyboard.press('Escape');
    await expect(hidden(page).locator('div')).toBeFocused();
    await start(page).click();
    await field(page).fill('Era una broma');
    await field(page).press('Control+Enter');
    await expect(hidden(page)).toContainText(
      'aún no hay respuesta.Lo que escribiste: Era una broma',
    );
    await expect(hidden(page).locator('div')).toBeFocused();
    await field(second).fill('Otra vez');
    await field(second).press('Control+Enter');
    await expect(hidden(second)).toContainText('Lo que escribiste: Era una broma');
    await expect(start(second)).toHaveCount(0);

    const { token } = await makeStaff(forum);
    const { data } = await forum.json<Queue>('GET', `${apiRoutes.queue}?state=open`, { token });
    const appeal = data.find(({ author }) => author.id === ana.id)?.appeal?.id ?? '';
    await forum.json('POST', apiRoutes.decisions, {
      token,
      body: {
        subject: { kind: 'appeal', id: appeal },
        action: 'dismiss',
        reason: 'No lo parecía',
      },
    });
    await page.goto(pageRoutes.notifications);
    await page
      .getByRole('main')
      .getByRole('link', { name: /ha mantenido/ })
      .click();
    const answer = page.getByText('Se ha revisado: la decisión se mantiene. No lo parecía');
    await expect(answer).toBeFocused();
    await expect(hidden(page)).toContainText('Lo que escribiste: Era una broma');
  });
});
