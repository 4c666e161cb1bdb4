import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Forum, type Person } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { Comment, CommentPage } from '../../../shared/comments.ts';
import type { StoredFile } from '../../../shared/images.ts';

async function setUp(forum: Forum) {
  const ana = await forum.person('Ana');
  const eva = await forum.person('Eva');
  const { _id: id } = await forum.channel(ana);
  const send = (body: Record<string, unknown>, author = ana) =>
    forum.call('PUT', apiRoutes.comment, { token: author.token, body: { id, ...body } });
  const write = async (body: Record<string, unknown>) => {
    const response = await send(body);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text) as Comment;
  };
  const rejects = async (body: Record<string, unknown>, field: string, author = ana) => {
    const problem = await expectProblem(await send(body, author), 400, 'invalid_fields');
    const fields = problem.errors?.map((error) => error.field.split('.')[0]);
    assert.deepEqual([...new Set(fields)], [field], JSON.stringify(body).slice(0, 200));
  };
  return { ana, eva, id, write, rejects };
}

async function upload(forum: Forum, owner: Person, filename = 'foto.png', use = 'comment') {
  const bytes = await quarters(40, 30).png().toBuffer();
  const response = await forum.upload(owner, bytes, { filename, use });
  assert.equal(response.status, 200);
  return ((await response.json()) as StoredFile).downloadURL;
}

const list = (forum: Forum, id: string) =>
  forum.json<CommentPage>('GET', apiRoutes.channelComments(id));

onBothEngines('mentions', (forum) => {
  test('gives mentions as ranges of the text with the current names', async () => {
    const { ana, eva, id, write } = await setUp(forum());
    const comment = await write({
      comment: '  🦖 hola @Eva y @Ana ',
      mentions: [
        { start: 15, length: 4, accountId: ana.id },
        { start: 8, length: 4, accountId: eva.id },
      ],
    });
    assert.equal(comment.comment, '🦖 hola @Eva y @Ana');
    assert.deepEqual(comment.mentions, [
      { start: 8, length: 4, accountId: eva.id, name: 'Eva' },
      { start: 15, length: 4, accountId: ana.id, name: 'Ana' },
    ]);
    await forum()
      .services.db.updateTable('accounts')
      .set({ name: 'Eva María' })
      .where('id', '=', eva.id)
      .execute();
    forum().services.live.publish({ kind: 'profile', accountId: eva.id });
    const [read] = (await list(forum(), id)).data;
    assert.deepEqual(
      read?.mentions.map(({ name }) => name),
      ['Eva María', 'Ana'],
    );
    const channel = await forum().json<Channel>('GET', apiRoutes.channel(id));
    assert.deepEqual(channel.comments, [read]);
  });

  test('counts a range in the trimmed text in NFC', async () => {
    const { eva, write } = await setUp(forum());
    const mentions = [{ start: 5, length: 4, accountId: eva.id }];
    const comment = await write({ comment: '\n cafe\u0301 @Eva', mentions });
    const [mention] = comment.mentions;
    assert.equal(comment.comment.slice(mention?.start), '@Eva');
  });

  test('rejects ranges that do not begin at an @, overlap, split a character or leave the text', async () => {
    const { eva, rejects } = await setUp(forum());
    const comment = '@Eva y @Eva 🦖 @🦖 @e\u030b\u0323';
    for (const ranges of [
      [[1, 3]],
      [[0, 0]],
      [[0, 1]],
      [[0, -4]],
      [[-1, 4]],
      [
        [0, 5],
        [4, 4],
      ],
      [
        [0, 4],
        [0, 4],
      ],
      [
        [0, 12],
        [7, 4],
      ],
      [[7, 400]],
      [[0, 1e300]],
      [[1e300, 4]],
      [[0x7fffffff, 0x7fffffff]],
      [[15, 2]],
      [[19, 2]],
    ]) {
      const mentions = ranges.map(([start, length]) => ({ start, length, accountId: eva.id }));
      await rejects({ comment, mentions }, 'mentions');
    }
    const long = `@${'a'.repeat(500)}`;
    await rejects(
      { comment: long, mentions: [{ start: 0, length: 200, accountId: eva.id }] },
      'mentions',
    );
  });

  test('rejects mentions of unknown accounts, malformed ones and too many', async () => {
    const { eva, rejects } = await setUp(forum());
    const range = { start: 0, length: 4 };
    for (const mention of [
      { ...range, accountId: 'nadie' },
      { ...range, accountId: '' },
      { ...range, accountId: '\ud800' },
      { ...range, accountId: 'x'.repeat(201) },
      { ...range, accountId: 7 },
      { ...range, accountId: '00000000-0000-4000-8000-000000000000' },
      range,
      { start: '0x', length: 4, accountId: eva.id },
      { start: 0.5, length: 4, accountId: eva.id },
      { accountId: eva.id },
      null,
      'Eva',
    ]) {
      await rejects({ comment: '@Eva', mentions: [mention] }, 'mentions');
    }
    for (const mentions of ['@Eva', { 0: range }, 7]) {
      await rejects({ comment: '@Eva', mentions }, 'mentions');
    }
    const many = Array.from({ length: 51 }, (_, i) => ({
      start: i * 4,
      length: 4,
      accountId: eva.id,
    }));
    const text = '@Eva'.repeat(51);
    await rejects({ comment: text, mentions: many }, 'mentions');
    await rejects({ comment: '@Eva', mentions: Array(100_000 / 20).fill(range) }, 'mentions');
  });

  test('accepts 50 mentions of one account, and none of them counts twice', async () => {
    const { eva, write } = await setUp(forum());
    const mentions = Array.from({ length: 50 }, (_, i) => ({
      start: i * 4,
      length: 4,
      accountId: eva.id,
    }));
    const comment = await write({ comment: '@Eva'.repeat(50), mentions });
    assert.deepEqual(
      comment.mentions.map(({ start }) => start),
      mentions.map(({ start }) => start),
    );
  });
});

onBothEngines('images of comments', (forum) => {
  test('shows the images that the author uploaded, with their alternative texts, in order', async () => {
    const { ana, id, write } = await setUp(forum());
    const first = await upload(forum(), ana, 'una.png');
    const second = await upload(forum(), ana, 'otra.png');
    const images = [
      { url: second, alt: ' Una plaza ' },
      { url: first, alt: '' },
    ];
    const comment = await write({ comment: 'Mirad', images });
    assert.deepEqual(comment.images, [
      { url: second, alt: 'Una plaza' },
      { url: first, alt: '' },
    ]);
    assert.deepEqual((await list(forum(), id)).data, [comment]);
    const variant = await forum().call('GET', `${first}/500.webp`);
    assert.equal(variant.status, 200);
    assert.equal(variant.headers.get('content-type'), 'image/webp');
  });

  test('rejects images of others, of another use, of other sites, unknown ones and too many', async () => {
    const { ana, eva, rejects } = await setUp(forum());
    const own = await upload(forum(), ana);
    for (const url of [
      await upload(forum(), eva),
      await upload(forum(), ana, 'portada.png', 'cover'),
      '/files/images/nada.png',
      '/default-avatar.svg',
      'https://ejemplo.es/a.png',
      'javascript:alert(1)',
      `${own}/500.webp`,
      `${own}?x`,
      '/files/images/../images/foto.png',
      '',
      7,
      null,
      `/files/images/${'x'.repeat(3000)}`,
      `/files/images/${'x'.repeat(30_000)}`,
    ]) {
      await rejects({ comment: 'Mirad', images: [{ url, alt: '' }] }, 'images');
    }
    for (const alt of ['x'.repeat(301), '\ud800', 7]) {
      await rejects({ comment: 'Mirad', images: [{ url: own, alt }] }, 'images');
    }
    await rejects({ comment: 'Mirad', images: Array(5).fill({ url: own, alt: '' }) }, 'images');
    await rejects({ comment: 'Mirad', images: own }, 'images');
  });

  test('needs no text beside an image, nor keeps one that an edit takes out', async () => {
    const { ana, eva, id, write, rejects } = await setUp(forum());
    const images = [{ url: await upload(forum(), ana), alt: '' }];
    const own = await write({ comment: ' \u200b\n', images });
    assert.equal(own.comment, '');
    assert.deepEqual(own.images, images);
    await rejects({ comment: ' ' }, 'comment');
    await rejects({ comment: '', images: [] }, 'comment');
    await rejects({ comment: '', replyTo: 1, replyExcerpt: 'a', images }, 'replyExcerpt');
    const edit = (comment: Comment, body: object) =>
      forum().call('PATCH', apiRoutes.channelComment(id, comment.number), {
        ...{ token: ana.token, body },
        headers: { 'if-match': `"${comment.revision}"` },
      });
    const written = await write({ comment: 'Con texto', images: [] });
    const reply = await forum().json<Comment>('PUT', apiRoutes.comment, {
      token: eva.token,
      body: { id, comment: 'Sí', replyTo: written.number, replyExcerpt: 'Con texto' },
    });
    const response = await edit(written, { comment: '', images });
    assert.equal(response.status, 200);
    const edited = (await response.json()) as Comment;
    assert.deepEqual([edited.comment, edited.images], ['', images]);
    await expectProblem(await edit(edited, { comment: '' }), 400, 'invalid_fields');
    const shown = (await list(forum(), id)).data;
    assert.equal(shown.find(({ number }) => number === reply.number)?.replyExcerpt, '');
    const bySearch = `${apiRoutes.search}?q=texto&author=${ana.id}`;
    assert.deepEqual((await forum().json<{ data: unknown[] }>('GET', bySearch)).data, []);
  });

  test('stores nothing of a rejected comment', async () => {
    const { ana, id, rejects } = await setUp(forum());
    const image = { url: await upload(forum(), ana), alt: '' };
    const mentions = [{ start: 0, length: 4, accountId: ana.id }];
    const images = [image, { url: '/files/images/nada.png', alt: '' }];
    await rejects({ comment: '@Ana', mentions, images }, 'images');
    const { db } = forum().services;
    for (const table of ['comments', 'comment_images'] as const) {
      const rows = await db
        .selectFrom(table as 'comments')
        .select('number')
        .where('channel_id', '=', id)
        .execute();
      assert.deepEqual(rows, [], table);
    }
  });
});
