import type { Locator, Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { MadeInvitation } from '../../../src/shared/site-settings.ts';
import type { Forum } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { commentsShown, numberedComments, writeComments } from '../comments.ts';
import { expect, type OpenAs, test } from '../fixtures.ts';
import {
  caseHeading,
  casesShown,
  decide,
  fillQueue,
  openQueue,
  reason,
  report,
} from '../moderation.ts';
import { failOnce, holdRequests, loseConnection } from '../network.ts';
import { statusBar } from '../status-bar.ts';

const decided = (page: Page) => casesShown(page).getByRole('button', { name: 'Deshacer' });
const decidedCases = (page: Page) =>
  casesShown(page).filter({ hasNot: page.getByRole('button', { name: 'Todo en orden' }) });

/** Presses a button of a case with the keyboard. */
const press = (one: Locator, name: string) =>
  one.getByRole('button', { name, exact: true }).press('Enter');

/** Presses Enter once the button of a form that has just opened has the focus. */
async function submitFocused(page: Page) {
  await expect(page.locator('[type=submit]:focus')).toBeVisible();
  await page.keyboard.press('Enter');
}

/** Reports these comments and opens the queue as a moderator. */
async function openQueueOf({ forum, openAs }: { forum: Forum; openAs: OpenAs }, texts: string[]) {
  const { channel } = await fillQueue(forum, texts);
  const page = await openAs(await makeStaff(forum));
  await openQueue(page);
  const cases = casesShown(page);
  await expect(cases).toHaveCount(texts.length);
  return { channel, page, cases };
}

test.use({
  forumName: 'queue',
  expectedErrors: [/status of 40[1349]|net::ERR_/],
});

test('the dates of a reported comment are shown as in the channel, without links', async ({
  forum,
  openAs,
}) => {
  const { bea, channel } = await fillQueue(forum, []);
  const start = `${new Date().getFullYear() + 1}-06-03T20:30`;
  const event = { title: 'Ensayo', location: 'Plaza', allDay: false, capacity: 9 };
  const { id } = await forum.comment(bea, channel._id, '', {
    event: { ...event, dates: [{ start }] },
  });
  await report(forum, await forum.person(), { kind: 'comment', id });
  const page = await openAs(await makeStaff(forum));
  await openQueue(page);
  const dates = casesShown(page).getByRole('region', { name: 'Fechas de Ensayo' });
  await expect(dates).toContainText(/Ensayo.*Plaza.*20:30.*Van 0, quedan 9 sitios/s);
  await expect(dates.getByRole('link')).toHaveCount(0);
});

test('three reports are decided by keyboard alone, and one decision is undone', async ({
  forum,
  openAs,
}) => {
  const { channel, page, cases } = await openQueueOf({ forum, openAs }, ['Uno', 'Dos', 'Tres']);
  await expect(page.getByRole('link', { name: 'Pendientes (3)' })).toBeVisible();
  await expect(cases.first()).toContainText('No me gusta: Uno');
  await expect(cases.first()).toContainText('lo denuncia 1 persona, ');
  await press(cases.nth(0), 'Ocultar');
  await expect(page.getByLabel('Categoría')).toBeFocused();
  await expect(page.getByLabel('Categoría')).toHaveValue('abuse');
  await expect(reason(page)).toHaveAccessibleDescription('Lo leerá Ana Belén.');
  // The reason of the category can be sent as it is.
  await expect(reason(page)).toHaveValue(/^Aquí no se insulta/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+Enter');
  await expect(cases.nth(0)).toContainText('Comentario ocultado');
  await expect(caseHeading(cases.nth(1))).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: 'Comentario ocultado' })).toBeVisible();

  await press(cases.nth(1), 'Todo en orden');
  await submitFocused(page);
  await expect(caseHeading(cases.nth(2))).toBeFocused();
  await expect(decidedCases(page)).toHaveCount(2);
  await press(cases.nth(2), 'No dejar escribir a Ana Belén');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Durante')).toHaveValue('1');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Un día de calma');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(decidedCases(page)).toHaveCount(3);
  await expect(page.getByRole('link', { name: 'Pendientes (0)' })).toBeVisible();
  await expect(caseHeading(cases.nth(2))).toBeFocused();

  await press(cases.nth(0), 'Deshacer');
  await expect(reason(page)).toBeFocused();
  await page.keyboard.type('Era una broma');
  await page.keyboard.press('Control+Enter');
  // The reports of the case stay resolved.
  await expect(cases).toHaveCount(0);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(page)).toHaveCount(3);
});

test('a decision about a whole account is shown at its other cases, and keeps a form that is open on one of them', async ({
  forum,
  openAs,
}) => {
  const { bea, channel } = await fillQueue(forum, ['Uno', 'Dos', 'Tres']);
  await writeComments(forum, bea, channel, ['Cuatro']);
  await report(forum, await forum.person(), { kind: 'comment', id: `${channel._id}-4` });
  const page = await openAs(await makeStaff(forum));
  await openQueue(page);
  const { requests, release } = await holdRequests(page, 'POST', `**${apiRoutes.decisions}`);
  const [first, second] = [casesShown(page).nth(0), casesShown(page).nth(1)];
  await first.getByRole('button', { name: 'Ocultar todo lo de' }).click();
  await reason(page).fill('Solo insulta');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => requests.length).toBe(1);
  await second.getByRole('button', { name: 'Ocultar', exact: true }).click();
  await reason(page).last().fill('Fuera de lugar');
  release();
  await expect(statusBar(page)).toContainText('Cuenta ocultada por completo');
  await expect(second).toContainText(/Cuenta ocultada por completo.*Solo insulta/s);
  await expect(page.getByRole('link', { name: 'Pendientes (1)' })).toBeVisible();
  await expect(reason(page)).toHaveValue('Fuera de lugar');
  await expect(reason(page)).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(statusBar(page)).toContainText('Ya estaba decidido: Cuenta ocultada por completo');
  await expect(decided(page)).toHaveCount(3);
  await expect(caseHeading(casesShown(page).nth(1))).toBeFocused();
});

test('a decision on a changed comment is refused, both versions are shown, and it is then decided', async ({
  forum,
  openAs,
}) => {
  const { ana, channel } = await fillQueue(forum, ['Sois unos inútiles']);
  const page = await openAs(await makeStaff(forum));
  await openQueue(page);
  const [first] = [casesShown(page).first()];
  await first.getByRole('button', { name: 'Ocultar', exact: true }).click();
  await reason(page).fill('Porque insulta');
  await forum.edit(ana, channel._id, 1, 'Perdonad');
  const send = first.getByRole('button', { name: 'Ocultar', exact: true });
  await send.click();
  await expect(first.getByRole('alert')).toContainText('Cambió mientras lo mirabas');
  await expect(first).toContainText(/Antes decía.*inútiles.*Ahora dice.*Perdonad/s);
  await expect(first.locator('ins')).toHaveText('Perdonad');
  await first.getByText('Versiones anteriores').click();
  const versions = first.getByRole('list', { name: 'Versiones anteriores' });
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await first.getByText('Versiones anteriores').click();
  await expect(versions).toHaveCount(0);
  await expect(reason(page)).toHaveValue('Porque insulta');
  await send.click();
  await expect(decided(page)).toHaveCount(1);
});

test('a typed reason is discarded only after a question, and stays while another form is open, and an earlier decision by another moderator is shown', async ({
  forum,
  openAs,
}) => {
  const { channel } = await fillQueue(forum, ['Uno', 'Dos']);
  const luis = await makeStaff(forum, 'moderator', 'Luis');
  const page = await openAs(await makeStaff(forum));
  await openQueue(page);
  const hide = (index: number) =>
    casesShown(page).nth(index).getByRole('button', { name: 'Ocultar', exact: true });
  await hide(0).click();
  await reason(page).fill('');
  await hide(0).click();
  await expect(page.locator('textarea:invalid')).toBeFocused();
  await reason(page).fill('Casi');
  await hide(1).click();
  await expect(reason(page)).toHaveCount(2);
  await expect(reason(page).first()).toHaveValue('Casi');
  await expect(reason(page).last()).toHaveValue(/^Aquí no se insulta/);
  await page.getByLabel('Categoría').last().selectOption('Publicidad');
  await expect(reason(page).last()).toHaveValue(/no es para anunciar/);
  await page.getByLabel('Categoría').first().selectOption('Publicidad');
  await expect(reason(page).first()).toHaveValue('Casi');
  await reason(page).first().press('Escape');
  await expect(page.getByText('¿Descartar lo que has escrito?')).toBeVisible();
  await page.getByRole('button', { name: 'Descartar' }).click();
  const first = casesShown(page).first();
  await expect(caseHeading(first)).toBeFocused();

  await hide(0).click();
  await reason(page).first().fill('Porque insulta');
  const subject = { kind: 'comment', id: `${channel._id}-1` };
  await decide(forum, luis, { subject, action: 'hide', reason: 'Fuera de lugar' });
  await hide(0).click();
  await expect(first).toContainText(/Comentario ocultado.*Luis.*Fuera de lugar/s);
  await expect(caseHeading(first)).toBeFocused();
  await expect(first.getByRole('button', { name: 'Deshacer' })).toBeVisible();
  await expect(statusBar(page)).toContainText('Ya estaba decidido: Comentario ocultado · Luis');
});

test('more cases are listed after a decision, with the right number, and Back from a page that a case links to returns to it', async ({
  forum,
  openAs,
}) => {
  await fillQueue(forum, numberedComments(23));
  const page = await openAs(await makeStaff(forum));
  await openQueue(page);
  const cases = casesShown(page);
  await expect(cases).toHaveCount(20);
  await cases.first().getByRole('button', { name: 'Todo en orden' }).click();
  await submitFocused(page);
  await expect(decidedCases(page)).toHaveCount(1);
  const tab = page.getByRole('link', { name: 'Pendientes (22)' });
  await expect(tab).toBeVisible();
  await page.getByRole('link', { name: 'Más', exact: true }).click();
  await expect(cases).toHaveCount(23);
  await expect(caseHeading(cases.nth(20))).toBeFocused();
  await expect(tab).toBeVisible();
  const link = cases.nth(21).getByRole('link', { name: 'Ana Belén' }).last();
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Belén');
  await page.goBack();
  await expect(link).toBeInViewport();
});

test('reports on a channel and a person are shown with their content and with who invited the author, and decisions without a report can be undone', async ({
  forum,
  openAs,
}) => {
  const { ana, bea, channel } = await fillQueue(forum, ['Uno']);
  const marta = await makeStaff(forum);
  await report(forum, bea, { kind: 'channel', id: channel._id }, { reason: 'spam' });
  const { id: invitation_id } = await forum.json<MadeInvitation>('POST', apiRoutes.invitations, {
    token: bea.token,
    body: { uses: 1 },
  });
  const { db } = forum.services;
  await db.updateTable('accounts').set({ invitation_id }).where('id', '=', ana.id).execute();
  await report(forum, bea, { kind: 'user', id: ana.id });
  const subject = { kind: 'user', id: bea.id };
  await decide(forum, marta, { subject, action: 'silence', days: 1, reason: 'Descansa' });
  const page = await openAs(marta);
  await openQueue(page);
  const cases = casesShown(page);
  await expect(cases.nth(1)).toContainText(/Canal de.*Publicidad.*Películas con gente/s);
  await expect(cases.nth(1).getByRole('img', { name: 'Portada' })).toBeVisible();
  await expect(cases.nth(2)).toContainText(/Persona:.*Insultos/s);
  await expect(cases.nth(2)).toContainText('Invitación de Bea');
  await expect(cases.nth(2).getByRole('button', { name: 'Ocultar', exact: true })).toHaveCount(0);
  await page.getByRole('link', { name: 'Decididas' }).click();
  const other = page.getByRole('listitem').filter({ hasText: 'Descansa' });
  await expect(other).toContainText('Cuenta sin poder escribir');
  await expect(other.getByRole('link', { name: 'Persona: Bea' })).toBeVisible();
  await expect(page.getByText('Todo al día.')).toHaveCount(0);
  await other
    .getByRole('button', { name: /^Deshacer Cuenta sin poder escribir .* Descansa/ })
    .click();
  await reason(page).fill('Ya descansó');
  await page.keyboard.press('Control+Enter');
  await expect(other).toHaveCount(0);
  await expect(page.getByText('decisión sin denuncia')).toHaveCount(0);
  await expect(page.getByText('Todo al día.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('the page of moderation is not found by a person without a role', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await forum.person('Ana Belén'));
  await page.goto(pageRoutes.moderation);
  const missing = page.getByRole('heading', { level: 1, name: 'Página no encontrada' });
  await expect(missing).toBeVisible();
});

test('a case says who reports it for which reasons, the most frequent first, with the text as it was then, and what was decided about its author before', async ({
  forum,
  openAs,
}) => {
  const { ana, bea, channel } = await fillQueue(forum, ['Sois unos inútiles']);
  const marta = await makeStaff(forum);
  const subject = { kind: 'comment' as const, id: `${channel._id}-1` };
  await forum.edit(ana, channel._id, 1, 'Comprad aquí');
  for (const name of ['Eva', 'Luz'])
    await report(forum, await forum.person(name), subject, { reason: 'spam' });
  const guest = { ...subject, reason: 'illegal', text: 'Es mi foto', name: 'Zoe' };
  const body = { ...guest, email: 'zoe@ejemplo.es', goodFaith: true };
  await forum.json('POST', apiRoutes.reports, { body });
  const silence = (id: string, reason: string) =>
    decide(forum, marta, { subject: { kind: 'user', id }, action: 'silence', days: 1, reason });
  const { id } = await silence(ana.id, 'Descansa');
  const undo = { token: marta.token, body: { reason: 'Ya descansó' } };
  await forum.json('POST', apiRoutes.undoDecision(id), undo);
  await silence(ana.id, 'Descansa más');
  await silence(bea.id, 'Descansa también');
  const nobody = { kind: 'user', id: bea.id, reason: 'other', text: 'Da miedo' };
  await forum.json('POST', apiRoutes.reports, { body: nobody });

  const page = await openAs(marta);
  await openQueue(page);
  const [first, second] = [casesShown(page).nth(0), casesShown(page).nth(1)];
  await expect(first).toContainText(
    'Publicidad (2), Insultos o acoso (1), Contenido ilegal (1) · lo denuncian 4 personas, ',
  );
  const said = first.getByRole('listitem');
  await expect(said.filter({ hasText: 'No me gusta' })).toContainText(/Bea.*, Insultos o acoso$/);
  await expect(said.filter({ hasText: 'Luz' })).toContainText(
    ', Publicidad · decía entonces: Comprad aquí',
  );
  await expect(said.filter({ hasText: 'Es mi foto' })).toContainText(/Zoe.*zoe@ejemplo\.es/);
  await first.getByText('2 decisiones anteriores').click();
  await expect(said.filter({ hasText: 'Cuenta sin poder escribir' }).last()).toContainText(
    'deshecha',
  );
  await first.getByRole('button', { name: 'Todo en orden' }).click();
  await page.keyboard.press('Escape');
  await first.getByRole('button', { name: 'Ocultar', exact: true }).click();
  await expect(page.getByLabel('Categoría')).toHaveValue('spam');
  await expect(second).toContainText(/Otra cosa\s·\slo denuncia 1 persona.*Alguien sin cuenta/s);
  await expect(second.getByText('1 decisión anterior', { exact: true })).toBeVisible();
});

test('a decision is undone from the message about it, at its case or in the list of decided cases once the page shows another list', async ({
  forum,
  openAs,
}) => {
  const { page, cases } = await openQueueOf({ forum, openAs }, ['Uno', 'Dos']);
  const undo = statusBar(page).getByRole('button', { name: 'Deshacer' });
  const hideFirst = async () => {
    await cases.first().getByRole('button', { name: 'Ocultar', exact: true }).click();
    await reason(page).fill('Fuera de lugar');
    await page.keyboard.press('Control+Enter');
    await expect(statusBar(page)).toContainText('Comentario ocultado');
  };
  await hideFirst();
  await undo.click();
  await reason(page).fill('Era una broma');
  await page.keyboard.press('Control+Enter');
  await expect(statusBar(page)).toContainText('Decisión deshecha');
  await expect(cases).toHaveCount(1);
  await hideFirst();
  await page.getByRole('link', { name: /^Por aprobar/ }).click();
  await expect(page.getByText('Todo al día.')).toBeVisible();
  await undo.click();
  await expect(page.getByRole('link', { name: 'Decididas' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(decided(page).first()).toBeVisible();
});

test('the list says when it could not be refreshed, keeps its cases, and says so when it is up to date', async ({
  forum,
  openAs,
}) => {
  const { page, cases } = await openQueueOf({ forum, openAs }, ['Uno']);
  await failOnce(page, 'GET', `**${apiRoutes.queue}*`, loseConnection);
  await page.getByRole('button', { name: 'Actualizar' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(cases).toHaveCount(1);
  await expect(statusBar(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Actualizar' }).click();
  await expect(statusBar(page)).toContainText('Lista al día: Pendientes (1), Por aprobar (0).');
});
