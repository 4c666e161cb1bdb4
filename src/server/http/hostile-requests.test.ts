import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type RawResponse, sendRaw } from '../../../test/attacks/send-raw.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';
import { problemType } from './api-error.ts';

const get = (target: string, host = 'Host: foro.example\r\n') =>
  `GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;

const isNotFoundPage = ({ body }: RawResponse) =>
  body.includes('<title>NotFound · tertulia</title>');

/** Texts that have broken URL parsers, decoders and routers. */
const fragments = [
  ...[
    '',
    '/',
    '//',
    '///',
    '/..',
    '/../..',
    '/./',
    '\\',
    '/\\\\',
    '*',
    '@',
    'a@b',
    ':',
    ':0',
    '[',
    ']',
    '[::',
  ],
  ...[
    '%',
    '%f',
    '%ff',
    '%00',
    '%2f',
    '%2e%2e',
    '%c0%af',
    '%ed%a0%80',
    '%u0041',
    '%25%',
    '+',
    ';',
    '|',
    '^',
    '`',
  ],
  ...[
    '?',
    '??',
    '?%',
    '?after=%ff',
    '?after=%00',
    '?after[]=1',
    '?__proto__=1',
    '?a=1&a=2',
    '#',
    '#%',
    '"',
    "'",
    '<>',
  ],
  ...[
    '\x00',
    '\t',
    '\x7f',
    '\x80\xff',
    '\r',
    '\n',
    '\r\n\r\n',
    '{}',
    '{{7*7}}',
    '__proto__',
    'constructor',
  ],
  ...[
    'http://',
    'http://[',
    'http://[/',
    'http:/',
    'https://a@b:c/',
    'javascript:',
    'data:,',
    'file:///',
    'a'.repeat(9000),
  ],
];

describe('hostile requests', () => {
  let dataDir: string;
  let server: ServerProcess;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-hostile-'));
    server = await ServerProcess.start({ DATA_DIR: dataDir, RATE_LIMITS: 'off' });
  });
  after(async () => {
    server?.kill('SIGKILL');
    await server?.ended;
    await rm(dataDir, { recursive: true, force: true });
  });

  const send = (bytes: string) => sendRaw(server.url, bytes);
  const isAlive = async () => (await fetch(`${server.url}/healthz`)).ok;

  for (const target of [
    '//%00',
    '/%00',
    'http://[/%00',
    '//',
    '///',
    '////%20',
    '//evil.example/x',
    '/\\evil.example',
    'http://[//',
    'http://evil.example/login',
  ]) {
    test(`GET ${target} gets the NotFound page, and the process survives`, async () => {
      const answer = await send(get(target));
      assert.equal(answer.status, 404);
      assert.ok(isNotFoundPage(answer));
      assert.match(answer.head, /content-security-policy: .*script-src/i);
      assert.ok(await isAlive());
      assert.doesNotMatch(answer.body, /content="https?:\/\/evil/);
    });
  }

  for (const target of ['//%ff', '//%', '/%ff', '/%', 'http://a/%ff', '/api/channels/%ff']) {
    test(`GET ${target} cannot be decoded, and is an unknown address`, async () => {
      const { status, head, body } = await send(get(target));
      assert.equal(status, 404);
      assert.match(head, /x-content-type-options: nosniff/i);
      if (target.startsWith('/api/')) assert.equal(JSON.parse(body).code, 'channel_not_found');
      else assert.match(body, /^<!doctype html>.*<h1/s);
      assert.ok(await isAlive());
    });
  }

  test('a name as long as the request line allows is an unknown route', async () => {
    const long = 'x'.repeat(15_000);
    assert.ok(isNotFoundPage(await send(get(`/channel/${long}`))));
    const channel = await send(get(`/api/channels/${long}`));
    assert.equal(JSON.parse(channel.body).code, 'channel_not_found');
  });

  for (const [what, host] of [
    ['an open bracket', 'Host: [\r\n'],
    ['a space', 'Host: a b\r\n'],
    ['a user', 'Host: user:password@foro.example\r\n'],
    ['a path', 'Host: foro.example/x\r\n'],
    ['a query', 'Host: foro.example?x\r\n'],
    ['a fragment', 'Host: foro.example#x\r\n'],
    ['a backslash', 'Host: foro.example\\x\r\n'],
    ['a percent sign', 'Host: foro%2eexample\r\n'],
    ['markup', 'Host: "><script>\r\n'],
    ['no digits as port', 'Host: foro.example:x\r\n'],
    ['a port that is too large', 'Host: foro.example:65536\r\n'],
    ['no IPv6 address in brackets', 'Host: [::g]\r\n'],
    ['a number that is no address', 'Host: 99999999999\r\n'],
    ['two names', 'Host: foro.example, foro.example\r\n'],
    ['nothing', 'Host:\r\n'],
    ['two headers', 'Host: foro.example\r\nhost: evil.example\r\n'],
    ['a NUL', 'Host: foro\x00.example\r\n'],
    ['bytes beyond ASCII', 'Host: for\xf3.example\r\n'],
    ['10,000 characters', `Host: ${'a'.repeat(10_000)}\r\n`],
    ['10,000 brackets', `Host: ${'['.repeat(10_000)}\r\n`],
  ] as const) {
    test(`a page for a Host with ${what}, which would be in its links, is refused with 400`, async () => {
      for (const target of ['/', '/nada', '/channel/x']) {
        const { status, head, body } = await send(get(target, host));
        assert.equal(status, 400, target);
        assert.ok(head.includes(problemType), target);
        assert.equal(JSON.parse(body).status, 400);
      }
      assert.ok(await isAlive());
    });
  }

  test('a request without Host is refused', async () => {
    assert.equal((await send(get('/', ''))).status, 400);
    assert.equal((await send('GET / HTTP/1.0\r\n\r\n')).status, 400);
    // Load balancers check these with HTTP/1.0.
    assert.equal((await send('GET /healthz HTTP/1.0\r\n\r\n')).status, 200);
    assert.equal((await send('GET /readyz HTTP/1.0\r\n\r\n')).status, 200);
  });

  for (const host of [
    'foro.example',
    'FORO.example:8080',
    'mi_foro',
    'localhost',
    '192.0.2.1:80',
    '[::1]:3000',
    'foro.example.',
  ]) {
    test(`Host: ${host} is accepted`, async () => {
      assert.equal((await send(get('/', `Host: ${host}\r\n`))).status, 200);
    });
  }

  test('request lines of hostile fragments neither end the process nor cause a 5xx', async () => {
    const prefixes = [
      '',
      '/',
      '//',
      '/channel/',
      '/files/images/',
      '/api/channels/',
      '/azulejo/',
      'http://a/',
    ];
    const lines = [
      ...fragments.flatMap((fragment) =>
        prefixes.map((prefix) => `GET ${prefix}${fragment} HTTP/1.1`),
      ),
      ...fragments.flatMap((one) => ['[', '%ff', '//'].map((two) => `GET /${one}${two} HTTP/1.1`)),
      ...fragments.flatMap((fragment) => [`${fragment} / HTTP/1.1`, `GET / ${fragment}`, fragment]),
      ...['POST', 'PUT', 'OPTIONS', 'HEAD', 'CONNECT', 'TRACE', 'PRI', 'get'].flatMap((method) =>
        ['*', '/', '//%ff', 'a:1', 'http://[/%'].map((target) => `${method} ${target} HTTP/1.1`),
      ),
      ...['/ HTTP/9.9', '/ HTTP/1.', '/ HTTP/2.0', '/', ''].map((rest) => `GET ${rest}`),
    ];
    const hosts = ['Host: foro.example\r\n', 'Host: [\r\n'];
    const headers = [
      '',
      'Upgrade: websocket\r\nConnection: upgrade\r\n',
      'Expect: x\r\n',
      'Transfer-Encoding: x\r\n',
    ];
    const requests = [
      ...lines.flatMap((line) =>
        hosts.map((host) => `${line}\r\n${host}Connection: close\r\n\r\n`),
      ),
      ...headers.flatMap((header) =>
        hosts.map((host) => `GET //%ff HTTP/1.1\r\n${host}${header}Connection: close\r\n\r\n`),
      ),
    ];
    const failed: string[] = [];
    for (let start = 0; start < requests.length; start += 50) {
      await Promise.all(
        requests.slice(start, start + 50).map(async (request) => {
          const { status, body } = await send(request);
          if (status >= 500 || /\n\s+at /.test(body)) failed.push(`${status} ${request}`);
        }),
      );
    }
    assert.deepEqual(failed, []);
    assert.ok(await isAlive());
    assert.deepEqual(
      server.logged(/failed|uncaught/).map(({ msg }) => msg),
      [],
    );
  });
});
