import fc from 'fast-check';
import { edited, edits } from './edits.ts';
import { known } from './known.ts';
import { weighted, wordOf } from './weighted.ts';

/** The bytes sent on one connection, and the number of writes. */
export interface RawRequest {
  /** Each character is one byte. */
  text: string;
  writes: number;
}

const oneOf = fc.constantFrom<string[]>;
const joined = (pieces: string[], maxLength: number) =>
  fc.array(oneOf(...pieces), { maxLength }).map((parts) => parts.join(''));
const repeated = (unit: string, ...counts: number[]) =>
  fc.constantFrom(...counts).map((count) => unit.repeat(count));

const method = weighted(
  [8, wordOf('GET GET HEAD POST PUT PATCH DELETE OPTIONS')],
  [1, oneOf('TRACE', 'CONNECT', 'PRI', 'QUERY', 'get', '', 'G\0T', 'GET GET')],
);

/** Texts that have broken URL parsers, decoders and routers. */
const targetPieces = [
  ...'/ / // % %ff %00 %2f %5c %E0%A4%A .. . : [ ] ? # http: https:// api'.split(' '),
  ...'channels files images azulejo .svg channel live = & after @ * comments'.split(' '),
  ...'uploads assets __proto__ card.jpg 500.webp localhost ; %0d%0a [:: %2e%2e'.split(' '),
  ...'%c0%af %ed%a0%80 %u0041 %25% + | ^ ` ?after[]=1 ?a=1&a=2 " \' <> {{7*7}}'.split(' '),
  ...'javascript: data:, http://[ https://a@b:c/ constructor'.split(' '),
  ...[known.channel, known.image, known.upload],
  ...['\xf1', '\x80\xff', ' ', '\\', '\t', '\0', '\x7f', '\r', '\n', '\r\n\r\n'],
];
const target = weighted(
  [6, joined(targetPieces, 12)],
  [6, joined(targetPieces, 8).map((rest) => `/${rest}`)],
  [3, wordOf('/ //%ff //% /%ff http://[/%00 // /// * /? /?after=% a:1')],
  [1, repeated('/a', 1000, 4000, 8000, 9000)],
  [1, repeated('%41', 1000, 5000)],
  [1, fc.constant(`/?${'a=b&'.repeat(2000)}`)],
);

const version = weighted(
  [8, fc.constant('HTTP/1.1')],
  [1, oneOf('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.', 'http/1.1', 'HTTP/1.1 x', '')],
);

const host = weighted(
  [6, fc.constant('localhost')],
  [4, oneOf('a b', '', ...'[ [::1] [::1 a:b a:99999 x@y %00 \xe4 a,b /'.split(' '))],
  [1, joined([...'.:[]%@-_/ a1'], 6)],
);

const headerNames = [
  ...'host if-none-match if-range range if-modified-since accept accept-encoding'.split(' '),
  ...'accept-language cookie authorization forwarded x-forwarded-for'.split(' '),
  ...'x-forwarded-host x-forwarded-proto content-length transfer-encoding'.split(' '),
  ...'content-type content-encoding expect connection upgrade last-event-id'.split(' '),
  ...'origin access-control-request-method access-control-request-headers'.split(' '),
  ...'idempotency-key tus-resumable upload-length upload-offset upload-metadata'.split(' '),
  ...'upload-concat upload-defer-length keep-alive te x-http-method-override'.split(' '),
  ...'sec-fetch-mode sec-fetch-dest __proto__ x-request-id'.split(' '),
  ...['x y', ''],
];
const headerPieces = [
  ...'* " , ; = W/ a 0 - 1 9999999999 bytes= chunked gzip br q= identity / Og=='.split(' '),
  ...'http https javascript :// evil.example 127.0.0.1 ::1 close keep-alive'.split(' '),
  ...'upgrade NaN websocket 100-continue application/json text/event-stream'.split(' '),
  ...'text/html 1.0.0 -1 1e9 application/offset+octet-stream navigate'.split(' '),
  ...[' ', '\t', 'Bearer ', 'Basic ', '\xff', '\x01', known.token, known.channel, known.comment],
];
const headerValue = weighted(
  [8, joined(headerPieces, 5)],
  [1, fc.constant(`a${' '.repeat(3000)}b`)],
  [1, repeated('"a", ', 1000)],
  [1, repeated('a', 9000, 17_000)],
);
const header = fc
  .tuple(oneOf(...headerNames), headerValue)
  .map(([name, value]) => `${name}: ${value}`);

const jsonPieces = [...'{}[]"a:,1'.split(''), 'null', '\\u0000', '\xff'];
const chunks = [
  ...['0\r\n\r\n', '5\r\nabcde\r\n', '5\r\nabc\r\n', 'ffffffffffffffffff\r\n', '-1\r\n'],
  ...['1;a=b\r\nx\r\n', '2\n{}\n', '0\r\na: b\r\n\r\n', 'x'],
];
const body = weighted(
  [4, fc.constant({ headers: [] as string[], bytes: '' })],
  [
    2,
    fc.tuple(joined(jsonPieces, 12), fc.integer({ min: -3, max: 3 })).map(([bytes, wrongBy]) => ({
      headers: ['content-type: application/json', `content-length: ${bytes.length + wrongBy}`],
      bytes,
    })),
  ],
  [
    2,
    joined(chunks, 5).map((bytes) => ({
      headers: ['content-type: application/json', 'transfer-encoding: chunked'],
      bytes,
    })),
  ],
);

const request = fc
  .record({
    method,
    target,
    version,
    hosts: weighted(
      [8, fc.array(host, { minLength: 1, maxLength: 1 })],
      [1, fc.array(host, { maxLength: 2 })],
    ),
    headers: fc.array(header, { maxLength: 5 }),
    body,
    eol: weighted([12, fc.constant('\r\n')], [1, oneOf('\n', '\r', '\r\n ')]),
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
    changes: weighted([2, edits(0)], [1, edits(4)]),
    writes: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ requests, changes, writes }) => ({
    text: edited(Buffer.from(requests.join(''), 'latin1'), changes).toString('latin1'),
    writes,
  }));
