import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendRaw } from '../../../test/attacks/send-raw.ts';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { problemType } from './api-error.ts';

const get = (target: string, host = 'Host: foro.example\r\n') =>
  `GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;

// A request that ends the process ends the test. Random request lines are sent in fuzz.test.ts.
onEngine('sqlite', 'hostile requests', (forum) => {
  const send = (bytes: string) => sendRaw(forum().url, bytes);
  const codeOf = async (bytes: string) => JSON.parse((await send(bytes)).body).code;

  test('an address that no route has gets the NotFound page, which names no other site', async () => {
    for (const target of [
      ...['//%00', '/%00', 'http://[/%00', '//', '///', '////%20', 'http://[//'],
      ...['//evil.example/x', '/\\evil.example', 'http://evil.example/login'],
    ]) {
      const { status, head, body } = await send(get(target));
      assert.equal(status, 404, target);
      assert.ok(body.includes('<title>NotFound · tertulia</title>'), target);
      assert.match(head, /content-security-policy: .*script-src/i);
      assert.doesNotMatch(body, /content="https?:\/\/evil/, target);
    }
  });

  test('an address that cannot be decoded gets 404, with the headers of all responses', async () => {
    for (const target of ['//%ff', '//%', '/%ff', '/%', 'http://a/%ff']) {
      const { status, head, body } = await send(get(target));
      assert.equal(status, 404, target);
      assert.match(head, /x-content-type-options: nosniff/i);
      assert.match(body, /^<!doctype html>.*<h1/s);
    }
    assert.equal(await codeOf(get('/api/channels/%ff')), 'channel_not_found');
  });

  test('an address with NUL gets 404 whatever it is without, since no text can be stored with it', async () => {
    for (const target of ['/search?q=%00', '/channel/x%00', '/login?%00', '/rules%00?n=1']) {
      const { status, body } = await send(get(target));
      assert.equal(status, 404, target);
      assert.ok(body.includes('<title>NotFound · tertulia</title>'), target);
    }
    assert.equal((await send(get('/azulejo/x%00.svg'))).status, 404);
    assert.equal((await send(get('/files/images/x%00'))).status, 404);
    assert.equal(await codeOf(get('/api/search?q=%00')), 'not_found');
    assert.equal(await codeOf(get('/api/channels?after=%00')), 'not_found');
  });

  test('an address of 15,000 characters gets the NotFound page, or a problem in the API', async () => {
    const name = 'x'.repeat(15_000);
    const { status, body } = await send(get(`/channel/${name}`));
    assert.equal(status, 404);
    assert.ok(body.includes('<title>NotFound · tertulia</title>'));
    assert.equal(await codeOf(get(`/api/channels/${name}`)), 'channel_not_found');
  });

  test('bytes after the last request of a connection change nothing about its answer', async () => {
    for (const target of ['/healthz', '/api/channels']) {
      const { status, body } = await send(`${get(target)}{"a":1}`);
      assert.equal(status, 200, target);
      assert.doesNotMatch(body, /HTTP\/1\.1/);
    }
  });

  test('a Host that would make an unsafe link in a page is refused with 400', async () => {
    for (const host of [
      ...['[', 'a b', 'user:password@foro.example', 'foro.example/x', 'foro.example?x'],
      ...['foro.example#x', 'foro.example\\x', 'foro%2eexample', '"><script>', ''],
      ...['foro.example:x', 'foro.example:65536', '[::g]', '99999999999'],
      ...['foro.example, foro.example', 'foro.example\r\nhost: evil.example'],
      ...['foro\x00.example', 'for\xf3.example', 'a'.repeat(10_000), '['.repeat(10_000)],
    ]) {
      for (const target of ['/', '/nada', '/channel/x']) {
        const { status, head, body } = await send(get(target, `Host: ${host}\r\n`));
        assert.equal(status, 400, host);
        assert.ok(head.includes(problemType), host);
        assert.equal(JSON.parse(body).status, 400);
      }
    }
  });

  test('a page without Host is refused, a health check without it is answered, and valid ones are accepted', async () => {
    assert.equal((await send(get('/', ''))).status, 400);
    assert.equal((await send('GET / HTTP/1.0\r\n\r\n')).status, 400);
    for (const url of ['/healthz', '/readyz']) {
      assert.equal((await send(`GET ${url} HTTP/1.0\r\n\r\n`)).status, 200);
    }
    for (const host of [
      ...['foro.example', 'FORO.example:8080', 'mi_foro', 'localhost', '192.0.2.1:80'],
      ...['[::1]:3000', 'foro.example.'],
    ]) {
      assert.equal((await send(get('/', `Host: ${host}\r\n`))).status, 200, host);
    }
  });
});
