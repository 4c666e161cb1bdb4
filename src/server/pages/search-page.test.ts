import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../test/forum/both-engines.ts';
import type { Person } from '../../../test/forum/forum.ts';
import { pageRoutes, searchUrl } from '../../shared/routes.ts';

onEngine('sqlite', 'the search page', (forum) => {
  /** Opens a page. @returns its response, HTML, and the HTML and text of its main part */
  const open = async (url: string) => {
    const response = await forum().call('GET', url, { headers: { accept: 'text/html' } });
    const whole = await response.text();
    const html = /<main.*<\/main>/s.exec(whole)?.[0] ?? '';
    return { response, status: response.status, whole, html, text: html.replace(/<[^>]+>/g, '') };
  };
  const hrefTo = (url: string) => `href="${url.replaceAll('&', '&amp;')}"`;
  const nextOf = (html: string) =>
    /href="(\/search\?[^"]*after=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const marked = (html: string, word: string) => html.split(`<mark>${word}</mark>`).length - 1;

  /** Creates a channel with more comments than a page of results has. */
  async function fill(person: Person, name: string, text: string) {
    const channel = await forum().channel(person, name);
    for (let number = 1; number <= 21; number++) {
      await forum().comment(person, channel._id, `${text} ${number}`);
    }
    return channel;
  }

  test('shows all results without JavaScript, and is neither cached nor indexed by search engines', async () => {
    const channel = await fill(await forum().person(), 'Lavaderos', 'Un lavadero de piedra');
    const { response, status, whole, html } = await open(searchUrl({ q: 'lavadero piedra' }));
    assert.equal(status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.match(whole, /<title>lavadero piedra · Buscar · tertulia</);
    assert.ok(whole.includes('<meta name="robots" content="noindex">'));
    assert.equal(marked(html, 'lavadero'), 20);
    assert.equal(marked((await open(nextOf(html))).html, 'lavadero'), 1);
    const inside = await open(searchUrl({ q: 'nada', channel: channel._id }));
    assert.match(inside.text, /En Lavaderos.*Buscar en todos los canales/s);
  });

  test('corrects a misspelt word on all pages, and links to the word as it is written', async () => {
    await fill(await forum().person(), 'Cocina', 'Las croquetas');
    const exactUrl = searchUrl({ q: 'croqetas', isExact: true, sort: 'relevance' });
    const first = await open(searchUrl({ q: 'croqetas', sort: 'relevance' }));
    assert.match(first.html, /<input[^>]* value="croqetas"/);
    assert.match(first.text, /Resultados de croquetas\. Buscar solo croqetas/);
    assert.ok(first.html.includes(hrefTo(exactUrl)));
    assert.equal(marked(first.html, 'croquetas'), 20);
    assert.match(nextOf(first.html), /q=croquetas&.*sort=relevance/);
    const next = await open(nextOf(first.html));
    assert.equal(marked(next.html, 'croquetas'), 1);
    assert.ok(!next.text.includes('Resultados de'));

    const exact = await open(exactUrl);
    assert.match(exact.text, /No hay resultados para «croqetas»/);
    assert.match(exact.text, /¿Quizá quisiste decir croquetas\?/);
    assert.ok(exact.html.includes(hrefTo(searchUrl({ q: 'croquetas', sort: 'relevance' }))));
    // Another search from the form is not exact.
    assert.doesNotMatch(exact.html, /<input[^>]* name="exact"/);
  });

  test('has results that lack a word below a heading that says so, also on later pages', async () => {
    await fill(await forum().person(), 'Pestiños de Semana Santa', 'Pestiños de Santa Inés');
    const headings = (html: string) =>
      [...html.matchAll(/<(h[23])[^>]*>(.*?)<\/\1>/g)].map(([, level, text]) => `${level} ${text}`);
    const almost = 'h2 Con casi todas tus palabras';
    const first = await open(searchUrl({ q: 'receta de pestiños santa' }));
    assert.deepEqual(headings(first.html), [almost, 'h3 Canales', 'h3 Comentarios']);
    const next = await open(nextOf(first.html));
    assert.deepEqual(headings(next.html), [almost, 'h3 Comentarios']);
    const all = await open(searchUrl({ q: 'pestiños santa' }));
    assert.deepEqual(headings(all.html), ['h2 Canales', 'h2 Comentarios']);
  });

  test('finds a person by name, and searches the comments of that person alone', async () => {
    const rocio = await forum().person('Rocío Peña');
    const other = await forum().person('Otra Peña');
    const channel = await forum().channel(rocio, 'Paellas');
    await forum().comment(rocio, channel._id, 'Arroz bomba');
    await forum().comment(rocio, channel._id, 'Arroz largo');
    await forum().comment(other, channel._id, 'Arroz integral');
    const author = rocio.id;

    const named = await open(searchUrl({ q: 'rocio pena' }));
    const [people = ''] = /<h2 id="personas">.*?<\/ul>/.exec(named.html) ?? [];
    assert.equal(people.match(/<li/g)?.length, 1);
    assert.match(people, /<img/);
    assert.ok(people.includes(hrefTo(pageRoutes.user(author))));
    for (const html of [people, (await open(pageRoutes.user(author))).html]) {
      assert.ok(html.includes(hrefTo(searchUrl({ author }))));
    }
    const empty = await open(searchUrl({ author }));
    assert.match(empty.text, /Comentarios de Rocío Peña/);
    assert.match(empty.html, new RegExp(`<input[^>]* name="author" value="${author}"`));

    const wrote = await open(searchUrl({ q: 'arroz', author }));
    assert.match(wrote.text, /Arroz largo.*Arroz bomba/s);
    assert.equal(marked(wrote.html, 'Arroz'), 2);
    assert.ok(!wrote.html.includes('id="personas"'));
    const everywhere = searchUrl({ q: 'arroz' });
    const sorted = searchUrl({ q: 'arroz', author, sort: 'relevance' });
    for (const url of [everywhere, sorted]) assert.ok(wrote.html.includes(hrefTo(url)), url);
    assert.equal(marked((await open(sorted)).html, 'Arroz'), 2);
    assert.equal(marked((await open(everywhere)).html, 'Arroz'), 3);

    const none = await open(searchUrl({ q: 'nada de esto', author }));
    assert.match(none.text, /En sus comentarios no hay resultados para «nada de esto»/);
    assert.ok(none.html.includes(hrefTo(searchUrl({ q: 'nada de esto' }))));
    const nobody = '00000000-0000-7000-8000-000000000000';
    const gone = await open(searchUrl({ q: 'arroz', author: nobody }));
    assert.equal(gone.status, 200);
    assert.match(gone.text, /Esa persona no existe o ya no está\./);
    assert.equal(marked(gone.html, 'Arroz'), 0);
    assert.ok(gone.html.includes(hrefTo(everywhere)));
  });

  test('explains why it cannot search for a text, and keeps the text in its field', async () => {
    for (const [q, advice] of [
      ['-gato', 'sin el guion'],
      ['***', 'al menos una palabra'],
      ['a"<b '.repeat(900), '200 caracteres'],
    ] as const) {
      const { status, whole } = await open(searchUrl({ q }));
      assert.equal(status, 200, q);
      assert.ok(whole.includes(advice), advice);
      const value = /<input[^>]* value="([^"]*)"/.exec(whole)?.[1];
      assert.equal(value, q.trim().replaceAll('"', '&quot;').replaceAll('<', '&lt;'));
    }
  });

  test('responds to hostile URLs with a page, never with an error', async () => {
    const statuses: Record<number, string[]> = {
      200: [
        ...['', '?q=', '?q=%', '?q=%E0%A4%A&channel=', '?q=%ED%A0%80', '?q[]=a'],
        ...['?q=a&sort=constructor&__proto__=1', '?q=a&author=nada', '?q=a&exact=constructor'],
      ],
      400: ['?q=a&q=b', '?q=a&author=a&author=b'],
      404: ['?q=%00', '?q=a&after=1', '?q=a&after=', '?q=a&channel=nada', '/'],
    };
    for (const [expected, queries] of Object.entries(statuses)) {
      for (const query of queries) {
        const { status, response } = await open(pageRoutes.search + query);
        assert.equal(status, Number(expected), query);
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8', query);
      }
    }
  });
});
