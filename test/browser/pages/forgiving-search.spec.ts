import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { searchUrl } from '../../../src/shared/routes.ts';
import { writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { failOnce, loseConnection, watchRequests } from '../network.ts';
import { announced, field, hits } from '../search-page.ts';

test.use({ forumName: 'forgiving search' });

const goneText = 'Esa persona no existe o ya no está. Busca en los comentarios de todos.';

test('a correction is announced, its next pages are those of the corrected words, and only a link asks for exact ones', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const texts = Array.from({ length: 21 }, (_, index) => `La zapatilla ${index + 1}`);
  await writeComments(forum, ana, channel, texts);
  await page.goto(searchUrl({ q: 'nada' }));
  await expect(page.getByRole('heading', { name: 'No hay resultados para «nada»' })).toBeVisible();
  const requests = watchRequests(page, 'GET', apiRoutes.search);
  const asked = () =>
    requests.map((request) => {
      const { q, exact, after } = Object.fromEntries(new URL(request.url()).searchParams);
      return [q, exact, after !== undefined];
    });
  await field(page).fill('zapatiya');
  await field(page).press('Enter');
  await expect(page.getByText('Resultados de zapatilla. Buscar solo zapatiya')).toBeVisible();
  await expect(announced(page)).toHaveText('Más de 20 resultados de zapatilla');
  const more = page.getByRole('link', { name: 'Ver más' });
  await expect(more).toHaveAttribute('href', /q=zapatilla&after=/);
  requests.length = 0;
  await more.click();
  await expect(hits(page)).toHaveCount(21);
  await expect(hits(page).nth(20)).toBeFocused();
  await expect(announced(page)).toHaveText('21 resultados de zapatilla');
  await expect(page).toHaveURL(searchUrl({ q: 'zapatiya' }));
  expect(asked()).toEqual([['zapatilla', undefined, true]]);

  requests.length = 0;
  await page.getByRole('link', { name: 'Buscar solo zapatiya' }).press('Enter');
  await expect(page).toHaveURL(searchUrl({ q: 'zapatiya', isExact: true }));
  await expect(page.getByText('¿Quizá quisiste decir zapatilla?')).toBeVisible();
  await expect(announced(page)).toHaveText('Sin resultados');
  expect(asked()).toEqual([['zapatiya', '1', false]]);
  await field(page).press('Enter');
  await expect(page).toHaveURL(searchUrl({ q: 'zapatiya' }));
  await expect(hits(page)).toHaveCount(21);
});

test('when nothing has all words, what has almost all of them is shown under a heading that says so, and announced', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana, { name: 'Rosquillas anisadas caseras' });
  await writeComments(forum, ana, channel, ['Unas rosquillas anisadas y caseras', 'Otra cosa']);
  await page.goto(searchUrl({ q: 'rosquillas anisadas caseras' }));
  await expect(timesAgo(page).first()).toBeVisible();
  const partial = page.getByRole('heading', { level: 2, name: 'Con casi todas tus palabras' });
  await expect(hits(page)).toHaveCount(1);
  await expect(partial).toHaveCount(0);
  await field(page).fill('rosquillas anisadas caseras quevedianas');
  await field(page).press('Enter');
  await expect(partial).toBeVisible();
  await expect(page.getByRole('heading', { level: 3, name: 'Canales' })).toBeVisible();
  await expect(hits(page)).toHaveText([/Unas rosquillas anisadas y caseras/]);
  await expect(announced(page)).toHaveText('2 resultados con casi todas tus palabras');
});

test.describe(() => {
  test.use({ expectedErrors: [/status of 404/] });

  test('the comments of a person who is found are searched as they are typed, until the person is erased', async ({
    page,
    forum,
  }) => {
    const rosa = await forum.person('Rosa Ibáñez');
    const ana = await forum.person('Ana Belén');
    const channel = await openChannel(forum, ana);
    await writeComments(forum, rosa, channel, ['Un rosal trepador', 'Otro rosal']);
    await writeComments(forum, ana, channel, ['Mi rosal']);
    await page.goto(searchUrl({ q: 'ibañez' }));
    await expect(timesAgo(page).first()).toBeVisible();
    await expect(announced(page)).toHaveText(/^\d resultados?$/);
    const people = page.getByRole('region', { name: 'Personas' });
    await people.getByRole('link', { name: 'Buscar en sus comentarios' }).click();
    await expect(page).toHaveURL(searchUrl({ author: rosa.id }));
    const ofRosa = page.getByRole('searchbox', {
      name: 'Buscar en los comentarios de Rosa Ibáñez',
    });
    await expect(ofRosa).toBeFocused();
    await expect(ofRosa).toHaveValue('');
    await page.keyboard.type('rosal');
    await expect(hits(page)).toHaveText([/Otro rosal/, /Un rosal trepador/]);
    await expect(page).toHaveURL(searchUrl({ author: rosa.id }));
    await expect(announced(page)).toHaveText('2 resultados');
    await page.getByRole('link', { name: 'Buscar en los comentarios de todos' }).click();
    await expect(page).toHaveURL(searchUrl({ q: 'rosal' }));
    await expect(hits(page)).toHaveCount(3);
    await page.goBack();
    await expect(ofRosa).toHaveValue('rosal');

    const { db } = forum.services;
    await db.updateTable('accounts').set({ erased_at_ms: 1 }).where('id', '=', rosa.id).execute();
    await field(page).fill('trepador');
    await expect(page.getByText(goneText).first()).toBeVisible();
    await expect(announced(page)).toHaveText(goneText);
    await expect(field(page)).toHaveValue('trepador');
    await page.getByRole('link', { name: 'Buscar en los comentarios de todos' }).click();
    await expect(page).toHaveURL(searchUrl({ q: 'trepador' }));
    await expect(hits(page)).toHaveCount(1);
  });
});

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/ERR_CONNECTION_FAILED/] });

  test('searches in a channel or of a person say where nothing was found, lead to wider ones, and are repeated or continued when asked', async ({
    page,
    forum,
  }) => {
    const julia = await forum.person('Julia Cuesta');
    const channel = await openChannel(forum, julia, { name: 'Especias' });
    const texts = Array.from({ length: 21 }, (_, index) => `Comino ${index + 1}`);
    await writeComments(forum, julia, channel, texts);
    const nothing = (name: string) => page.getByRole('region', { name });
    await page.goto(searchUrl({ channel: channel._id, q: 'comino' }));
    await expect(timesAgo(page).first()).toBeVisible();
    await field(page).fill('azafrán');
    await field(page).press('Enter');
    const inChannel = nothing('En este canal no hay resultados para «azafrán»');
    await expect(inChannel).toContainText('Prueba con menos palabras.');
    const asked = watchRequests(page, 'GET', apiRoutes.search);
    await forum.comment(julia, channel._id, 'El azafrán');
    await field(page).press('Enter');
    await expect(hits(page)).toHaveText([/El azafrán/]);
    expect(asked).toHaveLength(1);
    await field(page).fill('cúrcuma');
    await nothing('En este canal no hay resultados para «cúrcuma»')
      .getByRole('link', { name: 'Buscar en todos los canales' })
      .click();
    await expect(nothing('No hay resultados para «cúrcuma»')).toBeVisible();

    await field(page).fill('julia cuesta');
    await failOnce(page, 'GET', `**${apiRoutes.user(julia.id)}`, loseConnection);
    await page.getByRole('link', { name: 'Buscar en sus comentarios' }).click();
    await expect(page.getByRole('alert')).toHaveText(/^No hay conexión/);
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect(
      page.getByRole('searchbox', { name: 'Buscar en los comentarios de Julia Cuesta' }),
    ).toBeVisible();
    await field(page).fill('cúrcuma');
    const ofJulia = nothing('En sus comentarios no hay resultados para «cúrcuma»');
    await expect(
      ofJulia.getByRole('link', { name: 'Buscar en los comentarios de todos' }),
    ).toBeVisible();

    await field(page).fill('comino');
    await expect(hits(page)).toHaveCount(20);
    await failOnce(page, 'GET', /\/api\/search\?.*after=/, loseConnection);
    const more = page.getByRole('link', { name: 'Ver más' });
    await more.click();
    await expect(page.getByRole('alert')).toHaveText(/^No hay conexión/);
    await expect(hits(page)).toHaveCount(20);
    await more.click();
    await expect(hits(page)).toHaveCount(21);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});
