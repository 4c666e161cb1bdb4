import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { eventually } from '../../../../test/eventually.ts';
import { handleError } from '../../error-handler.ts';
import { addressKey, limitAnswersAtOnce } from './concurrency.ts';

let app: FastifyInstance;
/** Ends the responses that are being made. */
let ends: (() => void)[] = [];
const answered: Promise<{ statusCode: number }>[] = [];

async function start(rateLimits = true): Promise<void> {
  ends = [];
  app = fastify();
  app.setErrorHandler(handleError);
  limitAnswersAtOnce(app, { rateLimits });
  const make = async () => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return '';
  };
  app.get('/', make);
  app.get('/file', { config: { moves: 'file' } }, make);
  app.get('/upload', { config: { moves: 'upload' } }, make);
  app.get('/stream', { config: { moves: 'stream' } }, make);
}
beforeEach(() => start());
afterEach(async () => {
  const timer = setInterval(endAll);
  await Promise.all(answered.splice(0));
  await app.close();
  clearInterval(timer);
});
const endAll = () => {
  for (const end of ends.splice(0)) end();
};

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
  askMany(10);
  await areMade(8);
  ask('192.0.2.2');
  await areMade(9);
  ends.shift()?.();
  await areMade(9);
  ends.shift()?.();
  await areMade(8);
});

test('64 wait, and the next is refused in Spanish with Retry-After', async () => {
  askMany(8 + 64);
  await areMade(8);
  const refused = await ask('192.0.2.1');
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '2']);
  assert.match(refused.json().detail, /demasiadas peticiones a la vez/);
});

test('without rate limits all of them wait', async () => {
  await app.close();
  await start(false);
  const answers = askMany(200);
  await areMade(8);
  const timer = setInterval(endAll);
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  clearInterval(timer);
  assert.deepEqual(new Set(statuses), new Set([200]));
});

test('files and uploads are counted separately from other responses, and streams not at all', async () => {
  askMany(9);
  askMany(65, '/file');
  askMany(9, '/upload');
  askMany(100, '/stream');
  await areMade(8 + 64 + 8 + 100);
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

test('each response begins in its own event loop turn, so that other connections are served in between', async () => {
  let turn = 0;
  let next = setImmediate(function count() {
    turn++;
    next = setImmediate(count);
  });
  const madeIn: number[] = [];
  app.get('/turn', () => {
    madeIn.push(turn);
    return '';
  });
  const statuses = (await Promise.all(askMany(20, '/turn'))).map(({ statusCode }) => statusCode);
  clearImmediate(next);
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.equal(new Set(madeIn).size, 20);
});

test('an IPv4 address has one key, however it is written', () => {
  for (const written of ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107']) {
    assert.equal(addressKey(written), '203.0.113.7');
  }
  assert.notEqual(addressKey('203.0.113.8'), '203.0.113.7');
});

test('an IPv6 network of 64 bits counts as one address', () => {
  for (const written of [
    '2001:db8:1:2::1',
    '2001:0db8:1:2:ffff:ffff:ffff:ffff',
    '2001:DB8:1:2::',
  ]) {
    assert.equal(addressKey(written), '2001:db8:1:2::/64');
  }
  assert.notEqual(addressKey('2001:db8:1:3::1'), '2001:db8:1:2::/64');
  assert.equal(addressKey('fe80::1%eth0'), 'fe80:0:0:0::/64');
});

test('a port that a proxy appends is ignored', () => {
  assert.equal(addressKey('203.0.113.7:50000'), '203.0.113.7');
  assert.equal(addressKey('[2001:db8:1:2::1]:50000'), '2001:db8:1:2::/64');
  assert.equal(addressKey('[2001:db8:1:2::1]'), '2001:db8:1:2::/64');
});

test('callers without a valid address share one key', () => {
  for (const address of [
    'unknown',
    '',
    'x'.repeat(15_000),
    '1.2.3.4.5',
    '1.2.3.4:',
    '[x]:1',
    undefined,
  ]) {
    assert.equal(addressKey(address), 'unknown');
  }
});
