import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum } from '../../forum/forum.ts';
import { commentsShown, numberedComments, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { afterFrames, holdRequests, loseConnection } from '../network.ts';
import { openWithNews, staffMember } from '../people.ts';
import { statusBar } from '../status-bar.ts';

test.use({ forumName: 'moderators-menu', contextOptions: { reducedMotion: 'reduce' } });

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });

async function choose(page: Page, menu: string | RegExp, action: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  await button(page, action).click();
}

const ofComment = (number: number) => new RegExp(`^Más acciones: n\\.º ${number},`);

/** Fills in the reason for the decision and submits it. */
async function decide(page: Page, action: string): Promise<void> {
  await page.getByLabel('Motivo').fill('Va contra las normas');
  await button(page, action).click();
}

test('a moderator hides a comment in its menu, by keyboard, and undoes it', async ({
  forum,
  openAs,
  page: guest,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['Uno', 'Comprad', 'Tres']);
  const page = await openAs(await staffMember(forum));
  const path = pageRoutes.channel(channel._id);
  await guest.goto(path);
  await openWithNews(page, path);
  await page.getByRole('button', { name: ofComment(2) }).focus();
  await page.keyboard.press('Enter');
  await button(page, 'Ocultar').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Categoría')).toBeFocused();
  await page.getByLabel('Motivo').focus();
  await page.keyboard.type('Publicidad repetida');
  await page.keyboard.press('Control+Enter');
  await expect(commentsShown(page)).toHaveCount(2);
  await expect(commentsShown(guest)).toHaveCount(2);
  await expect(page.locator('#comentario-3')).toBeFocused();
  await button(page, 'Deshacer').click();
  await expect(commentsShown(page)).toHaveCount(3);
  await expect(commentsShown(guest)).toHaveCount(3);
  await expect(page.getByText('Decisión deshecha')).toBeVisible();
});

test('every action of a menu can be reached in a low window', async ({ forum, openAs }) => {
  const ana = await forum.person('Ana Belén');
  const page = await openAs(await staffMember(forum, 'admin'));
  await openWithNews(page, pageRoutes.user(ana.id));
  for (const [width, height] of [
    [320, 480],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await button(page, 'Más acciones').click();
    const actions = page.getByRole('list', { name: 'Más acciones' }).getByRole('button');
    await expect(actions.first()).toBeFocused();
    await expect(actions.first()).toBeInViewport({ ratio: 1 });
    for (const action of await actions.all()) await action.click({ trial: true });
    await page.keyboard.press('Escape');
    await expect(button(page, 'Más acciones')).toBeFocused();
  }
});

test('a menu whose button is scrolled out of a low window opens within it', async ({
  forum,
  openAs,
}) => {
  const { channel } = await channelWith(forum, ['Uno', ...numberedComments(20)]);
  const page = await openAs(await staffMember(forum));
  await openWithNews(page, pageRoutes.channel(channel._id));
  await page.setViewportSize({ width: 320, height: 480 });
  for (const [number, y] of [
    [1, 100_000],
    [20, 0],
  ] as const) {
    const opener = page.getByRole('button', { name: ofComment(number) });
    await opener.focus();
    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), y);
    await expect(opener).not.toBeInViewport();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('list', { name: ofComment(number) });
    await expect(menu.getByRole('button').first()).toBeFocused();
    await expect(menu).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
  }
});

/** A channel by Ana with these comments by her, and a function with which another moderator hides one of them. */
async function channelWith(forum: Forum, texts: string[]) {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, texts);
  const { token } = await staffMember(forum);
  const hide = (number: number) => {
    const subject = { kind: 'comment', id: `${channel._id}-${number}` };
    const body = { subject, action: 'hide', reason: 'Fuera de lugar' };
    return forum.json('POST', apiRoutes.decisions, { token, body });
  };
  return { channel, hide };
}

test('on the page of a person, closing one’s own form is not attributed to somebody else', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const page = await openAs(await staffMember(forum));
  await openWithNews(page, pageRoutes.user(ana.id));
  await choose(page, 'Más acciones', 'Silenciar');
  await decide(page, 'Silenciar');
  await expect(statusBar(page)).toContainText('Cuenta silenciada');
  for (const [action, typed] of [
    ['Silenciar', ''],
    ['Denunciar', 'Algo escrito'],
  ] as const) {
    await choose(page, 'Más acciones', action);
    const field = page.getByLabel(action === 'Denunciar' ? 'Explicación' : 'Motivo');
    await field.fill(typed);
    await field.press('Escape');
    if (typed) await button(page, 'Descartar').click();
    await expect(field).toHaveCount(0);
    await afterFrames(page);
    await expect(statusBar(page)).toContainText('Cuenta silenciada');
  }
});

test.describe('while the live stream is blocked', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test('a decision removes what it hides from the page', async ({ forum, openAs }) => {
    const { channel } = await channelWith(forum, ['Uno', 'Dos']);
    const spammer = await forum.person('Gana Ya');
    await writeComments(forum, spammer, channel, ['Tres', 'Cuatro']);
    const page = await openAs(await staffMember(forum));
    await page.route('**/live*', (route) => route.abort());
    await openWithNews(page, pageRoutes.channel(channel._id));
    await choose(page, ofComment(2), 'Ocultar');
    await decide(page, 'Ocultar');
    await expect(page.locator('#comentario-2')).toHaveCount(0);
    await choose(page, ofComment(4), 'Ocultar todo lo de esta cuenta');
    await decide(page, 'Ocultar todo lo de esta cuenta');
    await expect(commentsShown(page)).toHaveCount(1);
  });
});

test('when a comment disappears whose menu is open or was used, the next one gets the focus', async ({
  forum,
  openAs,
}) => {
  const { channel, hide } = await channelWith(forum, ['Uno', 'Dos', 'Tres']);
  const page = await openAs(await staffMember(forum));
  await openWithNews(page, pageRoutes.channel(channel._id));
  await page.getByRole('button', { name: ofComment(2) }).click();
  await expect(button(page, 'Copiar enlace')).toBeFocused();
  await hide(2);
  await expect(page.locator('#comentario-3')).toBeFocused();
  await page.getByRole('button', { name: ofComment(3) }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: ofComment(3) })).toBeFocused();
  await hide(3);
  await expect(page.locator('#comentario-1')).toBeFocused();
});

test.describe('when the live stream is faster than the response to a decision', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('the comment is not said to be gone unless the decision was refused', async ({
    forum,
    openAs,
  }) => {
    const { channel, hide } = await channelWith(forum, ['Uno', 'Dos', 'Tres']);
    const page = await openAs(await staffMember(forum));
    await openWithNews(page, pageRoutes.channel(channel._id));
    // Makes the page load the script of the status bar.
    await choose(page, ofComment(3), 'Copiar enlace');
    await expect(statusBar(page)).toBeVisible();
    await button(page, 'Cerrar aviso').click();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**${apiRoutes.decisions}`, async (route) => {
      const response = await route.fetch();
      await isReleased;
      await route.fulfill({ response });
    });
    await choose(page, ofComment(2), 'Ocultar');
    await decide(page, 'Ocultar');
    await expect(commentsShown(page)).toHaveCount(2);
    await expect(page.locator('#comentario-3')).toBeFocused();
    await afterFrames(page);
    expect(await statusBar(page).count()).toBe(0);
    release();
    await expect(button(page, 'Deshacer')).toBeVisible();

    await page.unrouteAll();
    const held = await holdRequests(page, 'POST', `**${apiRoutes.decisions}`);
    await choose(page, ofComment(3), 'Ocultar');
    await decide(page, 'Ocultar');
    await expect.poll(() => held.requests.length).toBe(1);
    await hide(3);
    await expect(commentsShown(page)).toHaveCount(1);
    await expect(button(page, 'Deshacer')).toBeVisible();
    held.release();
    await expect(statusBar(page)).toContainText(
      'Ya estaba decidido: Comentario ocultado · Mara Vidal',
    );
  });
});

test.describe('a decision', () => {
  test.use({ expectedErrors: [/net::ERR_|status of 40[14]/] });

  test('is undone by a second press when the connection was lost at the first, and refused in the form once the role was lost', async ({
    forum,
    openAs,
  }) => {
    const { channel } = await channelWith(forum, ['Uno', 'Dos']);
    const staff = await staffMember(forum);
    const page = await openAs(staff);
    await openWithNews(page, pageRoutes.channel(channel._id));
    await choose(page, ofComment(2), 'Ocultar');
    await decide(page, 'Ocultar');
    await page.route('**/api/moderation/**', loseConnection);
    await button(page, 'Deshacer').click();
    await expect(statusBar(page)).toContainText('No se pudo deshacer');
    await page.unrouteAll();
    await button(page, 'Deshacer').click();
    await expect(statusBar(page)).toContainText('Decisión deshecha');
    await expect(commentsShown(page)).toHaveCount(2);

    await choose(page, 'Opciones del canal', 'Ocultar');
    const { db } = forum.services;
    await db.updateTable('accounts').set({ role: 'member' }).where('id', '=', staff.id).execute();
    await decide(page, 'Ocultar');
    await expect(page.getByRole('alert')).toContainText(
      'Ya no formas parte del equipo de moderación.',
    );
  });
});

test('a moderator sees the versions of an edited comment with what changed', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const [comment] = await writeComments(forum, ana, channel, ['Sois unos necios']);
  await forum.json('PATCH', apiRoutes.channelComment(channel._id, 1), {
    token: ana.token,
    headers: { 'if-match': `"${comment?.revision}"` },
    body: { comment: 'Sois unos soles' },
  });
  const page = await openAs(await staffMember(forum));
  await openWithNews(page, pageRoutes.channel(channel._id));
  await choose(page, ofComment(1), 'Versiones anteriores');
  const versions = page.getByRole('list', { name: 'Versiones anteriores' });
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await expect(versions.locator('del')).toHaveText('necios');
  await expect(versions.locator('ins')).toHaveText('soles');
  await button(page, 'Cerrar').click();
  await expect(commentsShown(page).first()).toBeFocused();
});

test.describe('on the page of hidden content', () => {
  // The page fetches a channel or person again after a change.
  test.use({ expectedErrors: [/status of 404 .* at \S+\/api\/(channels|users)\//] });

  test('a channel is hidden, and shown again', async ({ forum, openAs }) => {
    const ana = await forum.person('Ana Belén');
    const { _id, name } = await openChannel(forum, ana, { name: 'Ofertas' });
    const page = await openAs(await staffMember(forum));
    await openWithNews(page, pageRoutes.channel(_id));
    await choose(page, 'Opciones del canal', 'Ocultar');
    await decide(page, 'Ocultar');
    const missing = page.getByRole('heading', { level: 1, name: 'Página no encontrada' });
    await expect(missing).toBeFocused();
    await button(page, 'Deshacer').click();
    await expect(page.getByText('Decisión deshecha')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  });

  test('everything that a spammer wrote is hidden from the page of the person with one decision', async ({
    forum,
    openAs,
    page: guest,
  }) => {
    const ana = await forum.person('Ana Belén');
    const spammer = await forum.person('Gana Ya');
    const channel = await openChannel(forum, ana);
    await writeComments(forum, spammer, channel, ['Uno', 'Dos']);
    await guest.goto(pageRoutes.channel(channel._id));
    await expect(commentsShown(guest)).toHaveCount(2);
    const page = await openAs(await staffMember(forum));
    await openWithNews(page, pageRoutes.user(spammer.id));
    await choose(page, 'Más acciones', 'Ocultar todo lo de esta cuenta');
    await decide(page, 'Ocultar todo lo de esta cuenta');
    await expect(page.getByRole('region', { name: 'Aviso' })).toContainText(
      'Cuenta ocultada por completo',
    );
    await expect(guest.getByText('Aún no hay comentarios')).toBeVisible();
    // The person's page has an undo button as well, so this selects the one in the status bar.
    await page
      .getByRole('region', { name: 'Aviso' })
      .getByRole('button', { name: 'Deshacer' })
      .click();
    await expect(page.getByText('Decisión deshecha')).toBeVisible();
    await guest.reload();
    await expect(commentsShown(guest)).toHaveCount(2);
  });
});

test('an admin changes a role, whose badge is separate from the name, and makes a password link', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const admin = await staffMember(forum, 'admin');
  const channel = await openChannel(forum, ana);
  await writeComments(forum, ana, channel, ['Hola']);
  const page = await openAs(admin);
  await openWithNews(page, pageRoutes.user(ana.id));
  await choose(page, 'Más acciones', 'Copiar enlace para contraseña nueva');
  const link = page.getByRole('region', { name: 'Aviso' }).getByRole('link');
  await expect(link).toHaveText(/\/password#./);

  await choose(page, 'Más acciones', 'Añadir al equipo de moderación');
  await expect(page.getByText('Ahora forma parte del equipo de moderación')).toBeVisible();
  await expect(page.getByText('Moderación', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Más acciones' }).click();
  await expect(button(page, 'Quitar del equipo de moderación')).toBeVisible();
  await expect(button(page, 'Copiar enlace para contraseña nueva')).toHaveCount(0);
  await page.goto(pageRoutes.channel(channel._id));
  const comment = commentsShown(page).first();
  await expect(comment.getByRole('link', { name: 'Ana Belén', exact: true })).toBeVisible();
  await expect(comment.getByText('Moderación', { exact: true })).toBeVisible();
});

test('moderators are led to the queue from their profile, members are not', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const body = { kind: 'user', id: ana.id, reason: 'other' };
  await forum.json('POST', apiRoutes.reports, { body });
  const page = await openAs(await staffMember(forum));
  await page.goto(pageRoutes.profile);
  const link = page.getByRole('link', { name: /^Moderación \d+ pendientes?$/ });
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Moderación' })).toBeVisible();

  const member = await openAs(ana);
  await openWithNews(member, pageRoutes.profile);
  await expect(member.getByRole('heading', { name: 'Ana Belén' })).toBeVisible();
  await expect(member.getByRole('link', { name: /^Moderación/ })).toHaveCount(0);
});

test.describe('a person whose content is all hidden', () => {
  test.use({ expectedErrors: [/status of 404 .*\/users?\//] });

  test('is found by moderators, who decide and undo it', async ({ forum, openAs, page: guest }) => {
    const name = 'Ana Oculta';
    const ana = await forum.person(name);
    const staff = await staffMember(forum);
    const subject = { kind: 'user', id: ana.id };
    await forum.json('POST', apiRoutes.decisions, {
      token: staff.token,
      body: { subject, action: 'hideAll', reason: 'Publicidad' },
    });
    const path = pageRoutes.user(ana.id);
    await guest.goto(path);
    await expect(guest.getByRole('heading', { name: 'Página no encontrada' })).toBeVisible();
    const page = await openAs(staff);
    await openWithNews(page, path);
    await expect(page.getByText('Todo lo de Ana Oculta está oculto')).toBeVisible();
    await choose(page, /^Más acciones/, 'Suspender');
    await decide(page, 'Suspender');
    await expect(statusBar(page)).toContainText('Cuenta suspendida');
    await page.getByRole('main').getByRole('button', { name: 'Deshacer' }).click();
    await page.getByLabel('Motivo').fill('No era publicidad');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('heading', { name })).toBeVisible();
    await guest.reload();
    await expect(guest.getByRole('heading', { name })).toBeVisible();
  });
});
