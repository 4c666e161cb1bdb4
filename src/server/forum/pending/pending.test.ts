import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, staff } from '../../../../test/forum/moderators.ts';
import { makeOlder } from '../../../../test/forum/old-account.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { readZip } from '../../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { limits } from '../../../shared/limits.ts';
import type { PendingList, PendingPost } from '../../../shared/pending.ts';
import { assetRoutes } from '../../../shared/routes.ts';
import { sweepImages } from '../../images/sweep-images.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';

const dayMs = 86_400_000;

onBothEngines('pending posts', (forum, wait) => {
  let host: Person;
  let channel: Channel;
  before(async () => {
    host = await forum().person('Ana');
    channel = await forum().channel(host);
    await forum().comment(host, channel._id, 'Bienvenidas');
    await reviewFirstPosts(forum());
  });

  const put = (
    { token }: Person,
    comment: string,
    more: { key?: string; [field: string]: unknown } = {},
  ) => {
    const { key = randomUUID(), ...rest } = more;
    const headers = { 'idempotency-key': key };
    const body = { id: channel._id, comment, ...rest };
    return forum().call('PUT', apiRoutes.comment, { token, headers, body });
  };
  const pending = async (response: Response) => {
    const body = await response.text();
    assert.equal(response.status, 202, body);
    return JSON.parse(body) as PendingPost;
  };
  const list = async ({ token }: Person) =>
    (await forum().json<PendingList>('GET', apiRoutes.pendingPosts, { token })).data;
  const withdraw = ({ token }: Person, { id }: PendingPost) =>
    forum().call('DELETE', apiRoutes.pendingPost(id), { token });
  const newChannel = ({ token }: Person, more: object = {}) => {
    const body = { name: 'Bancal', description: 'Acelgas', cover: '/default-avatar.svg', ...more };
    return forum().call('POST', apiRoutes.channels, { token, body });
  };
  const uploaded = async (owner: Person, use: string, shade: number) => {
    const image = await quarters(40 + shade, 16)
      .png()
      .toBuffer();
    const response = await forum().upload(owner, image, { use, filename: `${randomUUID()}.png` });
    return assetRoutes.file(((await response.json()) as StoredFile).fullPath);
  };
  const texts = async () => (await forum().allComments(channel._id)).map(({ comment }) => comment);
  /** A person who has already published, so that posts are held only for signals. */
  async function known(): Promise<Person> {
    const person = await forum().person();
    await changeSettings(forum(), {});
    await forum().comment(person, channel._id, 'Ya estaba aquí');
    await reviewFirstPosts(forum());
    return person;
  }

  test('a first comment is held, listed to its author alone, and repeated under its key', async () => {
    const eva = await forum().person('Eva');
    const before = await forum().json<Channel>('GET', apiRoutes.channel(channel._id));
    const key = randomUUID();
    const one = await pending(await put(eva, 'Hola, soy nueva', { key, replyTo: 1 }));
    assert.deepEqual(
      [one.kind, one.state, one.number, one.comment, one.channelId, one.replyTo],
      ['comment', 'pending', null, 'Hola, soy nueva', channel._id, 1],
    );
    assert.deepEqual(await pending(await put(eva, 'Hola, soy nueva', { key, replyTo: 1 })), one);
    const two = await pending(await put(eva, 'Y otra cosa'));
    assert.deepEqual(await list(eva), [one, two]);
    assert.deepEqual(await list(host), []);
    assert.deepEqual(await forum().json('GET', apiRoutes.channel(channel._id)), before);
    const found = await forum().json<{ data: unknown[] }>('GET', `${apiRoutes.search}?q=nueva`);
    assert.deepEqual(found.data, []);
  });

  test('who published before, and the staff, are not held, unless all of it is hidden; nor anybody while the switch is off', async () => {
    assert.equal((await put(host, 'Aquí sigo')).status, 200);
    const moderator = await staff(forum());
    assert.equal((await put(moderator, 'De la casa')).status, 200);
    const hidden = await known();
    const [last] = (await forum().allComments(channel._id)).slice(-1);
    await operate(forum(), 'hide', commentId(channel._id, last?.number ?? 0));
    await pending(await put(hidden, 'Lo mío está oculto'));
    await changeSettings(forum(), {});
    const newcomer = await forum().person();
    assert.equal((await put(newcomer, 'Sin revisión')).status, 200);
    await reviewFirstPosts(forum());
  });

  test('says beforehand whether what an account writes is held as its first', async () => {
    const isReviewed = async ({ token }: Person) =>
      (await forum().json<PendingList>('GET', apiRoutes.pendingPosts, { token })).reviewsNext;
    const newcomer = await forum().person();
    assert.equal(await isReviewed(newcomer), true);
    const { id } = await pending(await put(newcomer, 'Hola'));
    assert.equal(await isReviewed(newcomer), true);
    const moderator = await staff(forum());
    await decided(forum(), moderator, { subject: { kind: 'comment', id }, action: 'approve' });
    for (const free of [newcomer, host, moderator]) assert.equal(await isReviewed(free), false);
    await changeSettings(forum(), {});
    assert.equal(await isReviewed(await forum().person()), false);
    await reviewFirstPosts(forum());
  });

  test('says why: a first post, links, comments, channels', async () => {
    const reasonOf = async (response: Response) => {
      const { id } = await pending(response);
      const query = forum()
        .services.db.selectFrom('pending_posts')
        .select('reason')
        .where('id', '=', id);
      return (await query.executeTakeFirstOrThrow()).reason;
    };
    assert.equal(await reasonOf(await put(await forum().person(), 'Hola')), 'first_post');
    const young = await known();
    const link = 'HTTPS://ejemplo.es/';
    assert.equal((await put(young, `${link}1 y ${link}2`)).status, 200);
    assert.equal((await put(young, 'Sin enlaces')).status, 200);
    assert.equal(await reasonOf(await put(young, `Otro: ${link}3`)), 'links');
    assert.equal((await newChannel(young)).status, 201);
    assert.equal(await reasonOf(await newChannel(young, { name: 'Otro' })), 'channels');
    for (let count = 3; count < limits.youngComments; count++) {
      assert.equal((await put(young, `Número ${count}`)).status, 200);
    }
    assert.equal(await reasonOf(await put(young, 'El undécimo')), 'comments');
    const old = await known();
    for (let days = 0; days < limits.youngDays; days++) await makeOlder(forum(), old);
    assert.equal((await put(old, `${link}1 ${link}2 ${link}3`)).status, 200);
    for (const name of ['Uno', 'Dos']) assert.equal((await newChannel(old, { name })).status, 201);
  });

  test('links count in channels too, and also those without https://', async () => {
    const young = await known();
    await pending(await newChannel(young, { description: 'www.uno.es t.me/dos y 600 123 456' }));
  });

  test('what a young account edits is in the queue once it has another address or image', async () => {
    const young = await known();
    const own = (await (await put(young, 'Mira https://uno.es/a.')).json()) as Comment;
    const made = (await (await newChannel(young)).json()) as Channel;
    const { db } = forum().services;
    const cases = async () => {
      const rows = await db
        .selectFrom('cases')
        .select(['subject_kind', 'text', 'images', 'revision', 'report_count'])
        .where('account_id', '=', young.id)
        .orderBy('id')
        .execute();
      await db.deleteFrom('cases').where('account_id', '=', young.id).execute();
      return rows.map(({ images, ...row }) => [...Object.values(row), JSON.parse(images).length]);
    };
    let revisions = { comment: 1, channel: 1 };
    const edit = async (kind: 'comment' | 'channel', body: object) => {
      const url =
        kind === 'comment'
          ? apiRoutes.channelComment(channel._id, own.number)
          : apiRoutes.channel(made._id);
      const headers = { 'if-match': `"${revisions[kind]}"` };
      await forum().json('PATCH', url, { token: young.token, headers, body });
      revisions = { ...revisions, [kind]: revisions[kind] + 1 };
    };
    await edit('comment', { comment: 'Mira (https://uno.es/a), y nada más' });
    await edit('channel', { description: 'Acelgas y puerros' });
    assert.deepEqual(await cases(), []);
    await edit('comment', { comment: 'Mira t.me/ofertas' });
    await edit('comment', { comment: 'Mira t.me/ofertas, en serio' });
    assert.deepEqual(await cases(), [['comment', 'Mira t.me/ofertas', 3, 0, 0]]);
    const images = [{ url: await uploaded(young, 'comment', 7), alt: '' }];
    await edit('comment', { comment: 'Sin nada', images });
    assert.deepEqual(await cases(), [['comment', 'Sin nada', 5, 0, 1]]);
    await edit('channel', { name: 'Llama al 600 123 456' });
    await edit('channel', { cover: await uploaded(young, 'cover', 8) });
    assert.deepEqual(await cases(), [
      ['channel', 'Llama al 600 123 456\n\nAcelgas y puerros', 3, 0, 1],
    ]);
    const { token } = young;
    const img = await uploaded(young, 'avatar', 9);
    await forum().json('PUT', apiRoutes.updateImage, { token, body: { img } });
    assert.deepEqual(await cases(), [['user', young.name, 0, 0, 1]]);
    const body = { currentPassword: young.password, name: 'tienda.com' };
    await forum().json('PATCH', apiRoutes.me, { token, body });
    assert.deepEqual(await cases(), [['user', 'tienda.com', 0, 0, 1]]);
    for (let days = 0; days < limits.youngDays; days++) await makeOlder(forum(), young);
    await edit('comment', { comment: 'Mira www.otra.es', images });
    assert.deepEqual(await cases(), []);
  });

  test('what would be refused is refused, not held', async () => {
    const eva = await forum().person();
    const { _id: id } = channel;
    const refused = async (more: Record<string, unknown>, status: number, code: string) => {
      const response = await put(eva, 'Hola', more);
      assert.deepEqual(
        [response.status, ((await response.json()) as { code: string }).code],
        [status, code],
      );
    };
    await refused({ id: 'x' }, 404, 'channel_not_found');
    await refused({ replyTo: 999_999 }, 400, 'invalid_fields');
    await refused({ replyTo: 1, replyExcerpt: 'No lo dijo' }, 400, 'invalid_fields');
    await refused({ images: [{ url: '/files/images/no.png', alt: '' }] }, 400, 'invalid_fields');
    const mentions = [{ start: 0, length: 2, accountId: randomUUID() }];
    const response = await put(eva, '@x', { mentions });
    await expectProblem(response, 400, 'invalid_fields');
    await forum().json('POST', apiRoutes.closeChannel(id), host);
    await refused({}, 409, 'channel_closed');
    await forum().json('POST', apiRoutes.reopenChannel(id), host);
    await expectProblem(await newChannel(eva, { name: '' }), 400, 'invalid_fields');
    await expectProblem(
      await newChannel(eva, { cover: '/files/images/no.png' }),
      400,
      'invalid_fields',
    );
    assert.deepEqual(await list(eva), []);
    const moderator = await staff(forum());
    const subject = { kind: 'user', id: eva.id } as const;
    await decided(forum(), moderator, { subject, action: 'silence', days: 1 });
    await refused({}, 403, 'silenced');
    assert.equal((await forum().call('GET', apiRoutes.pendingPosts, eva)).status, 200);
  });

  test('an account has at most twenty things waiting', async () => {
    const eva = await forum().person();
    for (let count = 0; count < limits.pendingPerAccount; count++)
      await pending(await put(eva, 'Hola'));
    await expectProblem(await put(eva, 'Una más'), 403, 'too_many_pending');
    await expectProblem(await newChannel(eva), 403, 'too_many_pending');
    const [first] = await list(eva);
    assert.ok(first);
    assert.equal((await withdraw(eva, first)).status, 200);
    await pending(await put(eva, 'Ahora sí'));
  });

  test('withdrawing gives back the whole comment, once, to its author alone', async () => {
    const [eva, other] = [await forum().person(), await forum().person()];
    const url = await uploaded(eva, 'comment', 1);
    const one = await pending(
      await put(eva, '@Ana, hola', {
        mentions: [{ start: 0, length: 4, accountId: host.id }],
        images: [{ url, alt: 'Cuatro' }],
        ...{ replyTo: 1, replyExcerpt: 'Bienvenidas' },
      }),
    );
    // Longer than an unused image is stored.
    wait(2 * dayMs);
    await expectProblem(await withdraw(other, one), 404, 'pending_not_found');
    const response = await withdraw(eva, one);
    assert.match(response.headers.get('cache-control') ?? '', /no-store/);
    const back = (await response.json()) as PendingPost;
    assert.deepEqual(
      [back.comment, back.mentions, back.replyTo, back.replyExcerpt],
      ['@Ana, hola', [{ start: 0, length: 4, accountId: host.id, name: 'Ana' }], 1, 'Bienvenidas'],
    );
    assert.deepEqual(await list(eva), []);
    await expectProblem(await withdraw(eva, one), 404, 'pending_not_found');
    // The images can be used again, even some time later.
    wait(dayMs / 2);
    await sweepImages(forum().services);
    const { images } = await pending(await put(eva, 'Otra vez', { images: back.images }));
    assert.equal(images[0]?.alt, 'Cuatro');
  });

  test('a channel is held once under its key, and given back when it is withdrawn', async () => {
    const eva = await forum().person();
    const key = randomUUID();
    const cover = await uploaded(eva, 'cover', 2);
    const body = { name: 'Huerta', description: 'Tomates', cover, coverAlt: 'Una mata' };
    const send = () =>
      forum().call('POST', apiRoutes.channels, {
        ...{ token: eva.token, body, headers: { 'idempotency-key': key } },
      });
    const one = await pending(await send());
    assert.equal((await pending(await send())).id, one.id);
    const channels = await forum().json<{ data: Channel[] }>('GET', apiRoutes.channels);
    assert.ok(channels.data.every(({ name }) => name !== 'Huerta'));
    const back = (await (await withdraw(eva, one)).json()) as PendingPost;
    assert.deepEqual(
      [back.kind, back.channelId, back.name, back.description, back.coverAlt],
      ['channel', null, 'Huerta', 'Tomates', 'Una mata'],
    );
    assert.equal((await forum().call('GET', back.cover)).status, 200);
    // The key was deleted together with the post.
    assert.notEqual((await pending(await send())).id, one.id);
  });

  test('its images are kept while it waits and once it is taken back, and shown to its author alone', async () => {
    const eva = await forum().person();
    const url = await uploaded(eva, 'comment', 3);
    const one = await pending(await put(eva, 'Mira', { images: [{ url, alt: 'Cuatro' }] }));
    const [image] = one.images;
    assert.equal(image?.alt, 'Cuatro');
    assert.equal((await forum().call('GET', url)).status, 404);
    assert.equal((await forum().call('GET', image?.url ?? '')).status, 200);
    wait(2 * dayMs);
    await sweepImages(forum().services);
    const [kept] = await list(eva);
    assert.equal((await forum().call('GET', kept?.images[0]?.url ?? '')).status, 200);
    assert.ok(kept);
    await forum().json('POST', apiRoutes.decisions, {
      ...{ token: (await staff(forum())).token },
      body: { subject: { kind: 'comment', id: kept.id }, action: 'reject', reason: 'No' },
    });
    assert.equal((await withdraw(eva, kept)).status, 200);
    await sweepImages(forum().services);
    assert.equal((await forum().call('GET', kept.images[0]?.url ?? '')).status, 200);
  });

  test('a pending reply quotes nothing any more of a comment that is erased', async () => {
    const eva = await forum().person();
    const secret = 'Palabras que su autora borra';
    const { number } = await forum().comment(host, channel._id, secret);
    await pending(await put(eva, 'Contesto', { replyTo: number, replyExcerpt: secret }));
    await operate(forum(), 'erase', commentId(channel._id, number));
    const { db } = forum().services;
    const rows = await db.selectFrom('pending_posts').select('content').execute();
    assert.ok(rows.every(({ content }) => !content.includes(secret)));
    assert.equal((await list(eva))[0]?.comment, 'Contesto');
  });

  test('of posts that a young account sends at once, no more are published than one after the other', async () => {
    const young = await known();
    const ids = [];
    await changeSettings(forum(), {});
    for (let count = 0; count < 6; count++) ids.push((await forum().channel(host))._id);
    await reviewFirstPosts(forum());
    const answers = await Promise.all(
      ids.map((id) => put(young, `Mira https://uno.es/${id}`, { id })),
    );
    const published = answers.filter(({ status }) => status === 200);
    assert.equal(published.length, limits.youngLinks);
  });

  test('its author finds it in the export', async () => {
    const eva = await forum().person();
    const mentions = [{ start: 0, length: 4, accountId: host.id }];
    const one = await pending(await put(eva, '@Ana, hola', { mentions }));
    const two = await pending(await newChannel(eva));
    const response = await forum().call('GET', apiRoutes.export, eva);
    const files = readZip(Buffer.from(await response.arrayBuffer()));
    assert.deepEqual(JSON.parse(files.get('pendientes.json')?.toString() ?? ''), [
      {
        ...{ kind: 'comment', channelId: channel._id, text: '@Ana, hola', images: [] },
        ...{ createdAt: one.createdAt, isRejected: false },
      },
      {
        ...{ kind: 'channel', channelId: null, text: 'Bancal\n\nAcelgas' },
        images: [{ url: '/default-avatar.svg', alt: '' }],
        ...{ createdAt: two.createdAt, isRejected: false },
      },
    ]);
  });

  test('an erased account leaves nothing held', async () => {
    const eva = await forum().person();
    const url = await uploaded(eva, 'comment', 4);
    await pending(await put(eva, 'Secreto', { images: [{ url, alt: '' }] }));
    await pending(await newChannel(eva));
    const body = { currentPassword: eva.password, content: 'anonymous' };
    await forum().json('DELETE', apiRoutes.me, { token: eva.token, body });
    wait(15 * dayMs);
    await eraseDueAccounts(forum().services);
    const { db } = forum().services;
    const rows = db.selectFrom('pending_posts').select('id').where('account_id', '=', eva.id);
    assert.deepEqual(await rows.execute(), []);
    const images = db.selectFrom('images').select('url').where('account_id', '=', eva.id);
    assert.deepEqual(await images.execute(), []);
  });

  test('what was refused is listed with its reason; that and what nobody approved is erased after 30 days', async () => {
    const [eva, moderator] = [await forum().person(), await staff(forum())];
    const one = await pending(await put(eva, 'Compra esto'));
    const subject = { kind: 'comment', id: one.id } as const;
    const { token } = moderator;
    const draft = { subject, action: 'reject', reason: 'Es publicidad.' };
    await forum().json('POST', apiRoutes.decisions, { token, body: draft });
    wait(dayMs);
    const waiting = await pending(await put(eva, 'Y esto no'));
    assert.deepEqual(await list(eva), [
      { ...one, state: 'rejected', reason: 'Es publicidad.' },
      waiting,
    ]);
    const listLater = async () => {
      await eraseExpired(forum().services);
      const response = await forum().signIn(eva.email, eva.password);
      const { token } = (await response.json()) as Person;
      return list({ ...eva, token });
    };
    wait(29 * dayMs);
    assert.deepEqual(await listLater(), [waiting]);
    wait(dayMs);
    assert.deepEqual(await listLater(), []);
  });

  test('a channel that is erased leaves what is held for it to its author', async () => {
    const [eva, ana] = [await forum().person(), await forum().person()];
    await changeSettings(forum(), {});
    const { _id } = await forum().channel(ana);
    await reviewFirstPosts(forum());
    const one = await pending(await put(eva, 'Aquí no será', { id: _id }));
    await operate(forum(), 'erase', _id);
    assert.deepEqual(await list(eva), [one]);
    assert.equal((await withdraw(eva, one)).status, 200);
    assert.ok(!(await texts()).includes('Aquí no será'));
  });

  test('a picture that an edit takes out stays for as long as the earlier version, shown to nobody', async () => {
    const eva = await known();
    const url = await uploaded(eva, 'comment', 5);
    const own = (await (
      await put(eva, 'Mira', { images: [{ url, alt: 'Foto' }] })
    ).json()) as Comment;
    assert.equal((await forum().call('GET', url)).status, 200);
    const headers = { 'if-match': '"1"' };
    const path = apiRoutes.channelComment(channel._id, own.number);
    await forum().json('PATCH', path, { token: eva.token, headers, body: { comment: 'Mira' } });
    const stored = async () => {
      await eraseExpired(forum().services);
      await sweepImages(forum().services);
      const images = forum().services.db.selectFrom('images').select('url').where('url', '=', url);
      return (await images.execute()).length;
    };
    wait(29 * dayMs);
    assert.equal(await stored(), 1);
    assert.equal((await forum().call('GET', url)).status, 404);
    wait(2 * dayMs);
    assert.equal(await stored(), 0);
  });
});
