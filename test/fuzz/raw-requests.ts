import fc from 'fast-check';
import { edited, edits } from './edits.ts';
import { known } from './known.ts';

/** The bytes sent on one connection, and the number of writes. */
export interface RawRequest {
  /** Each character is one byte. */
  text: string;
  writes: number;
}

const oneOf = fc.constantFrom<string[]>;
const joined = (pieces: string[], maxLength: number, between = '') =>
  fc.array(oneOf(...pieces), { maxLength }).map((parts) => parts.join(between));
const repeated = (unit: string, ...counts: number[]) =>
  fc.constantFrom(...counts).map((count) => unit.repeat(count));

const method = fc.oneof(
  {
    weight: 8,
    arbitrary: oneOf('GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  },
  { weight: 1, arbitrary: oneOf('TRACE', 'CONNECT', 'PRI', 'QUERY', 'get', '', 'G\0T', 'GET GET') },
);

const targetPieces = [
  ...'/ / // % %ff %00 %2f %5c %E0%A4%A .. . : [ ] ? # http: https:// api'.split(' '),
  ...'channels files images azulejo .svg channel live = & after @ * comments'.split(' '),
  ...'uploads assets __proto__ card.jpg 500.webp localhost ; %0d%0a'.split(' '),
  known.channel,
  known.image,
  known.upload,
  '\xf1',
  ' ',
  '\\',
  '\t',
];
const target = fc.oneof(
  { weight: 6, arbitrary: joined(targetPieces, 12) },
  { weight: 6, arbitrary: joined(targetPieces, 8).map((rest) => `/${rest}`) },
  {
    weight: 3,
    arbitrary: oneOf(
      '/',
      '//%ff',
      '//%',
      '/%ff',
      'http://[/%00',
      '//',
      '///',
      '*',
      '/?',
      '/?after=%',
    ),
  },
  { weight: 1, arbitrary: repeated('/a', 1000, 4000, 8000, 9000) },
  { weight: 1, arbitrary: repeated('%41', 1000, 5000) },
  {
    weight: 1,
    arbitrary: repeated('/?a=b&', 1).chain((head) => repeated('a=b&', 2000).map((q) => head + q)),
  },
);

const version = fc.oneof(
  { weight: 8, arbitrary: fc.constant('HTTP/1.1') },
  { weight: 1, arbitrary: oneOf('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'http/1.1', 'HTTP/1.1 x', '') },
);

const host = fc.oneof(
  { weight: 6, arbitrary: fc.constant('localhost') },
  {
    weight: 4,
    arbitrary: oneOf(
      '[',
      'a b',
      '',
      '[::1]',
      '[::1',
      'a:b',
      'a:99999',
      'x@y',
      '%00',
      '\xe4',
      'a,b',
      '/',
    ),
  },
  { weight: 1, arbitrary: joined(['a', '.', ':', '[', ']', '%', '@', '-', '_', '1', ' ', '/'], 6) },
);

const headerNames = [
  ...'host if-none-match if-range range if-modified-since accept accept-encoding'.split(' '),
  ...'accept-language cookie authorization forwarded x-forwarded-for'.split(' '),
  ...'x-forwarded-host x-forwarded-proto content-length transfer-encoding'.split(' '),
  ...'content-type content-encoding expect connection upgrade last-event-id'.split(' '),
  ...'origin access-control-request-method access-control-request-headers'.split(' '),
  ...'idempotency-key tus-resumable upload-length upload-offset upload-metadata'.split(' '),
  ...'upload-concat upload-defer-length keep-alive te'.split(' '),
  'x y',
  '',
  ...['x-http-method-override', 'sec-fetch-mode', 'sec-fetch-dest', '__proto__', 'x-request-id'],
];
const headerPieces = [
  ...'* " , ; = W/ a 0 - 1 9999999999 bytes= chunked gzip br q= identity / Og=='.split(' '),
  ...'http https javascript :// evil.example 127.0.0.1 ::1 close keep-alive'.split(' '),
  ...'upgrade NaN websocket 100-continue application/json text/event-stream'.split(' '),
  ...'text/html 1.0.0 -1 1e9 application/offset+octet-stream navigate'.split(' '),
  ' ',
  '\t',
  'Bearer ',
  'Basic ',
  known.token,
  '\xff',
  '\x01',
  known.channel,
  known.comment,
];
const headerValue = fc.oneof(
  { weight: 8, arbitrary: joined(headerPieces, 5) },
  { weight: 1, arbitrary: repeated(' ', 3000).map((gap) => `a${gap}b`) },
  { weight: 1, arbitrary: repeated('"a", ', 1000) },
  { weight: 1, arbitrary: repeated('a', 9000, 17_000) },
);
const header = fc
  .tuple(oneOf(...headerNames), headerValue)
  .map(([name, value]) => `${name}: ${value}`);

const body = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ headers: [] as string[], bytes: '' }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        joined(['{', '}', '[', ']', '"', 'a', ':', ',', '1', 'null', '\\u0000', '\xff'], 12),
        fc.integer({ min: -3, max: 3 }),
      )
      .map(([bytes, wrongBy]) => ({
        headers: ['content-type: application/json', `content-length: ${bytes.length + wrongBy}`],
        bytes,
      })),
  },
  {
    weight: 2,
    arbitrary: joined(
      [
        '0\r\n\r\n',
        '5\r\nabcde\r\n',
        '5\r\nabc\r\n',
        'ffffffffffffffffff\r\n',
        '-1\r\n',
        '1;a=b\r\nx\r\n',
        '2\n{}\n',
        '0\r\na: b\r\n\r\n',
        'x',
      ],
      5,
    ).map((bytes) => ({
      headers: ['content-type: application/json', 'transfer-encoding: chunked'],
      bytes,
    })),
  },
);

const request = fc
  .record({
    method,
    target,
    version,
    hosts: fc.oneof(
      { weight: 8, arbitrary: fc.tuple(host) },
      { weight: 1, arbitrary: fc.array(host, { maxLength: 2 }) },
    ),
    headers: fc.array(header, { maxLength: 5 }),
    body,
    eol: fc.oneof(
      { weight: 12, arbitrary: fc.constant('\r\n') },
      { weight: 1, arbitrary: oneOf('\n', '\r', '\r\n ') },
    ),
  })
  .map(({ method, target, version, hosts, headers, body, eol }) =>
    [
      `${method} ${target} ${version}`,
      ...hosts.map((one) => `host: ${one}`),
      ...headers,
      ...body.headers,
      '',
      body.bytes,
    ].join(eol),
  );

/** Invalid request lines, hosts, headers, lengths and chunks, also pipelined. */
export const rawRequests: fc.Arbitrary<RawRequest> = fc
  .record({
    requests: fc.array(request, { minLength: 1, maxLength: 2 }),
    changes: fc.oneof(edits(0), edits(0), edits(4)),
    writes: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ requests, changes, writes }) => ({
    text: edited(Buffer.from(requests.join(''), 'latin1'), changes).toString('latin1'),
    writes,
  }));
