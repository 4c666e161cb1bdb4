import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { eventually } from '../../../../test/eventually.ts';
import { handleError } from '../../error-handler.ts';
import { addressKey, limitAnswersAtOnce } from './concurrency.ts';

let app: FastifyInstance;
/** Ends the responses that are being made. */
let ends: (() => void)[] = [];
const answered: Promise<{ statusCode: number }>[] = [];
const make = async () => {
  await new Promise<void>((resolve) => ends.push(resolve));
  return '';
};

function start(rateLimits = true): void {
  ends = [];
  app = fastify();
  app.setErrorHandler(handleError);
  limitAnswersAtOnce(app, { rateLimits });
  app.get('/', make);
  app.get('/file', { config: { moves: 'file' } }, make);
  app.get('/upload', { config: { moves: 'upload' } }, make);
  app.get('/stream', { config: { moves: 'stream' } }, make);
  app.get('/open', { config: { moves: 'stream' } }, (request) => {
    request.endTurn();
    return make();
  });
  app.get('/health', { config: { moves: 'health' } }, make);
}
beforeEach(() => start());
afterEach(async () => {
  await endAllDuring(Promise.all(answered.splice(0)).finally(() => app.close()));
});
const endAll = () => {
  for (const end of ends.splice(0)) end();
};
/** Ends each response that is being made until the work is done. */
function endAllDuring<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(endAll);
  return work.finally(() => clearInterval(timer));
}

const ask = (remoteAddress: string, url = '/') => {
  const answer = app.inject({ url, remoteAddress });
  answered.push(answer);
  return answer;
};
const askMany = (count: number, url = '/') =>
  Array.from({ length: count }, () => ask('192.0.2.1', url));
const areMade = (count: number) =>
  eventually(`${count} answers are made`, async () => ends.length === count);

test('an address has eight concurrent responses, and its further requests wait without delaying other addresses', async () => {
  void askMany(10);
  await areMade(8);
  void ask('192.0.2.2');
  await areMade(9);
  ends.shift()?.();
  await areMade(9);
  ends.shift()?.();
  await areMade(8);
});

test('64 wait, and the next is refused in Spanish with Retry-After', async () => {
  const answers = askMany(8 + 64 + 1);
  await areMade(8);
  const [refused, ...others] = (await endAllDuring(Promise.all(answers))).reverse();
  assert.ok(others.every(({ statusCode }) => statusCode === 200));
  assert.deepEqual([refused?.statusCode, refused?.headers['retry-after']], [429, '2']);
  assert.match(refused?.json().detail, /demasiadas peticiones a la vez/);
});

test('without rate limits all of them wait', async () => {
  await app.close();
  start(false);
  const answers = await endAllDuring(Promise.all(askMany(200)));
  const statuses = answers.map(({ statusCode }) => statusCode);
  assert.deepEqual(new Set(statuses), new Set([200]));
});

test('files, uploads and opening streams are counted separately from other responses, and open streams and health checks not at all', async () => {
  void askMany(9);
  void askMany(65, '/file');
  void askMany(9, '/upload');
  void askMany(100, '/open');
  void askMany(9, '/stream');
  void askMany(100, '/health');
  await areMade(8 + 64 + 8 + 100 + 8 + 100);
});

test('a hook that takes the turn before the body has arrived waits for it, and it is taken once', async () => {
  const hooked: string[] = [];
  const takeFirst = async (request: FastifyRequest, reply: FastifyReply) => {
    await request.takeTurn(reply);
    hooked.push(request.ip);
  };
  app.get('/early', { onRequest: takeFirst }, make);
  void askMany(9, '/early');
  await areMade(8);
  assert.equal(hooked.length, 8);
  ends.shift()?.();
  await eventually('the ninth has its turn', async () => hooked.length === 9);
});

test('a reset connection releases the places of all its responses, including queued ones', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20));
  await areMade(8);
  const other = fetch(`http://127.0.0.1:${port}`);
  socket.resetAndDestroy();
  await areMade(9);
  endAll();
  assert.equal((await other).status, 200);
});

test('callers are told apart by IPv4 address and by IPv6 network of 64 bits, however it is written', () => {
  const network = '2001:db8:1:2::/64';
  const keys: Record<string, string> = {
    '203.0.113.7': '203.0.113.7',
    '203.0.113.8': '203.0.113.8',
    '::ffff:203.0.113.7': '203.0.113.7',
    '::FFFF:cb00:7107': '203.0.113.7',
    '2001:db8:1:2::1': network,
    '2001:0db8:1:2:ffff:ffff:ffff:ffff': network,
    '2001:DB8:1:2::': network,
    '2001:db8:1:3::1': '2001:db8:1:3::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    // Some proxies append the port.
    '203.0.113.7:50000': '203.0.113.7',
    '[2001:db8:1:2::1]:50000': network,
    '[2001:db8:1:2::1]': network,
  };
  for (const [written, key] of Object.entries(keys)) assert.equal(addressKey(written), key);
  for (const none of [
    'unknown',
    '',
    'x'.repeat(15_000),
    '1.2.3.4.5',
    '1.2.3.4:',
    '[x]:1',
    undefined,
  ]) {
    assert.equal(addressKey(none), 'unknown');
  }
});
