import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { pageRoutes, searchUrl } from '../../shared/routes.ts';

onEngine('sqlite', 'the search page', (forum) => {
  const page = async (url: string, accept = 'text/html') => {
    const response = await forum().call('GET', url, { headers: { accept } });
    const html = await response.text();
    return { response, status: response.status, html };
  };

  test('shows results without JavaScript, and is neither cached nor indexed by search engines', async () => {
    const person = await forum().person();
    const channel = await forum().channel(person, 'Lavaderos');
    for (let number = 1; number <= 21; number++) {
      await forum().comment(person, channel._id, `Un lavadero de piedra ${number}`);
    }
    const { response, status, html } = await page(searchUrl({ q: 'lavadero piedra' }));
    assert.equal(status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(/<title>([^<]*)/.exec(html)?.[1], 'lavadero piedra · Buscar · tertulia');
    assert.ok(html.includes('<meta name="robots" content="noindex">'));
    assert.equal(html.match(/<mark>lavadero<\/mark>/g)?.length, 20);
    const next = /href="(\/search\?[^"]*after=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    assert.ok(next);
    const last = await page(next);
    assert.equal(last.html.match(/<mark>lavadero<\/mark>/g)?.length, 1);
    const inside = await page(searchUrl({ q: 'lavadero', channel: channel._id }));
    assert.ok(inside.html.includes('Lavaderos'));
  });

  /** Opens a page and returns its main part and text. */
  const open = async (url: string) => {
    const { status, html } = await page(url);
    const main = /<main.*<\/main>/s.exec(html)?.[0] ?? '';
    return { status, html: main, text: main.replace(/<[^>]+>/g, '') };
  };
  const hrefTo = (url: string) => `href="${url.replaceAll('&', '&amp;')}"`;

  test('corrects a misspelt word on all pages, and links to the word as it is written', async () => {
    const person = await forum().person();
    const channel = await forum().channel(person, 'Cocina');
    for (let number = 1; number <= 21; number++) {
      await forum().comment(person, channel._id, `Las croquetas ${number}`);
    }
    const hitsIn = (html: string) => html.match(/<mark>croquetas<\/mark>/g)?.length ?? 0;
    const exactUrl = searchUrl({ q: 'croqetas', isExact: true, sort: 'relevance' });
    const first = await open(searchUrl({ q: 'croqetas', sort: 'relevance' }));
    assert.match(first.html, /<input[^>]* value="croqetas"/);
    assert.match(first.text, /Resultados de croquetas\. Buscar solo croqetas/);
    assert.ok(first.html.includes(hrefTo(exactUrl)));
    assert.equal(hitsIn(first.html), 20);
    const [, more = ''] =
      /href="(\/search\?q=croquetas&amp;[^"]*after=[^"]*)"/.exec(first.html) ?? [];
    assert.match(more, /&amp;sort=relevance&amp;/);
    const next = await open(more.replaceAll('&amp;', '&'));
    assert.equal(hitsIn(next.html), 1);
    assert.ok(!next.text.includes('Resultados de'));

    const exact = await open(exactUrl);
    assert.match(exact.text, /No hay resultados para «croqetas»/);
    assert.match(exact.text, /¿Quizá quisiste decir croquetas\?/);
    assert.ok(exact.html.includes(hrefTo(searchUrl({ q: 'croquetas', sort: 'relevance' }))));
    // Another search from the form is not exact.
    assert.doesNotMatch(exact.html, /<input[^>]* name="exact"/);
  });

  test('results that lack a word are below a heading that says so, also on later pages', async () => {
    const person = await forum().person();
    const channel = await forum().channel(person, 'Pestiños de Semana Santa');
    for (let number = 1; number <= 21; number++) {
      await forum().comment(person, channel._id, `Pestiños de Santa Inés ${number}`);
    }
    const headings = (html: string) =>
      [...html.matchAll(/<(h[23])[^>]*>(.*?)<\/\1>/g)].map(([, level, text]) => [level, text]);
    const almost = ['h2', 'Con casi todas tus palabras'];
    const first = await open(searchUrl({ q: 'receta de pestiños santa' }));
    assert.deepEqual(headings(first.html), [almost, ['h3', 'Canales'], ['h3', 'Comentarios']]);
    const [, more = ''] = /href="(\/search\?[^"]*after=[^"]*)"/.exec(first.html) ?? [];
    const next = await open(more.replaceAll('&amp;', '&'));
    assert.deepEqual(headings(next.html), [almost, ['h3', 'Comentarios']]);
    const all = await open(searchUrl({ q: 'pestiños santa' }));
    assert.deepEqual(headings(all.html), [
      ['h2', 'Canales'],
      ['h2', 'Comentarios'],
    ]);
  });

  test('finds a person by name, and searches the comments of that person alone', async () => {
    const rocio = await forum().person('Rocío Peña');
    const other = await forum().person('Otra Peña');
    const channel = await forum().channel(rocio, 'Paellas');
    await forum().comment(rocio, channel._id, 'Arroz bomba');
    await forum().comment(rocio, channel._id, 'Arroz largo');
    await forum().comment(other, channel._id, 'Arroz integral');
    const wordsIn = (html: string) =>
      [...html.matchAll(/<mark>Arroz<\/mark>(?:<span>)? (\w+)/g)].map(([, word]) => word);

    const named = await open(searchUrl({ q: 'rocio pena' }));
    const [people = ''] = /<h2 id="personas">.*?<\/ul>/.exec(named.html) ?? [];
    assert.equal(people.match(/<li/g)?.length, 1);
    assert.match(people, /<img/);
    assert.ok(people.includes(hrefTo(pageRoutes.user(rocio.id))));
    assert.ok(people.includes(hrefTo(searchUrl({ author: rocio.id }))));
    const profile = await open(pageRoutes.user(rocio.id));
    assert.ok(profile.html.includes(hrefTo(searchUrl({ author: rocio.id }))));

    const empty = await open(searchUrl({ author: rocio.id }));
    assert.match(empty.text, /Comentarios de Rocío Peña/);
    assert.match(empty.html, new RegExp(`<input[^>]* name="author" value="${rocio.id}"`));
    const wrote = await open(searchUrl({ q: 'arroz', author: rocio.id }));
    assert.deepEqual(wordsIn(wrote.html), ['largo', 'bomba']);
    assert.ok(!wrote.html.includes('id="personas"'));
    const sorted = searchUrl({ q: 'arroz', author: rocio.id, sort: 'relevance' });
    assert.ok(wrote.html.includes(hrefTo(sorted)));
    assert.equal(wordsIn((await open(sorted)).html).length, 2);
    assert.ok(wrote.html.includes(hrefTo(searchUrl({ q: 'arroz' }))));
    assert.equal(wordsIn((await open(searchUrl({ q: 'arroz' }))).html).length, 3);

    const none = await open(searchUrl({ q: 'nada de esto', author: rocio.id }));
    assert.match(none.text, /En sus comentarios no hay resultados para «nada de esto»/);
    assert.ok(none.html.includes(hrefTo(searchUrl({ q: 'nada de esto' }))));
    for (const author of ['00000000-0000-7000-8000-000000000000']) {
      const gone = await open(searchUrl({ q: 'arroz', author }));
      assert.equal(gone.status, 200);
      assert.match(gone.text, /Esa persona no existe o ya no está\./);
      assert.deepEqual(wordsIn(gone.html), []);
      assert.ok(gone.html.includes(hrefTo(searchUrl({ q: 'arroz' }))));
    }
  });

  test('in a channel without hits, offers n for ñ or ñ for n, and a search in all channels', async () => {
    const person = await forum().person();
    const channel = await forum().channel(person, 'Montaña');
    await forum().comment(person, channel._id, 'Vimos una araña enorme');
    const first = (await page(searchUrl({ q: 'arana', channel: channel._id }))).html;
    const similar = first.replaceAll(/<[^>]*>/g, '');
    assert.match(similar, /Resultados de araña\. Buscar solo arana/);
    assert.match(similar, /Vimos una araña enorme/);
    const only = /href="(\/search\?[^"]*)">Buscar solo/.exec(first)?.[1];
    const { html } = await page(only?.replaceAll('&amp;', '&') ?? '');
    const text = html.replaceAll(/<[^>]*>/g, '');
    assert.match(text, /En Montaña/);
    assert.match(text, /¿Quizá quisiste decir araña\?/);
    assert.match(text, /Buscar en todos los canales/);
    assert.doesNotMatch(text, /Vimos una araña enorme/);
  });

  test('explains why it cannot search for a text, and keeps the text in its field', async () => {
    for (const [q, advice] of [
      ['-gato', 'sin el guion'],
      ['***', 'al menos una palabra'],
      ['a"<b '.repeat(900), '200 caracteres'],
    ] as const) {
      const { status, html } = await page(searchUrl({ q }));
      assert.equal(status, 200, q);
      assert.ok(html.includes(advice), advice);
      const value = /<input[^>]* value="([^"]*)"/.exec(html)?.[1];
      assert.equal(value, q.trim().replaceAll('"', '&quot;').replaceAll('<', '&lt;'));
    }
  });

  test('responds to hostile URLs with a page, never with an error', async () => {
    for (const [url, expected] of [
      [pageRoutes.search, 200],
      ['/search?q=', 200],
      ['/search?q=%', 200],
      ['/search?q=%E0%A4%A&channel=', 200],
      ['/search?q=%ED%A0%80', 200],
      ['/search?q=%00', 404],
      ['/search?q=a&sort=constructor&__proto__=1', 200],
      ['/search?q=a&q=b', 400],
      ['/search?q[]=a', 200],
      ['/search?q=a&after=1', 404],
      ['/search?q=a&after=', 404],
      ['/search?q=a&channel=nada', 404],
      ['/search?q=a&author=nada', 200],
      ['/search?q=a&author=a&author=b', 400],
      ['/search?q=a&exact=constructor', 200],
      ['/search/', 404],
    ] as const) {
      const { status, response } = await page(url);
      assert.equal(status, expected, url);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8', url);
    }
  });
});
