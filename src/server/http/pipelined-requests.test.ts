import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { sendRaw } from '../../../test/attacks/send-raw.ts';
import { eventually } from '../../../test/eventually.ts';
import { Forum, type Person } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { assetRoutes } from '../../shared/routes.ts';

const get = (url: string, more = '') => `GET ${url} HTTP/1.1\r\nHost: foro.example\r\n${more}\r\n`;
const last = 'Connection: close\r\n';

describe('pipelined requests', () => {
  let forum: Forum;
  let owner: Person;
  let channel: Channel;
  before(async () => {
    forum = await Forum.start('sqlite', { METRICS: 'on' });
    owner = await forum.person();
    channel = await forum.channel(owner);
  });
  after(() => forum?.stop());

  const liveReaders = async () => {
    const metrics = (await forum.metrics?.render()) ?? '';
    return Number(/^tertulia_live_readers (\d+)$/m.exec(metrics)?.[1]);
  };

  test('are answered in order', async () => {
    const urls = Array.from({ length: 30 }, (_, index) => (index % 2 ? '/healthz' : '/readyz'));
    const { head, body } = await sendRaw(
      forum.url,
      urls.map((url) => get(url)).join('') + get(apiRoutes.channel(channel._id), last),
    );
    assert.equal(`${head}\r\n${body}`.match(/HTTP\/1\.1 200/g)?.length, 31);
    assert.match(body.trim(), new RegExp(`"_id":"${channel._id}".*}$`));
  });

  test('hold no resources after their connection is reset', async () => {
    const { hostname, port } = new URL(forum.url);
    const noise = { raw: { width: 900, height: 900, channels: 3 as const } };
    const png = await sharp(randomBytes(900 * 900 * 3), noise)
      .png()
      .toBuffer();
    const { fullPath } = (await (await forum.upload(owner, png)).json()) as { fullPath: string };
    const live = get(apiRoutes.channelLive(channel._id));
    for (let round = 0; round < 10; round++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      // The first response is still unread when the connection is reset.
      socket.write(get(assetRoutes.file(fullPath)) + live.repeat(3));
      await once(socket, 'readable');
      socket.resetAndDestroy();
      await once(socket, 'close');
    }
    await eventually('no stream is open', async () => (await liveReaders()) === 0);
  });
});
