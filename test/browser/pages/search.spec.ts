import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { commentLink, pageRoutes, searchUrl } from '../../../src/shared/routes.ts';
import { commentsShown, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { holdRequests, respondWithProblem, watchRequests } from '../network.ts';
import { channelWith } from '../replies.ts';
import { announced, field, hits } from '../search-page.ts';

const calls = `**${apiRoutes.search}?*`;

test('the typed text is searched at once, the last response wins and is announced, and Back finds it again', async ({
  page,
  forum,
}) => {
  const texts = Array.from({ length: 25 }, (_, index) => `Berenjenas al horno ${index + 1}`);
  const comments = [...texts, 'Una berza', 'Se me quemó la berza'];
  const { channel } = await channelWith(forum, comments);
  await page.goto(pageRoutes.home);
  await expect(timesAgo(page).first()).toBeVisible();
  await field(page).fill('berza');
  await field(page).press('Enter');
  await expect(hits(page)).toHaveCount(2);
  await expect(announced(page)).toHaveText('2 resultados');

  // The response to the text typed first arrives last.
  const { promise: isLater, resolve: answerFirst } = Promise.withResolvers<void>();
  await page.route(/q=ber&/, async (route) => {
    await isLater;
    await route.continue().catch(() => {});
  });
  const asked = page.waitForRequest(/q=ber&/);
  await field(page).fill('ber');
  expect(new URL((await asked).url()).searchParams.get('typing')).toBe('1');
  await field(page).press('End');
  await page.keyboard.type('enj');
  await expect(hits(page)).toHaveCount(20);
  answerFirst();
  await expect(announced(page)).toHaveText('Más de 20 resultados');
  await expect(hits(page).first()).toContainText('Berenjenas al horno 25');
  await expect(page).toHaveURL(searchUrl({ q: 'berza' }));
  await expect(page).toHaveTitle('berza · Buscar · tertulia');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('e');
  await expect(field(page)).toHaveValue('berenje');
  const more = page.getByRole('link', { name: 'Ver más' });
  await expect(more).toHaveAttribute('href', /q=berenje&/);
  await more.click();
  await expect(hits(page)).toHaveCount(25);
  await expect(hits(page).nth(20)).toBeFocused();
  const hit = hits(page).nth(22);
  await hit.scrollIntoViewIfNeeded();
  const y = await page.evaluate(() => scrollY);
  expect(y).toBeGreaterThan(300);
  await hit.locator('time').click();
  await expect(page).toHaveURL(commentLink(channel._id, 3));
  await expect(commentsShown(page).filter({ hasText: /horno 3(?!\d)/ })).toHaveAttribute(
    'data-linked',
    '',
  );
  await page.goBack();
  await expect(hits(page)).toHaveCount(25);
  await expect(field(page)).toHaveValue('berenje');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(y);

  // Enter adds a search to the history; the text typed before it does not.
  await field(page).fill('horno');
  await field(page).press('Enter');
  await expect(page).toHaveURL(searchUrl({ q: 'horno' }));
  await expect(hits(page)).toHaveCount(20);
  await page.goBack();
  await expect(page).toHaveURL(searchUrl({ q: 'berza' }));
  await expect(field(page)).toHaveValue('berza');
  await expect(hits(page)).toHaveCount(2);
  await field(page).fill('');
  await expect(page.getByRole('heading', { name: 'Cómo se busca' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(pageRoutes.home);
});

test.describe(() => {
  test.use({ expectedErrors: [/status of (429|400|404)|ERR_INTERNET_DISCONNECTED/] });

  test('a search that is refused or incomplete keeps the text, says why, and can be continued', async ({
    page,
    forum,
  }) => {
    const { channel } = await channelWith(forum, ['Un membrillo', 'Dos nísperos']);
    await page.goto(searchUrl({ q: 'membrillo' }));
    await expect(timesAgo(page).first()).toBeVisible();
    await page.route(calls, respondWithProblem('too_many_requests'));
    await field(page).fill('nispero');
    await expect(page.getByRole('alert')).toHaveText(/^Vas demasiado deprisa/);
    await expect(field(page)).toHaveValue('nispero');
    await expect(hits(page)).toHaveText([/Un membrillo/]);
    // The count for other words is not announced for these.
    await expect(announced(page)).toHaveText('');
    await page.unroute(calls);
    const { requests: retried, release } = await holdRequests(page, 'GET', calls);
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();
    await expect.poll(() => retried.length).toBe(1);
    release();
    await expect(hits(page)).toHaveText([/Dos nísperos/]);
    await page.unroute(calls);

    // The connection is lost, then comes back.
    await page.context().setOffline(true);
    await field(page).fill('membrillo');
    await expect(page.getByRole('alert')).toHaveText(/^No hay conexión con/);
    await page.context().setOffline(false);
    await expect(hits(page)).toHaveText([/Un membrillo/]);
    await expect(page.getByRole('alert')).toHaveCount(0);

    // No missing results are reported while a word is being typed, only once it is submitted.
    await field(page).fill('wk');
    await expect(page.getByText(/^Sigue escribiendo/).first()).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No hay resultados para «wk»' })).toHaveCount(0);
    await field(page).press('Enter');
    await expect(page.getByRole('heading', { name: 'No hay resultados para «wk»' })).toBeVisible();

    // A page without hits precedes others.
    const nothingYet = {
      data: [],
      people: [],
      channels: [],
      next: 'c',
      searched: null,
      suggestion: null,
      isComplete: false,
    };
    await page.route(calls, (route) => route.fulfill({ json: nothingYet }));
    await field(page).fill('mora');
    await expect(page.getByText(/el buscador se está preparando/)).toBeVisible();
    await page.route(calls, (route) => route.fulfill({ json: { ...nothingYet, next: null } }));
    await page.getByRole('link', { name: 'Seguir buscando' }).click();
    await expect(
      page.getByRole('heading', { name: 'No hay resultados para «mora»' }),
    ).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.unroute(calls);

    // The channel has been deleted.
    await page.goto(searchUrl({ channel: channel._id, q: 'membrillo' }));
    await expect(timesAgo(page).first()).toBeVisible();
    await page.route(calls, respondWithProblem('channel_not_found'));
    await field(page).fill('nisperos');
    await expect(page.getByText(/^Este canal ya no está/).first()).toBeVisible();
    await expect(field(page)).toHaveValue('nisperos');
    await page.unroute(calls);
    await page.getByRole('link', { name: 'Buscar en todos los canales' }).click();
    await expect(hits(page)).toHaveText([/Dos nísperos/]);

    // An empty field sends no request.
    const requests = watchRequests(page, 'GET', apiRoutes.search);
    await field(page).fill('');
    await expect(page.getByRole('heading', { name: 'Cómo se busca' })).toBeVisible();
    expect(requests).toEqual([]);
  });
});

test('words that a phone or a dead key composes are searched, the last typed ones stay when a link is followed, and hits can be copied', async ({
  page,
  forum,
}) => {
  const { channel } = await channelWith(forum, ['Alcachofas fritas', 'Alcachofas crudas']);
  await page.goto(searchUrl({ q: 'crudas' }));
  await expect(timesAgo(page).first()).toBeVisible();
  await field(page).fill('');
  const devTools = await page.context().newCDPSession(page);
  const composed = { text: 'alcacho´', selectionStart: 8, selectionEnd: 8 };
  await devTools.send('Input.imeSetComposition', composed);
  await expect(hits(page)).toHaveCount(2);
  await expect(field(page)).toHaveValue('alcacho´');
  await page.keyboard.insertText('alcachofas ');

  await page.keyboard.type('frit');
  await page.getByRole('link', { name: 'Más relevantes' }).click();
  await expect(page).toHaveURL(searchUrl({ q: 'alcachofas frit', sort: 'relevance' }));
  await expect(hits(page)).toHaveText([/Alcachofas fritas/]);
  await field(page).focus();
  await page.keyboard.type('as');
  await hits(page).getByRole('link').last().click();
  await expect(page).toHaveURL(commentLink(channel._id, 1));
  await page.goBack();
  await expect(field(page)).toHaveValue('alcachofas fritas');

  await expect(hits(page)).toHaveCount(1);
  const word = await hits(page).locator('mark').first().boundingBox();
  if (!word) throw new Error('not shown');
  await page.mouse.move(word.x + 1, word.y + word.height / 2);
  await page.mouse.down();
  await page.mouse.move(word.x + word.width, word.y + word.height / 2, { steps: 5 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe('Alcachofas');
  await expect(page).toHaveURL(searchUrl({ q: 'alcachofas frit', sort: 'relevance' }));
});

test('a channel leads to a search in it, which shows texts as they were written and leads to a search in all channels', async ({
  page,
  forum,
}) => {
  const ana = await forum.person();
  const channel = await openChannel(forum, ana, { name: 'Cine de barrio' });
  await writeComments(forum, ana, channel, ['Un tulipán', '<script>tulipán</script></mark>']);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(timesAgo(page).first()).toBeVisible();
  await page.getByRole('link', { name: 'Buscar en este canal' }).click();
  await expect(page).toHaveURL(searchUrl({ channel: channel._id }));
  await expect(
    page.getByRole('searchbox', { name: 'Buscar en el canal Cine de barrio' }),
  ).toBeFocused();
  await page.keyboard.type('tulipan');
  await expect(hits(page)).toHaveText([/<script>tulipán<\/script><\/mark>/, /Un tulipán/]);
  await expect(hits(page).locator('script')).toHaveCount(0);
  await expect(hits(page).first().locator('mark')).toHaveText('tulipán');
  await page.getByRole('link', { name: 'Buscar en todos los canales' }).click();
  await expect(page).toHaveURL(searchUrl({ q: 'tulipan' }));
  await expect(
    page.getByRole('searchbox', { name: 'Buscar en comentarios y canales' }),
  ).toHaveValue('tulipan');
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } });

  test('Enter hides the keyboard and searches whole words, and a tap anywhere on a hit opens it', async ({
    page,
    forum,
  }) => {
    const { channel } = await channelWith(forum, ['Un mango', 'La manguera']);
    await page.goto(searchUrl({ q: 'mango' }));
    await expect(timesAgo(page).first()).toBeVisible();
    await field(page).fill('mangu');
    await expect(hits(page).filter({ hasText: 'La manguera' })).toHaveCount(1);
    await field(page).press('Enter');
    await expect(hits(page)).toHaveText([/Un mango/]);
    await expect(field(page)).not.toBeFocused();
    await field(page).fill('manguera');
    await field(page).press('Enter');
    await expect(page).toHaveURL(searchUrl({ q: 'manguera' }));
    await expect(hits(page)).toHaveText([/La manguera/]);
    const text = await hits(page).locator('mark').boundingBox();
    await page.touchscreen.tap((text?.x ?? 0) + 5, (text?.y ?? 0) + 5);
    await expect(page).toHaveURL(commentLink(channel._id, 2));
  });
});
