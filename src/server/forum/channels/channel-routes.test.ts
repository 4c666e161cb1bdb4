import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';

onEngine('sqlite', 'channels', (forum) => {
  const create = (author: Person, body: unknown) =>
    forum().call('POST', apiRoutes.channels, { token: author.token, body });
  const valid = { name: 'Cine', description: 'De barrio', cover: '/default-avatar.svg' };

  test('creates a channel for the signed-in account and returns its address in Location', async () => {
    const author = await forum().person('Lucía');
    const response = await create(author, {
      ...valid,
      autor: 'Otra persona',
      autorId: author.id,
      autorImg: 'https://ejemplo.es/otra.png',
    });
    assert.equal(response.status, 201);
    const channel = (await response.json()) as Channel;
    assert.equal(response.headers.get('location'), `/channel/${channel._id}`);
    assert.equal(channel.autor, 'Lucía');
    assert.equal(channel.autorImg, '/default-avatar.svg');
    assert.equal(channel.commentCount, 0);
    assert.deepEqual(channel.comments, []);
    assert.deepEqual(await forum().json('GET', apiRoutes.channel(channel._id)), channel);
  });

  test('rejects a channel with the id of another author', async () => {
    const response = await create(await forum().person(), { ...valid, autorId: 'otro' });
    await expectProblem(response, 403, 'not_yours');
  });

  test('stores the texts of a channel trimmed, in NFC, with line breaks and markup unchanged', async () => {
    const author = await forum().person();
    const response = await create(author, {
      ...valid,
      name: '  Cafe\u0301 ☕️ «ñandú» ',
      description: 'Uno\n\tdos <b>tres</b> & \u202e cuatro 🦖',
    });
    const channel = (await response.json()) as Channel;
    assert.equal(channel.name, 'Café ☕️ «ñandú»');
    assert.equal(channel.description, 'Uno\n\tdos <b>tres</b> & \u202e cuatro 🦖');
  });

  test('rejects a channel name that is invisible or has lone surrogates', async () => {
    const author = await forum().person();
    const names = ['', '   ', '\u200b\u2060', 'a\ud800b', '\u0007\u009f\r'];
    for (const name of names) {
      const response = await create(author, { ...valid, name });
      const problem = await expectProblem(response, 400, 'invalid_fields');
      assert.equal(problem.errors?.[0]?.field, 'name', JSON.stringify(name));
    }
  });

  test('stores texts with line breaks in the description only, without other control characters', async () => {
    const author = await forum().person();
    const channel = (await (
      await create(author, {
        ...valid,
        name: ' Cine\r\nde\u00a0 \u200bbarrio\u0007 👩\u200d🚀',
        description: 'Uno\r\ndos\vtres\u2028\u001b[1mcuatro',
        coverAlt: 'Una\nsala',
      })
    ).json()) as Channel & { coverAlt: string };
    assert.equal(channel.name, 'Cine de barrio 👩\u200d🚀');
    assert.equal(channel.description, 'Uno\ndos\ntres\n[1mcuatro');
    assert.equal(channel.coverAlt, 'Una sala');
  });

  test('accepts as a cover an image of this site or an https address', async () => {
    const author = await forum().person();
    const good = [
      '/default-avatar.svg',
      'https://ejemplo.es/a.png?x=1',
      'http://localhost:3000/a.png',
    ];
    for (const cover of good) {
      assert.equal((await create(author, { ...valid, cover })).status, 201, cover);
    }
    // http/image-url.test.ts has more.
    const bad = [
      'a.png',
      '/otra/a.png',
      'data:image/png;base64,AAAA',
      'http://ejemplo.es/a.png',
      'https://ejemplo.es/a b.png',
      `https://ejemplo.es/${'a'.repeat(2048)}`,
      // 2,000 different characters of three bytes each.
      `https://ejemplo.es/${String.fromCodePoint(...Array.from({ length: 2000 }, (_, i) => 0x4e00 + i * 7))}`,
    ];
    for (const cover of bad) {
      await expectProblem(await create(author, { ...valid, cover }), 400, 'invalid_fields');
    }
  });

  test('responds 404 to unknown channel ids of any form', async () => {
    for (const id of ['nada', '00000000-0000-7000-8000-000000000000', "' or 1=1", 'x'.repeat(90)]) {
      const response = await forum().call('GET', apiRoutes.channel(id));
      await expectProblem(response, 404, 'channel_not_found');
    }
  });

  test('responds 404 to addresses that contain NUL', async () => {
    for (const url of [
      '/api/channels/a%00b',
      '/api/channels/%00/live',
      '/files/images/%00',
      '/api/search?q=%00',
    ]) {
      await expectProblem(await forum().call('GET', url), 404, 'not_found');
    }
    assert.equal((await forum().call('GET', '/channel/a%00b')).status, 404);
  });
});
