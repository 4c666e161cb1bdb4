import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { dayText } from '../../../src/shared/event-texts.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import { commentField, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { commentShown, replyButton, replyField } from '../replies.ts';
import { statusBar } from '../status-bar.ts';

const dayMs = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** The group of the three answers to a date. */
const answersOn = (page: Page, index: number) =>
  page.getByRole('group', { name: /^Tu respuesta: Ensayo, / }).nth(index);

/** The card with the dates, in their comment. */
const cardOn = (page: Page) => page.getByRole('region', { name: 'Fechas de Ensayo' });

async function writeDates(page: Page, channelId: string): Promise<void> {
  await page.goto(pageRoutes.channel(channelId));
  await commentField(page).fill('Traed agua');
  await page.getByRole('button', { name: 'Añadir…' }).click();
  await page.getByRole('button', { name: 'Fecha', exact: true }).click();
  await page.getByLabel('Qué es').fill('Ensayo');
  await page.getByRole('textbox', { name: 'Día' }).fill(dayIn(3));
  await page.getByLabel('Hora', { exact: true }).fill('20:30');
  await page.getByLabel('Lugar (opcional)').fill('Local de la plaza');
  await page.getByLabel('Repetición').selectOption('Cada semana');
  await page.getByLabel('Hasta', { exact: true }).fill(dayIn(20));
  await page.getByLabel('Cuántas personas').fill('2');
}

test('dates are written with a comment, stay in the draft, and one of them is taken out before it is sent', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana');
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await writeDates(page, _id);
  const until = page.getByLabel('Hasta', { exact: true });
  await until.fill(dayIn(900));
  await expect(page.getByText('Como mucho, 53 fechas: ')).toBeVisible();
  await until.fill(dayIn(20));
  await expect(
    page.getByText(
      `3 fechas, del ${dayText(dayIn(3))} al ${dayText(dayIn(17), dayIn(3).slice(0, 4))}`,
    ),
  ).toBeVisible();
  await page.getByRole('button', { name: `Quitar: ${dayText(dayIn(10))}` }).click();
  await expect(page.getByText('2 fechas')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Qué es')).toHaveValue('Ensayo');
  await expect(page.getByText('2 fechas')).toBeVisible();
  await sendButton(page).click();
  const card = commentShown(page, 1).getByRole('region', { name: 'Fechas de Ensayo' });
  await expect(card.getByText('Local de la plaza')).toBeVisible();
  await expect(card.getByText('Van 0, quedan 2 sitios')).toHaveCount(2);
  await expect(page.getByLabel('Qué es')).toHaveCount(0);

  const plain = await openAs(null, { javaScriptEnabled: false });
  await plain.goto(pageRoutes.channel(_id));
  await expect(cardOn(plain).getByText('Van 0, quedan 2 sitios')).toHaveCount(2);
  await expect(plain.getByRole('button', { name: 'Voy' })).toHaveCount(0);
  await expect(plain.getByRole('link', { name: 'Añadir a mi calendario' })).toBeVisible();
});

test.describe('a date', () => {
  // Home shows the dates of all channels.
  test.use({ forumName: 'answers to dates', expectedErrors: [/net::ERR_/] });

  test('is answered by one press and taken back by another, with how many come, and those without room wait', async ({
    forum,
    openAs,
  }) => {
    const [ana, bea, leo] = [
      await forum.person('Ana'),
      await forum.person('Bea'),
      await forum.person('Leo'),
    ];
    const { _id } = await openChannel(forum, ana);
    await forum.comment(ana, _id, '', {
      event: {
        title: 'Ensayo',
        allDay: false,
        capacity: 2,
        dates: [{ start: `${dayIn(3)}T20:30` }, { start: `${dayIn(10)}T20:30` }],
      },
    });
    const page = await openAs(bea);
    await page.goto(pageRoutes.home);
    await expect(page.getByText('Sin responder')).toHaveCount(2);
    await page.getByRole('link', { name: 'Ensayo' }).first().click();
    const yes = answersOn(page, 0).getByRole('button', { name: 'Voy', exact: true });
    await yes.click();
    await expect(cardOn(page).getByText('Va 1, queda 1 sitio')).toBeVisible();
    const people = answersOn(page, 0).getByLabel('¿Cuántos?');
    await expect(people.getByRole('option')).toHaveText(['1', '2']);
    await people.focus();
    await people.selectOption('2');
    await expect(cardOn(page).getByText('Van 2, no quedan sitios')).toBeVisible();
    await expect(people).toHaveValue('2');
    await expect(people).toBeFocused();

    const other = await openAs(leo);
    await other.goto(pageRoutes.channel(_id));
    await answersOn(other, 0).getByRole('button', { name: 'Voy', exact: true }).click();
    await expect(other.getByText('No quedan sitios: te avisaremos')).toBeVisible();
    const waiting = answersOn(other, 0).getByRole('button', { name: 'En espera', exact: true });
    await expect(waiting).toHaveAttribute('aria-pressed', 'true');
    await expect(waiting).toHaveCSS('border-style', 'dashed');
    await expect(cardOn(other).getByText('Van 2, no quedan sitios, espera 1')).toBeVisible();

    await page.reload();
    await expect(yes).toHaveAttribute('aria-pressed', 'true');
    await page.context().setOffline(true);
    await people.selectOption('1');
    await expect(page.getByText(/No se pudo guardar tu respuesta\./)).toBeVisible();
    await expect(people).toHaveValue('2');
    await page.context().setOffline(false);
    await yes.click();
    await expect(yes).toHaveAttribute('aria-pressed', 'false');
    await other.goto(`${pageRoutes.calendar}?from=${dayIn(3).slice(0, 7)}`);
    await expect(other.getByRole('link', { name: 'Ensayo' }).first()).toBeVisible();
  });
});

test('its author changes the hour of a date, cancels it with a reason and takes that back', async ({
  forum,
  openAs,
}) => {
  const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, '', {
    event: { title: 'Ensayo', allDay: false, dates: [{ start: `${dayIn(3)}T20:30` }] },
  });
  const other = await openAs(bea);
  await other.goto(pageRoutes.channel(_id));
  await expect(other.getByRole('button', { name: 'Cambiar o cancelar' })).toHaveCount(0);
  await answersOn(other, 0).getByRole('button', { name: 'Voy', exact: true }).click();
  await expect(cardOn(other).getByText('Va 1', { exact: true })).toBeVisible();

  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await page.getByText('Ver quiénes').click();
  await expect(page.getByRole('listitem').filter({ hasText: 'va' }).getByText('Bea')).toBeVisible();
  const editor = page.getByRole('form', { name: 'Cambiar las fechas' });
  await page.getByRole('button', { name: 'Cambiar o cancelar' }).click();
  await editor.getByLabel('Empieza').fill(`${dayIn(3)}T19:00`);
  await editor.getByRole('button', { name: 'Guardar' }).click();
  await expect(statusBar(page)).toContainText('En unos minutos se avisa a quienes van.');
  await expect(page.getByRole('button', { name: 'Cambiar o cancelar' })).toBeFocused();
  await expect(cardOn(other).getByText('19:00', { exact: true })).toBeVisible();
  await expect(other.getByRole('region', { name: 'Próximas fechas' })).toContainText('19:00');

  await page.getByRole('button', { name: 'Cambiar o cancelar' }).click();
  await editor.getByLabel('Cancelada').check();
  await editor.getByLabel('Por qué se cancela (opcional)').fill('Hay una obra en la plaza');
  await editor.getByRole('button', { name: 'Guardar' }).click();
  await expect(editor).toHaveCount(0);
  await expect(cardOn(other).getByText('Hay una obra en la plaza')).toBeVisible();
  await expect(answersOn(other, 0)).toHaveCount(0);
  const line = other.getByRole('region', { name: 'Próximas fechas' }).getByRole('paragraph');
  for (const text of ['Ensayo', '19:00'])
    await expect(line.filter({ hasText: text })).toHaveCSS('text-decoration-line', 'line-through');

  await page.getByRole('button', { name: 'Cambiar o cancelar' }).click();
  await editor.getByLabel('Cancelada').uncheck();
  await editor.getByRole('button', { name: 'Guardar' }).click();
  await expect(
    answersOn(other, 0).getByRole('button', { name: 'Voy', exact: true }),
  ).toHaveAttribute('aria-pressed', 'true');
});

test('a date is added by keyboard: Escape closes the menu alone, as turning the screen does, and the focus goes to the first field and back, also when it is taken out and that is undone', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana');
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, 'Hola');
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await replyButton(page, 1).click();
  await replyField(page).fill('Traed agua');
  const add = page.getByRole('button', { name: 'Añadir…' });
  await add.press('Enter');
  await expect(add).toHaveAttribute('aria-expanded', 'true');
  const entry = page.getByRole('button', { name: 'Fecha', exact: true });
  await expect(page.getByRole('button', { name: 'Archivos', exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(add).toBeFocused();
  await expect(replyField(page)).toHaveValue('Traed agua');
  await expect(page.getByRole('button', { name: 'Descartar' })).toHaveCount(0);
  await add.press('Enter');
  // A turned phone: the menu would stay where its button was.
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(entry).toHaveCount(0);
  await expect(add).toBeFocused();
  await add.press('Enter');
  await entry.press('Enter');
  await expect(page.getByLabel('Qué es')).toBeFocused();
  await page.getByLabel('Qué es').fill('Ensayo');
  await page.getByRole('button', { name: 'Quitar la fecha' }).press('Enter');
  await expect(replyField(page)).toBeFocused();
  await statusBar(page).getByRole('button', { name: 'Deshacer' }).press('Enter');
  await expect(page.getByLabel('Qué es')).toBeFocused();
  await expect(page.getByLabel('Qué es')).toHaveValue('Ensayo');
});

test('a date is repeated a week after its last one, beside what is being written, which keeps a date of its own', async ({
  forum,
  openAs,
}) => {
  const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, 'El primero', {
    event: {
      title: 'Ensayo',
      location: 'Local de la plaza',
      allDay: false,
      capacity: 12,
      dates: [
        { start: `${dayIn(3)}T20:30`, end: `${dayIn(3)}T22:00` },
        { start: `${dayIn(10)}T20:30`, end: `${dayIn(10)}T22:00` },
      ],
    },
  });
  const other = await openAs(bea);
  await other.goto(pageRoutes.channel(_id));
  await expect(answersOn(other, 0)).toBeVisible();
  await expect(other.getByRole('button', { name: 'Repetir' })).toHaveCount(0);

  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await commentField(page).fill('Otra vez');
  await page.getByRole('button', { name: 'Repetir' }).click();
  await expect(page.getByLabel('Qué es')).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Día' })).toHaveValue(dayIn(17));
  await expect(page.getByText(`${dayText(dayIn(17))}, 20:30–22:00`)).toBeVisible();
  await page.getByLabel('Qué es').fill('Ensayo general');
  await page.getByRole('button', { name: 'Repetir' }).click();
  await expect(page.getByText('ya tiene una fecha')).toBeVisible();
  await expect(page.getByLabel('Qué es')).toHaveValue('Ensayo general');
  await sendButton(page).click();
  const sent = commentShown(page, 2);
  await expect(sent).toContainText('Otra vez');
  const card = sent.getByRole('region', { name: 'Fechas de Ensayo general' });
  await expect(card).toContainText('20:30–22:00');
  await expect(card).toContainText('Local de la plaza');
  await expect(card).toContainText('quedan 12 sitios');
});

test('all dates are answered by one press, which says so, marks none as unanswered, and is taken back by another', async ({
  forum,
  openAs,
}) => {
  const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const { _id } = await openChannel(forum, ana);
  await forum.comment(ana, _id, '', {
    event: {
      ...{ title: 'Ensayo', allDay: false },
      dates: [{ start: `${dayIn(3)}T20:30` }, { start: `${dayIn(10)}T20:30` }],
    },
  });
  const page = await openAs(bea);
  await page.goto(pageRoutes.channel(_id));
  const unanswered = page.getByText('Sin responder');
  await expect(unanswered).not.toHaveCount(0);
  const all = page.getByRole('group', { name: 'Tu respuesta: todas las fechas de Ensayo' });
  const going = all.getByRole('button', { name: 'Voy', exact: true });
  await answersOn(page, 0).getByRole('button', { name: 'Quizá' }).click();
  await going.click();
  await expect(statusBar(page)).toContainText('Has respondido «Voy» a las 2 fechas.');
  await expect(going).toHaveAttribute('aria-pressed', 'true');
  await expect(unanswered).toHaveCount(0);
  await going.click();
  await expect(statusBar(page)).toContainText('Has quitado tu respuesta a las 2 fechas.');
  await expect(going).toHaveAttribute('aria-pressed', 'false');
  await expect(unanswered).not.toHaveCount(0);
});

test.describe('of two who change dates at once', () => {
  test.use({ expectedErrors: [/status of 412/] });

  test('the second is shown what they are now, and then changes the rest', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana');
    const { _id } = await openChannel(forum, ana);
    await forum.comment(ana, _id, '', {
      event: { title: 'Ensayo', allDay: false, dates: [{ start: `${dayIn(3)}T20:30` }] },
    });
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    await page.getByRole('button', { name: 'Cambiar o cancelar' }).click();
    const editor = page.getByRole('form', { name: 'Cambiar las fechas' });
    await editor.getByLabel('Lugar (opcional)').fill('Plaza');
    await forum.json('PATCH', apiRoutes.event(_id, 1), {
      token: ana.token,
      headers: { 'if-match': '"1"' },
      body: { dates: [{ position: 0, start: `${dayIn(3)}T19:00` }] },
    });
    const save = editor.getByRole('button', { name: 'Guardar' });
    await save.click();
    await expect(editor.getByText('Ha cambiado desde que lo abriste.')).toBeVisible();
    await expect(cardOn(page).getByText('19:00', { exact: true })).toBeVisible();
    await save.click();
    await expect(editor).toHaveCount(0);
    await expect(cardOn(page)).toContainText(/Plaza.*19:00/s);
  });
});

test('many dates are folded, all are cancelled at once and that is undone, and a field that is wrong is shown', async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana');
  const { _id } = await openChannel(forum, ana);
  const days = [3, 10, 17, 400].map(dayIn);
  await forum.comment(ana, _id, '', {
    event: {
      title: 'Ensayo',
      allDay: false,
      dates: days.map((day) => ({ start: `${day}T20:30` })),
    },
  });
  const page = await openAs(ana);
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto(pageRoutes.channel(_id));
  const open = page.getByRole('button', { name: 'Cambiar o cancelar' });
  await open.click();
  const editor = page.getByRole('form', { name: 'Cambiar las fechas' });
  await expect(editor).toContainText('son los de las 4 fechas');
  await expect(editor.getByLabel('Empieza')).toHaveCount(4);
  const starts = editor.getByLabel('Empieza').filter({ visible: true });
  await expect(starts).toHaveCount(0);
  const when = (day = '') => editor.getByText(`${dayText(day)}, 20:30`, { exact: true });
  await when(days[1]).click();
  await starts.fill('');
  await when(days[1]).click();
  await expect(starts).toHaveCount(0);
  const save = editor.getByRole('button', { name: 'Guardar' });
  await save.click();
  await expect(starts).toBeFocused();
  await expect(editor.getByText('cambiada')).toHaveCount(1);

  // What is wrong with the hour of a date matters no more once it is cancelled.
  await editor.getByLabel('Cancelada').filter({ visible: true }).check();
  await editor.getByLabel('Por qué se cancela (opcional)').fill('Fiesta');
  await when(days[2]).click();
  await editor.getByLabel('Cancelada').filter({ visible: true }).nth(1).check();
  const all = editor.getByLabel('Cancelar todas las que quedan');
  await all.check();
  await editor.getByLabel('Por qué se cancelan (opcional)').fill('Obras');
  await expect(editor.getByText('cancelada', { exact: true })).toHaveCount(4);
  await all.uncheck();
  await expect(editor.getByText('cancelada', { exact: true })).toHaveCount(2);
  await all.check();
  await editor.getByLabel('Por qué se cancelan (opcional)').fill('Obras');
  await save.click();
  await expect(open).toBeFocused();
  await expect(open).toBeInViewport();
  await page.getByText('Ver la otra fecha').click();
  await expect(cardOn(page).getByText('Se ha cancelado: Obras')).toHaveCount(3);
  await expect(cardOn(page).getByText('Se ha cancelado: Fiesta')).toHaveCount(1);
  await expect(cardOn(page).getByText(dayText(dayIn(400), ''))).toBeVisible();

  await open.click();
  await all.uncheck();
  await save.click();
  await expect(cardOn(page).getByText('Van 0')).toHaveCount(4);
});

test.describe('on a device with another zone than the community', () => {
  test.use({ forumName: 'dates in another zone', timezoneId: 'America/Mexico_City' });

  test('writing and changing a date says whose hour it is, and its end moves with its start', async ({
    forum,
    openAs,
  }) => {
    await changeSettings(forum, { zone: 'Europe/Madrid' });
    const ana = await forum.person('Ana');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await writeDates(page, _id);
    const warning = 'La hora es la de Europe/Madrid, no la de este dispositivo.';
    await expect(page.getByText(warning)).toBeVisible();
    await page.getByLabel('Repetición').selectOption('No se repite');
    await page.getByLabel('Termina (opcional)').fill('22:00');
    await sendButton(page).click();
    await page.getByRole('button', { name: 'Cambiar o cancelar' }).click();
    await expect(page.getByText(warning)).toBeVisible();
    const [start, end] = [page.getByLabel('Empieza'), page.getByLabel('Termina (opcional)')];
    await expect(end).toHaveValue(`${dayIn(3)}T22:00`);
    await start.fill('');
    await start.fill(`${dayIn(5)}T23:00`);
    await expect(end).toHaveValue(`${dayIn(6)}T00:30`);
  });
});
