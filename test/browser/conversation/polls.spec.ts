import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { commentField, sendButton } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { failOnce, holdRequests, loseAnswer } from '../network.ts';
import { endPolls, pollOf, pollShown } from '../polls.ts';
import { statusBar } from '../status-bar.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const vote = (forum: Forum, { token }: Person, channelId: string, options: number[]) =>
  forum.json('PUT', apiRoutes.votes(channelId, 1), { token, body: { options } });

test('a poll is written by keyboard, stays in the draft, and a vote in it is given, changed and counted for everybody once it is closed', async ({
  forum,
  openAs,
}) => {
  const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await commentField(page).fill('¿Qué vemos?');
  await button(page, 'Añadir…').press('Enter');
  await button(page, 'Encuesta').press('Enter');
  const option = (index: number) => page.getByLabel(`Opción ${index}`, { exact: true });
  await expect(option(1)).toBeFocused();
  await page.keyboard.type('Volver');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Otra');
  await page.keyboard.press('Enter');
  await expect(option(3)).toBeFocused();
  await page.keyboard.type('Viridiana');
  await button(page, 'Quitar la opción 2').press('Enter');
  await expect(option(2)).toBeFocused();
  // A comment has a date or a poll.
  await button(page, 'Añadir…').press('Enter');
  await expect(button(page, 'Archivos')).toBeVisible();
  for (const name of ['Fecha', 'Encuesta']) await expect(button(page, name)).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.reload();
  await expect(option(2)).toHaveValue('Viridiana');
  await button(page, 'Quitar la encuesta').press('Enter');
  await expect(commentField(page)).toBeFocused();
  await statusBar(page).getByRole('button', { name: 'Deshacer' }).press('Enter');
  await expect(option(1)).toBeFocused();
  await sendButton(page).press('Enter');
  await expect(pollShown(page).getByRole('radio')).toHaveCount(2);
  await expect(option(1)).toHaveCount(0);

  const other = await openAs(bea);
  await other.goto(pageRoutes.channel(_id));
  const card = pollShown(other);
  const open = other.getByRole('region', { name: 'Encuestas abiertas' });
  await expect(open.getByRole('link', { name: '¿Qué vemos?' })).toBeVisible();
  await expect(card).toContainText('Se verá qué has votado.');
  await button(other, 'Votar').press('Enter');
  await expect(statusBar(other)).toContainText('Elige antes una opción.');
  await card.getByRole('radio', { name: 'Volver' }).check();
  await button(other, 'Votar').press('Enter');
  const own = card.getByRole('listitem').filter({ hasText: 'Tu voto' });
  await expect(own).toContainText(/Volver.*1 voto, 100\u00a0%/);
  await button(other, 'Cambiar mi voto').press('Enter');
  await expect(card.getByRole('radio', { name: 'Volver' })).toBeFocused();
  await other.keyboard.press('ArrowDown');
  await button(other, 'Votar').press('Enter');
  await expect(own).toContainText('Viridiana');
  await card.getByText('Ver quiénes').click();
  await expect(card.getByRole('list', { name: 'Quiénes han votado: Viridiana' })).toContainText(
    'tú',
  );

  const plain = await openAs(null, { javaScriptEnabled: false });
  await plain.goto(pageRoutes.channel(_id));
  await expect(pollShown(plain)).toContainText(/Se cierra el .* UTC/);
  await expect(pollShown(plain).getByRole('listitem')).toHaveText(['Volver', 'Viridiana']);
  await endPolls(forum, _id);
  await expect(card).toContainText('Encuesta cerrada el');
  await expect(card).toContainText('Ha votado 1 persona.');
  await expect(button(other, 'Cambiar mi voto')).toHaveCount(0);
  await expect(open).toHaveCount(0);
  await plain.reload();
  await expect(pollShown(plain).getByRole('listitem')).toHaveText([
    'Volver0 votos, 0\u00a0%',
    'Viridiana1 voto, 100\u00a0%',
  ]);
});

test.describe('a secret vote', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('is given once, also from another tab, shows no result before the poll is closed, and none if few voted', async ({
    forum,
    openAs,
  }) => {
    const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
    const { _id } = await openChannel(forum, ana);
    const options = [{ text: 'Sí' }, { text: 'No' }];
    await forum.comment(ana, _id, '¿Cambiamos?', { poll: pollOf(options, { secret: true }) });
    const page = await openAs(bea);
    await page.goto(pageRoutes.channel(_id));
    const card = pollShown(page);
    await expect(card).toContainText('No se guarda quién votó qué.');
    await card.getByRole('radio', { name: 'Sí' }).check();
    await vote(forum, bea, _id, [1]);
    await button(page, 'Votar').click();
    await expect(statusBar(page)).toContainText('Ya has votado');
    await expect(card).toContainText('Has votado. El resultado se verá cuando se cierre.');
    await expect(card.getByRole('radio')).toHaveCount(0);
    await expect(button(page, 'Cambiar mi voto')).toHaveCount(0);
    await endPolls(forum, _id);
    await expect(card).toContainText('Han votado menos de 3 personas, así que no hay resultado.');
  });
});

test.describe('a vote on days and hours', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('says at its field that it closes too soon, and once it is closed its author alone makes the date that was chosen', async ({
    forum,
    openAs,
  }) => {
    const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    await commentField(page).fill('Cena de verano');
    await button(page, 'Añadir…').click();
    await button(page, 'Encuesta').click();
    const days = [3, 4].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    for (const [index, day = ''] of days.entries()) {
      if (index === 0) await button(page, 'Añadir día y hora').click();
      else await page.keyboard.press('Enter');
      const option = page.getByLabel(`Opción ${index + 1}`, { exact: true });
      await expect(option).toBeFocused();
      await option.fill(`${day.slice(0, 10)}T21:00`);
    }
    await page.getByLabel('Se pueden elegir varias').check();
    const closes = page.getByLabel('Se cierra');
    const usual = await closes.inputValue();
    await closes.fill('2020-01-01T10:00');
    await sendButton(page).click();
    await expect(closes).toHaveAccessibleDescription(/Elige un cierre de 10 minutos a 90 días/);
    await closes.fill(usual);
    await sendButton(page).click();
    await expect(pollShown(page).getByRole('checkbox')).toHaveCount(2);
    await vote(forum, ana, _id, [0, 1]);
    await vote(forum, bea, _id, [1]);
    await endPolls(forum, _id);
    const make = button(page, 'Hacer la fecha');
    await make.click();
    await expect(page.getByLabel('Qué es')).toHaveValue('Cena de verano');
    await page.keyboard.type('Cena');
    await expect(page.getByLabel('Qué es')).toHaveValue('Cena');
    await expect(page.getByRole('textbox', { name: 'Día' })).toHaveValue(
      days[1]?.slice(0, 10) ?? '',
    );
    await expect(page.getByLabel('Hora', { exact: true })).toHaveValue('21:00');
    const other = await openAs(bea);
    await other.goto(pageRoutes.channel(_id));
    await expect(pollShown(other)).toContainText('Han votado 2 personas.');
    await expect(button(other, 'Responder: n.º 1, de Ana')).toBeVisible();
    await expect(button(other, 'Hacer la fecha')).toHaveCount(0);
  });
});

test.describe('with a bad connection', () => {
  test.use({ expectedErrors: [/net::ERR_|status of 409/] });

  test('a vote that does not arrive keeps its choice, one of which the answer is lost is shown, one that is pressed twice is sent once, one that comes too late says so', async ({
    forum,
    openAs,
  }) => {
    const [ana, bea] = [await forum.person('Ana'), await forum.person('Bea')];
    const { _id } = await openChannel(forum, ana);
    await forum.comment(ana, _id, '', { poll: pollOf([{ text: 'Sí' }, { text: 'No' }]) });
    const page = await openAs(bea);
    await page.goto(pageRoutes.channel(_id));
    const card = pollShown(page);
    const no = card.getByRole('radio', { name: 'No' });
    await no.check();
    await page.context().setOffline(true);
    await button(page, 'Votar').click();
    await expect(statusBar(page)).toContainText('No se pudo guardar tu voto.');
    await expect(no).toBeChecked();
    await page.context().setOffline(false);

    await failOnce(page, 'PUT', /\/votes$/, loseAnswer);
    await button(page, 'Votar').click();
    const own = card.getByRole('listitem').filter({ hasText: 'Tu voto' });
    await expect(own).toContainText('No');
    await button(page, 'Cambiar mi voto').click();

    await card.getByRole('radio', { name: 'Sí' }).check();
    const held = await holdRequests(page, 'PUT', /\/votes$/);
    await button(page, 'Votar').dblclick();
    held.release();
    await expect(own).toContainText('Sí');
    expect(held.requests).toHaveLength(1);

    await button(page, 'Cambiar mi voto').click();
    await endPolls(forum, _id, false);
    await button(page, 'Votar').click();
    await expect(statusBar(page)).toContainText('La encuesta ya está cerrada');
    await expect(card).toContainText('El resultado se verá en unos momentos.');
    await expect(card.getByRole('radio')).toHaveCount(0);
  });
});
