import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../test/forum/forum.ts';
import { LiveReader } from '../../../test/forum/live-reader.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../shared/channels.ts';
import type { Comment } from '../../shared/comments.ts';
import { eraseExpired } from '../operation/housekeeping/erase-expired.ts';

const dayMs = 86_400_000;

onBothEngines('idempotency keys', (forum, wait, engine) => {
  const comment = (author: Person, channel: Channel, text: string, key: string) =>
    forum().call('PUT', apiRoutes.comment, {
      token: author.token,
      headers: { 'idempotency-key': key },
      body: { id: channel._id, comment: text },
    });
  const create = (author: Person, name: string, key: string) =>
    forum().call('POST', apiRoutes.channels, {
      token: author.token,
      headers: { 'idempotency-key': key },
      body: { name, description: 'Una sola vez.', cover: '/default-avatar.svg' },
    });
  const commentsOf = async (channel: Channel) =>
    (await forum().json<Channel>('GET', apiRoutes.channel(channel._id))).comments;

  test('repeated requests with one key create one comment, announce it once and get the same response', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    const reader = await LiveReader.open(forum(), channel._id);
    const key = randomUUID();
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => comment(author, channel, 'Una vez', key)),
    );
    sent.push(await comment(author, channel, 'Una vez', key));
    const bodies = await Promise.all(sent.map((response) => response.text()));
    assert.deepEqual([...new Set(sent.map(({ status }) => status))], [200]);
    assert.equal(new Set(bodies).size, 1);
    assert.equal((await commentsOf(channel)).length, 1);
    const last = await forum().comment(author, channel._id, 'La siguiente');
    assert.equal((await reader.nextComment()).comment, 'Una vez');
    assert.deepEqual(await reader.nextComment(), last);
    reader.close();
  });

  test('repeated requests with one key create one channel and get the same response, even after it has comments', async () => {
    const author = await forum().person();
    const key = randomUUID();
    const name = `Canal ${key}`;
    const sent = await Promise.all(Array.from({ length: 10 }, () => create(author, name, key)));
    const first = (await sent[0]?.clone().json()) as Channel;
    await forum().comment(author, first._id, 'Hola');
    sent.push(await create(author, name, key));
    const bodies = await Promise.all(sent.map((response) => response.text()));
    assert.deepEqual([...new Set(sent.map(({ status }) => status))], [201]);
    assert.equal(new Set(bodies).size, 1);
    const { data } = await forum().json<ChannelPage>('GET', `${apiRoutes.channels}?comments=0`);
    assert.equal(data.filter((channel) => channel.name === name).length, 1);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('a request repeated with another name and image of its author is the same one', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    const send = (profile: { autor: string; autorImg: string }) =>
      forum().call('PUT', apiRoutes.comment, {
        token: author.token,
        headers: { 'idempotency-key': 'una' },
        body: { id: channel._id, comment: 'Una vez', ...profile },
      });
    const first = await send({ autor: author.name, autorImg: '/default-avatar.svg' });
    const second = await send({ autor: 'Otro nombre', autorImg: '/images/otra.webp' });
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(await second.text(), await first.text());
  });

  test('two accounts may use the same key, and a key is refused for another request or when malformed', async () => {
    const [ana, eva] = [await forum().person(), await forum().person()];
    const channel = await forum().channel(ana);
    const key = randomUUID();
    assert.equal((await comment(ana, channel, 'Uno', key)).status, 200);
    assert.equal((await comment(eva, channel, 'Uno', key)).status, 200);
    await expectProblem(await comment(ana, channel, 'Dos', key), 422, 'idempotency_key_reused');
    await expectProblem(await create(ana, 'Otro', key), 422, 'idempotency_key_reused');
    for (const malformed of ['', 'dos claves', 'x'.repeat(201)]) {
      const refused = await comment(ana, channel, 'Hola', malformed);
      await expectProblem(refused, 400, 'invalid_request');
    }
    assert.equal((await commentsOf(channel)).length, 2);
  });

  test('a rejected request can be corrected and sent again with the same key', async () => {
    const author = await forum().person();
    const key = randomUUID();
    const nowhere = { _id: 'nada' } as Channel;
    await expectProblem(await comment(author, nowhere, 'Hola', key), 404, 'channel_not_found');
    const channel = await forum().channel(author);
    assert.equal((await comment(author, channel, 'Hola', key)).status, 200);
  });

  test('a key lasts as long as the post it created, gets 410 while that is in the trash, and is new again once it is erased', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    const keys = [randomUUID(), randomUUID()] as const;
    let { token } = author;
    const put = () => comment({ ...author, token }, channel, 'Hola', keys[0]);
    const post = () => create({ ...author, token }, 'Otro', keys[1]);
    const years = async (count: number) => {
      wait(count * 365 * dayMs);
      await eraseExpired(forum().services);
      ({ token } = await forum().newSession(author));
    };
    const written = (await (await put()).json()) as Comment;
    const made = (await (await post()).json()) as Channel;
    await years(2);
    assert.deepEqual(await (await put()).json(), written);
    assert.deepEqual(await (await post()).json(), made);
    const urls = [
      apiRoutes.channelComment(channel._id, written.number),
      apiRoutes.channel(made._id),
    ];
    for (const url of urls)
      assert.equal((await forum().call('DELETE', url, { token })).status, 204);
    for (const send of [put, post]) await expectProblem(await send(), 410, 'gone');
    await years(1);
    assert.equal(((await (await put()).json()) as Comment).number, 2);
    assert.notEqual(((await (await post()).json()) as Channel)._id, made._id);
  });
});
