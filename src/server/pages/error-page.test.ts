import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sendRaw } from '../../../test/attacks/send-raw.ts';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { pageRoutes } from '../../shared/routes.ts';

/** The `accept` header that browsers send when they navigate. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Asserts that a response is an error page with this status. @returns its HTML */
async function expectErrorPage(response: Response, status: number, title: string): Promise<string> {
  const html = await response.text();
  assert.equal(response.status, status);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(/<h1>([^<]*)<\/h1>/.exec(html)?.[1], title);
  assert.match(html, /^<!doctype html><html lang="es">/);
  assert.match(html, /<a[^>]* href="\/">Volver al inicio<\/a>/);
  assert.doesNotMatch(html, /<script|\.ts|node_modules|secret/);
  assert.ok(html.length < 10_000, `${html.length} characters`);
  const css = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(css).digest('base64');
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.ok(policy.includes(`style-src 'sha256-${hash}';`), policy);
  assert.ok(policy.includes("default-src 'none'"), policy);
  return html;
}

describe('the response to a failed page request', () => {
  let broken: Forum;
  before(async () => {
    const renderPage = () => {
      throw new Error('a secret of the renderer');
    };
    broken = await Forum.start('sqlite', { LOG_LEVEL: 'silent' }, { renderPage });
  });
  after(() => broken?.stop());

  test('is a small page with advice when the renderer crashes', async () => {
    for (const url of [pageRoutes.home, pageRoutes.login, '/nada', '/a%00b']) {
      const response = await broken.call('GET', url, { headers: { accept } });
      const id = response.headers.get('x-request-id');
      const html = await expectErrorPage(response, 500, 'Error del servidor');
      assert.match(html, /<a class="primary" href="">Volver a intentarlo<\/a>/);
      assert.match(html, /vuelve a intentarlo en un momento/);
      assert.ok(id && html.includes(id), 'its code finds it in the log');
    }
    const head = await broken.call('HEAD', '/', { headers: { accept } });
    assert.equal(head.status, 500);
    assert.match(head.headers.get('content-type') ?? '', /^text\/html/);
  });

  test('is a small page with advice when the database fails', async () => {
    await using forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent' });
    await forum.services.db.destroy();
    for (const url of [pageRoutes.home, pageRoutes.channel('x')]) {
      const response = await forum.call('GET', url, { headers: { accept } });
      await expectErrorPage(response, 500, 'Error del servidor');
    }
  });

  test('is problem+json for clients that do not accept HTML', async () => {
    await expectProblem(await broken.call('GET', '/'), 500, 'internal_error');
    const headers = { accept: 'application/json' };
    await expectProblem(await broken.call('GET', '/', { headers }), 500, 'internal_error');
  });

  test('is problem+json for browsers too on routes of the API', async () => {
    const headers = { accept };
    const me = await broken.call('GET', apiRoutes.me, { headers });
    await expectProblem(me, 401, 'not_signed_in');
    await expectProblem(await broken.call('GET', '/api/nada', { headers }), 404, 'not_found');
    await expectProblem(await broken.call('POST', '/nada', { headers }), 404, 'not_found');
    await broken.services.db.destroy();
    const list = await broken.call('GET', apiRoutes.channels, { headers });
    await expectProblem(list, 500, 'internal_error');
    await expectProblem(await broken.call('GET', '/readyz', { headers }), 503, 'unavailable');
  });
});

test('responds to an invalid address or Host with an error page, or problem+json without an Accept header for HTML', async () => {
  await using forum = await Forum.start('sqlite');
  const twice = '/?after=a&after=b';
  const html = await expectErrorPage(
    await forum.call('GET', twice, { headers: { accept } }),
    400,
    'Petición no válida',
  );
  assert.match(html, /Esta dirección no se entiende/);
  await expectProblem(await forum.call('GET', twice), 400, 'invalid_request');

  const request = `GET / HTTP/1.1\r\nHost: [\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`;
  const { status, body } = await sendRaw(forum.url, request);
  assert.equal(status, 400);
  assert.match(body, /^<!doctype html>.*Esta dirección no se entiende/s);
});
