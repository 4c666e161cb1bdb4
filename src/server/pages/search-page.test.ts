import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { pageRoutes, searchUrl } from '../../shared/routes.ts';

onBothEngines('the search page', (forum) => {
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
      assert.equal(value, q.replaceAll('"', '&quot;').replaceAll('<', '&lt;'));
    }
  });

  test('responds to hostile URLs with a page, never with an error', async () => {
    for (const [url, expected] of [
      [pageRoutes.search, 200],
      ['/search?q=', 200],
      ['/search?q=%', 200],
      ['/search?q=%E0%A4%A&channel=', 200],
      ['/search?q=%00%ED%A0%80', 200],
      ['/search?q=a&sort=constructor&__proto__=1', 200],
      ['/search?q=a&q=b', 400],
      ['/search?q[]=a', 200],
      ['/search?q=a&after=1', 404],
      ['/search?q=a&after=', 404],
      ['/search?q=a&channel=nada', 404],
      ['/search?q=a&channel=%00', 404],
      ['/search?q=a&author=nada', 200],
      ['/search?q=a&author=%00', 200],
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
