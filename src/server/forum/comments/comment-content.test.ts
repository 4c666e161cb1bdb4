import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Forum, type Person } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Comment, CommentEdit, CommentPage } from '../../../shared/comments.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { limits } from '../../../shared/limits.ts';
import { ApiError } from '../../http/api-error.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { parseCommentContent } from './comment-content.ts';

const accountId = '0198a000-0000-7000-8000-00000000000a';

/** @returns the names of the refused fields */
function refusedFields(body: CommentEdit): string[] {
  const fields = new FieldParser();
  parseCommentContent(fields, body, () => []);
  try {
    fields.done();
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.errors?.map(({ field }) => field) ?? [];
  }
}

const text = '@Eva y @Eva 🦖 @🦖 @e\u0323\u030b @👩\u200d🚀@a'.normalize('NFC');
const long = `@${'🦖'.repeat(limits.userNameChars)}!`;
const mentionsAt = (ranges: readonly (readonly [start: number, length: number])[]) =>
  ranges.map(([start, length]) => ({ start, length, accountId }));

for (const [what, comment, ...ranges] of [
  ['a mention of two characters', text, [0, 2]],
  ['mentions in any order', text, [7, 4], [0, 4]],
  ['mentions that touch each other', '@Eva@Eva', [0, 4], [4, 4]],
  ['a mention at the end of the text', text, [text.length - 2, 2]],
  ['a mention of the longest name', long, [0, 161]],
] as const) {
  test(`accepts ${what}`, () => {
    assert.deepEqual(refusedFields({ comment, mentions: mentionsAt(ranges) }), []);
  });
}

for (const [what, comment, ...ranges] of [
  ['that does not begin at an @', text, [1, 3]],
  ['of the @ alone', text, [0, 1]],
  ['without characters', text, [0, 0]],
  ['of a negative length', text, [0, -4]],
  ['that begins before the text', text, [-1, 4]],
  ['that ends after the text', text, [text.length - 2, 3]],
  ['that overlaps the next one', text, [0, 8], [7, 4]],
  ['that is there twice', text, [0, 4], [0, 4]],
  ['that ends within a surrogate pair', text, [15, 2]],
  ['that ends within a pair with the greatest surrogate', '@a\u{103ff}', [0, 3]],
  ['that ends before a mark', text, [19, 2]],
  ['that ends before a joiner', text, [23, 3]],
  ['longer than any name', long, [0, 162]],
  ['of an immense length', text, [0, 1e300]],
  ['at an immense place', text, [1e300, 4]],
] as const) {
  test(`refuses a mention ${what}`, () => {
    assert.deepEqual(refusedFields({ comment, mentions: mentionsAt(ranges) }), ['mentions']);
  });
}

test('refuses a mention of an id with a control character, which would end its token', () => {
  const mentions = [{ start: 0, length: 4, accountId: `${accountId}\u0003` }];
  assert.deepEqual(refusedFields({ comment: '@Eva', mentions }), ['mentions']);
});

onEngine('sqlite', 'the content of a comment', (forum) => {
  async function setUp() {
    const ana = await forum().person('Ana');
    const eva = await forum().person('Eva');
    const { _id: id } = await forum().channel(ana);
    const send = (body: Record<string, unknown>) =>
      forum().call('PUT', apiRoutes.comment, { token: ana.token, body: { id, ...body } });
    const rejects = async (body: Record<string, unknown>, field: string) => {
      const problem = await expectProblem(await send(body), 400, 'invalid_fields');
      const fields = problem.errors?.map((error) => error.field.split('.')[0]);
      assert.deepEqual([...new Set(fields)], [field], JSON.stringify(body).slice(0, 200));
    };
    const list = async () =>
      (await forum().json<CommentPage>('GET', apiRoutes.channelComments(id))).data;
    return { ana, eva, id, send, rejects, list };
  }

  test('gives mentions as ranges of the trimmed text in NFC, with the whole names of the accounts', async () => {
    const { ana, eva, send, list } = await setUp();
    const response = await send({
      comment: ' \n🦖 cafe\u0301 @Eva y @An ',
      mentions: [
        { start: 15, length: 3, accountId: ana.id },
        { start: 8, length: 4, accountId: eva.id },
      ],
    });
    const comment = (await response.json()) as Comment;
    assert.equal(comment.comment, '🦖 café @Eva y @Ana');
    assert.deepEqual(comment.mentions, [
      { start: 8, length: 4, accountId: eva.id, name: 'Eva' },
      { start: 15, length: 4, accountId: ana.id, name: 'Ana' },
    ]);
    assert.deepEqual(await list(), [comment]);
  });

  test('refuses mentions of unknown accounts, malformed ones and too many, and stores nothing', async () => {
    const { eva, rejects, list } = await setUp();
    const range = { start: 0, length: 4 };
    for (const mention of [
      { ...range, accountId: 'nadie' },
      { ...range, accountId: '\ud800' },
      range,
      { start: 0.5, length: 4, accountId: eva.id },
      null,
    ]) {
      await rejects({ comment: '@Eva', mentions: [mention] }, 'mentions');
    }
    const count = limits.mentionsPerComment + 1;
    const mentions = Array.from({ length: count }, (_, i) => {
      return { start: i * 4, length: 4, accountId: eva.id };
    });
    await rejects({ comment: '@Eva'.repeat(count), mentions }, 'mentions');
    assert.deepEqual(await list(), []);
  });

  test('shows the images that the author uploaded, with their alternative texts, in order', async () => {
    const { ana, send, list } = await setUp();
    const first = await upload(forum(), ana);
    const second = await upload(forum(), ana);
    const images = [
      { url: second, alt: ' Una plaza ' },
      { url: first, alt: '' },
    ];
    const comment = (await (await send({ comment: 'Mirad', images })).json()) as Comment;
    assert.deepEqual(comment.images, [
      { url: second, alt: 'Una plaza' },
      { url: first, alt: '' },
    ]);
    assert.deepEqual(await list(), [comment]);
    const variant = await forum().call('GET', `${first}/500.webp`);
    assert.deepEqual([variant.status, variant.headers.get('content-type')], [200, 'image/webp']);
  });

  test('refuses images of others, of another use, of other sites, unknown ones and too many, and stores nothing', async () => {
    const { ana, eva, id, rejects } = await setUp();
    const own = await upload(forum(), ana);
    for (const url of [
      await upload(forum(), eva),
      await upload(forum(), ana, 'cover'),
      '/files/images/nada.png',
      '/default-avatar.svg',
      'https://ejemplo.es/a.png',
      'javascript:alert(1)',
      `${own}/500.webp`,
      `${own}?x`,
      7,
      `/files/images/${'x'.repeat(3000)}`,
    ]) {
      const images = [
        { url: own, alt: '' },
        { url, alt: '' },
      ];
      await rejects({ comment: 'Mirad', images }, 'images');
    }
    const alt = 'x'.repeat(limits.imageAltChars + 1);
    await rejects({ comment: 'Mirad', images: [{ url: own, alt }] }, 'images');
    const many = Array(limits.imagesPerComment + 1).fill({ url: own, alt: '' });
    await rejects({ comment: 'Mirad', images: many }, 'images');
    const { db } = forum().services;
    for (const table of ['comments', 'comment_images'] as const) {
      const rows = db
        .selectFrom(table as 'comments')
        .selectAll()
        .where('channel_id', '=', id);
      assert.deepEqual(await rows.execute(), [], table);
    }
  });

  test('needs a text or an image, also after an edit', async () => {
    const { ana, id, send, rejects } = await setUp();
    const images = [{ url: await upload(forum(), ana), alt: '' }];
    const own = (await (await send({ comment: ' \u200b\n', images })).json()) as Comment;
    assert.deepEqual([own.comment, own.images], ['', images]);
    await rejects({ comment: '', images: [] }, 'comment');
    const { number } = await forum().comment(ana, id, 'Con texto');
    const edit = (revision: number, body: object) =>
      forum().call('PATCH', apiRoutes.channelComment(id, number), {
        token: ana.token,
        body,
        headers: { 'if-match': `"${revision}"` },
      });
    const edited = (await (await edit(1, { comment: '', images })).json()) as Comment;
    assert.deepEqual([edited.comment, edited.images], ['', images]);
    await expectProblem(await edit(2, { comment: '' }), 400, 'invalid_fields');
    const search = `${apiRoutes.search}?q=texto&author=${ana.id}`;
    assert.deepEqual((await forum().json<{ data: unknown[] }>('GET', search)).data, []);
  });
});

async function upload(forum: Forum, owner: Person, use = 'comment'): Promise<string> {
  const bytes = await quarters(40, 30).png().toBuffer();
  const response = await forum.upload(owner, bytes, { filename: `${randomUUID()}.png`, use });
  return ((await response.json()) as StoredFile).downloadURL;
}
