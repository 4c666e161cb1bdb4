import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { insertHeld } from '../../../test/forum/insert-held.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Comment } from '../../shared/comments.ts';
import { setRole } from '../moderation/roles.ts';
import { megabytesPerDay } from './text-budget.ts';

const dayMs = 86_400_000;
const mostBytes = megabytesPerDay * 1_000_000;

const keyOf = ({ id }: Person) => `text:${id}`;
async function countedOf({ deps }: Forum, person: Person): Promise<number> {
  const row = await deps.db
    .selectFrom('rate_limits')
    .select('points')
    .where('key', '=', keyOf(person))
    .executeTakeFirst();
  return row?.points ?? 0;
}
/** Uses up the person's daily text except for this many bytes. */
async function leave({ deps }: Forum, person: Person, bytes: number): Promise<void> {
  await deps.db
    .updateTable('rate_limits')
    .set({ points: mostBytes - bytes })
    .where('key', '=', keyOf(person))
    .execute();
}

for (const engine of engines) {
  test(`counts stored text once, and refused text not at all (${engine})`, async () => {
    await using forum = await Forum.start(engine, { RATE_LIMITS: 'on' });
    const author = await forum.person();
    const { token } = author;
    const channel = await forum.channel(author, 'Cine');
    const { description, cover } = channel;
    let expected = Buffer.byteLength(`Cine${description}${cover}`);
    const expectCounted = async (more: number) => {
      expected += more;
      assert.equal(await countedOf(forum, author), expected);
    };
    await expectCounted(0);
    const body = { id: channel._id, comment: 'ñandú' };
    const headers = { 'idempotency-key': 'una' };
    for (let i = 0; i < 2; i++)
      await forum.json('PUT', apiRoutes.comment, { token, body, headers });
    await expectCounted(7);
    await forum.comment(author, channel._id, 'sí', { replyTo: 1, replyExcerpt: 'ñan' });
    await expectCounted(3 + 4);
    const mentions = [{ start: 0, length: 2, accountId: author.id }];
    await forum.comment(author, channel._id, '@a', { mentions });
    await expectCounted(author.id.length + 2);
    const commentUrl = apiRoutes.channelComment(channel._id, 1);
    const edit = { token, headers: { 'if-match': '"1"' }, body: { comment: 'emú' } };
    for (let i = 0; i < 2; i++) await forum.json('PATCH', commentUrl, edit);
    await expectCounted(4);
    const late = await forum.call('PATCH', commentUrl, { ...edit, body: { comment: 'avestruz' } });
    await expectProblem(late, 412, 'edit_conflict');
    const nowhere = { token, body: { id: 'nada', comment: 'hola' } };
    const lost = await forum.call('PUT', apiRoutes.comment, nowhere);
    await expectProblem(lost, 404, 'channel_not_found');
    await expectCounted(0);
    // The stored version contains all parts of the channel, not only the changed one.
    const change = { token, headers: { 'if-match': '"1"' }, body: { coverAlt: 'día' } };
    await forum.json('PATCH', apiRoutes.channel(channel._id), change);
    await expectCounted(Buffer.byteLength(`Cine${description}${cover}día`));
  });

  test(`no route that takes long texts stores more than 20 MB a day for an account (${engine})`, async () => {
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    await using forum = await Forum.start(engine, { RATE_LIMITS: 'on' }, { now });
    const author = await forum.person();
    const { token } = author;
    const channel = await forum.channel(author);
    const { number } = await forum.comment(author, channel._id, 'uno');
    const text = 'a'.repeat(500);
    const headers = { 'if-match': '"1"' };
    const commentUrl = apiRoutes.channelComment(channel._id, number);
    await setRole({ ...forum.deps, actor: 'ada', note: '' }, author.id, 'admin');
    const held = await insertHeld(forum, author, channel._id);
    const write: Record<string, () => Promise<Response>> = {
      'PATCH /api/moderation/settings': () =>
        forum.call('PATCH', apiRoutes.siteSettings, {
          token,
          headers: { 'if-match': '"0"' },
          body: { rules: text },
        }),
      'PATCH /api/user/held/{id}': () =>
        forum.call('PATCH', apiRoutes.heldItem(held), { token, headers, body: { comment: text } }),
      'PUT /api/channels/comment': () =>
        forum.call('PUT', apiRoutes.comment, { token, body: { id: channel._id, comment: text } }),
      'PATCH /api/channels/{id}/comments/{number}': () =>
        forum.call('PATCH', commentUrl, { token, headers, body: { comment: text } }),
      'POST /api/channels': () =>
        forum.call('POST', apiRoutes.channels, {
          token,
          body: { name: 'Otro', description: text, cover: '/default-avatar.svg' },
        }),
      'PATCH /api/channels/{id}': () =>
        forum.call('PATCH', apiRoutes.channel(channel._id), {
          token,
          headers,
          body: { description: text },
        }),
    };
    assert.deepEqual(Object.keys(write).sort(), (await routesWithLongTexts(forum)).sort());
    await leave(forum, author, 499);
    for (const [route, call] of Object.entries(write)) {
      const refused = await call();
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(seconds > 86_000 && seconds <= 86_400, route);
      const { detail } = await expectProblem(refused, 429, 'too_many_requests');
      assert.match(
        detail,
        /En un día se pueden escribir 20\s+MB de texto.*dentro de 24 horas/,
        route,
      );
      assert.equal(await countedOf(forum, author), mostBytes - 499, route);
    }
    const [comment] = await forum.allComments(channel._id);
    assert.deepEqual([comment?.comment, comment?.revision], ['uno', 1] satisfies [
      Comment['comment'],
      number,
    ]);
    // A shorter text still fits, and other accounts have their own limit.
    await forum.comment(author, channel._id, 'dos');
    await forum.comment(await forum.person(), channel._id, text);
    aheadMs = dayMs;
    const again = await forum.signIn(author.email, author.password);
    const session = (await again.json()) as { token: string };
    await forum.comment(session, channel._id, text);
    assert.equal(await countedOf(forum, author), 500);
  });

  test(`a day that began while the clock was ahead ends once the clock is corrected (${engine})`, async () => {
    let aheadMs = 2 * dayMs;
    const now = () => Date.now() + aheadMs;
    await using forum = await Forum.start(engine, { RATE_LIMITS: 'on' }, { now });
    const author = await forum.person();
    const channel = await forum.channel(author);
    await leave(forum, author, 0);
    aheadMs = 0;
    await forum.comment(author, channel._id, 'uno');
    assert.equal(await countedOf(forum, author), 3);
  });
}

test('two processes on one PostgreSQL count together', async () => {
  await using forum = await Forum.start('postgres', { RATE_LIMITS: 'on' });
  await using other = await forum.another();
  const author = await forum.person();
  const channel = await forum.channel(author);
  await leave(forum, author, 30);
  const both = Array.from({ length: 10 }, (_, index) =>
    [forum, other][index % 2]?.call('PUT', apiRoutes.comment, {
      token: author.token,
      body: { id: channel._id, comment: 'diez bytes' },
    }),
  );
  const statuses = (await Promise.all(both)).map((response) => response?.status);
  assert.equal(statuses.filter((status) => status === 200).length, 3, String(statuses));
  assert.equal(await countedOf(forum, author), mostBytes);
});

/** Routes with another limit: an account has at most ten passkeys. */
const boundedOtherwise = new Set(['POST /api/user/passkeys']);

/** Finds in the description of the API the bodies with a text of more than a thousand characters. */
async function routesWithLongTexts(forum: Forum): Promise<string[]> {
  interface Operation {
    requestBody?: { content: Record<string, { schema: object }> };
  }
  const { paths } = await forum.json<{ paths: Record<string, Record<string, Operation>> }>(
    'GET',
    '/api/openapi.json',
  );
  return Object.entries(paths).flatMap(([url, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = JSON.stringify(requestBody?.content['application/json']?.schema ?? {});
      const lengths = [...schema.matchAll(/"maxLength":(\d+)/g)].map(([, length]) =>
        Number(length),
      );
      const route = `${method.toUpperCase()} ${url}`;
      return lengths.some((length) => length > 10_000) && !boundedOtherwise.has(route)
        ? [route]
        : [];
    }),
  );
}
