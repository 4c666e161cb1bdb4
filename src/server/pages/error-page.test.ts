import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sendRaw } from '../../../test/attacks/send-raw.ts';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Problem } from '../../shared/errors.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { errorPage } from './error-page.ts';

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
    const renderDocument = () => {
      throw new Error('a secret of the renderer');
    };
    broken = await Forum.start('sqlite', { LOG_LEVEL: 'silent' }, { renderDocument });
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

  test('is problem+json for clients that do not accept HTML, and on routes of the API for all', async () => {
    const json = { accept: 'application/json' };
    for (const headers of [{}, json] as Record<string, string>[]) {
      const home = await broken.call('GET', '/', { headers });
      await expectProblem(home, 500, 'internal_error');
    }
    const ask = (method: string, url: string) => broken.call(method, url, { headers: { accept } });
    await expectProblem(await ask('GET', apiRoutes.me), 401, 'not_signed_in');
    await expectProblem(await ask('GET', '/api/nada'), 404, 'not_found');
    await expectProblem(await ask('POST', '/nada'), 404, 'not_found');
  });

  test('is a small page, and problem+json on routes of the API, when the database fails', async () => {
    await using forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent' });
    await forum.closeDatabase();
    const ask = (url: string) => forum.call('GET', url, { headers: { accept } });
    for (const url of [pageRoutes.home, pageRoutes.channel('x')]) {
      await expectErrorPage(await ask(url), 500, 'Error del servidor');
    }
    await expectProblem(await ask(apiRoutes.channels), 500, 'internal_error');
    await expectProblem(await ask('/readyz'), 503, 'unavailable');
  });
});

test('offers to try again after too many requests, and not after a refusal', () => {
  const pageOf = (status: number) =>
    errorPage({ status, code: 'too_many_requests', title: 'x', detail: 'y' } as Problem);
  assert.match(pageOf(429), /<a class="primary" href="">Volver a intentarlo<\/a>/);
  assert.doesNotMatch(pageOf(403), /Volver a intentarlo/);
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
