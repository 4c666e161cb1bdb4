import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { eventually } from '../../../../../test/eventually.ts';
import { Forum } from '../../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../../shared/api-routes.ts';

test('limits an address to 500 live streams and responds 429 with Retry-After beyond', async () => {
  // Without a proxy, so that connections are also limited.
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on' });
  const { _id: id } = await forum.channel(await forum.person());
  const open = async (localAddress: string): Promise<IncomingMessage> => {
    const url = new URL(apiRoutes.channelLive(id), forum.url);
    const request = get(url, { agent: false, localAddress });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response.on('error', () => {}).resume();
  };
  const streams: IncomingMessage[] = [];
  for (let i = 0; i < 500; i++) streams.push(await open('127.0.0.2'));
  assert.ok(streams.every(({ statusCode }) => statusCode === 200));

  const rejected = await open('127.0.0.2');
  assert.equal(rejected.statusCode, 429);
  assert.equal(rejected.headers['retry-after'], '30');
  assert.equal((await open('127.0.0.3')).statusCode, 200);

  streams[0]?.destroy();
  await eventually(
    'another stream is accepted',
    async () => (await open('127.0.0.2')).statusCode === 200,
  );
});

test('a live request for an unknown channel does not count against the limit', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on' });
  const statuses = new Set<number>();
  for (let i = 0; i < 510; i++) {
    statuses.add((await forum.call('GET', apiRoutes.channelLive('nada'))).status);
  }
  assert.deepEqual([...statuses], [404]);
});
