import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';

onEngine('sqlite', 'channels', (forum) => {
  const create = (author: Person, body: object) =>
    forum().call('POST', apiRoutes.channels, {
      token: author.token,
      body: { name: 'Cine', description: 'De barrio', cover: '/default-avatar.svg', ...body },
    });

  test('creates a channel, and returns its address in Location', async () => {
    const author = await forum().person('Lucía');
    const response = await create(author, { cover: `${forum().url}/default-avatar.svg` });
    assert.equal(response.status, 201);
    const channel = (await response.json()) as Channel;
    assert.equal(response.headers.get('location'), `/channel/${channel._id}`);
    assert.deepEqual(
      [channel.autor, channel.autorImg, channel.cover, channel.commentCount, channel.comments],
      ['Lucía', '/default-avatar.svg', '/default-avatar.svg', 0, []],
    );
    assert.deepEqual(await forum().json('GET', apiRoutes.channel(channel._id)), channel);
  });

  test('stores texts trimmed and in NFC, with markup, and with line breaks in the description only', async () => {
    const response = await create(await forum().person(), {
      name: '  Cafe\u0301\r\nde\u00a0 \u200bbarrio\u0007 👩\u200d🚀 ',
      description: 'Uno\r\n\tdos <b>tres</b> & \u202e cuatro\vcinco\u2028\u001b[1mseis',
      coverAlt: 'Una\nsala',
    });
    const channel = (await response.json()) as Channel;
    assert.deepEqual(
      [channel.name, channel.description, channel.coverAlt],
      [
        'Café de barrio 👩\u200d🚀',
        'Uno\n\tdos <b>tres</b> & \u202e cuatro\ncinco\n[1mseis',
        'Una sala',
      ],
    );
  });
});
