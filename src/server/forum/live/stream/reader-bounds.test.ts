import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { eventually } from '../../../../../test/eventually.ts';
import { Forum } from '../../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../../shared/api-routes.ts';

test('limits an address to 500 live streams, without requests for unknown channels, and responds 429 with Retry-After beyond', async () => {
  // Without a proxy, so that connections are also limited.
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on' });
  const { _id: id } = await forum.channel(await forum.person());
  const open = async (localAddress: string, channelId = id): Promise<IncomingMessage> => {
    const url = new URL(apiRoutes.channelLive(channelId), forum.url);
    const request = get(url, { agent: false, localAddress });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response.on('error', () => {}).resume();
  };
  assert.equal((await open('127.0.0.2', 'nada')).statusCode, 404);
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
